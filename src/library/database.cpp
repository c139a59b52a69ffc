#include "library/database.h"

#include <sqlite3.h>
#include <unistd.h>

#include <utility>

namespace shosa::library {

namespace {
/// Features of an hour at 30 Hz are 7 MB.
constexpr int kMostBytes = 64 << 20;
/// How long one program waits while another writes.
constexpr int kWait_ms = 10'000;

ErrorCode code_of(int code) {
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
    case SQLITE_TOOBIG:
    case SQLITE_ERROR:
      return ErrorCode::bad_file;
    case SQLITE_READONLY:
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_PERM:
      return ErrorCode::cannot_write;
    case SQLITE_CANTOPEN:
      return ErrorCode::cannot_read;
    default:
      return ErrorCode::not_possible;
  }
}

/// Readers of a file in WAL mode write beside it, to tell each other. Where that cannot be, nobody writes to it.
bool cannot_be_written(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  return ::access(folder.c_str(), W_OK) != 0;
}

std::string still_address(const std::filesystem::path& file) {
  std::string address = "file:";
  for (const char c : std::filesystem::absolute(file).string()) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '.';
    address += plain ? std::string(1, c) : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  return address + "?immutable=1";
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}
void Database::Close::operator()(sqlite3* connection) const {
  sqlite3_close_v2(connection);
}

Statement& Statement::bind(int place, std::int64_t value) {
  if (const int code = sqlite3_bind_int64(statement_.get(), place, value)) failed_ = code;
  return *this;
}
Statement& Statement::bind(int place, double value) {
  if (const int code = sqlite3_bind_double(statement_.get(), place, value)) failed_ = code;
  return *this;
}
Statement& Statement::bind(int place, std::string_view text) {
  // A null pointer would be stored as NULL, not as an empty text.
  const char* const begin = text.empty() ? "" : text.data();
  const int code = sqlite3_bind_text64(statement_.get(), place, begin, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code) failed_ = code;
  return *this;
}
Statement& Statement::bind_bytes(int place, std::span<const char> bytes) {
  const char* const begin = bytes.empty() ? "" : bytes.data();
  if (const int code = sqlite3_bind_blob64(statement_.get(), place, begin, bytes.size(), SQLITE_TRANSIENT))
    failed_ = code;
  return *this;
}

Result<bool> Statement::step() {
  const int code = failed_ ? std::exchange(failed_, 0) : sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return database_->failed(code);
}

Result<void> Statement::run() {
  const auto stepped = step();
  reset();
  if (!stepped) return std::unexpected(stepped.error());
  return {};
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}
double Statement::number(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}
std::string Statement::text(int column) const {
  const auto* const begin = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (begin == nullptr) return {};
  return {begin, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}
std::string_view Statement::bytes(int column) const {
  const auto* const begin = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  if (begin == nullptr) return {};
  return {begin, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

Database::Database(std::string file, sqlite3* connection) : file_(std::move(file)), connection_(connection) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(const std::filesystem::path& file, Access access) {
  const int flags = (access == Access::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) |
                    SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  sqlite3* connection = nullptr;
  const bool still = access == Access::read && cannot_be_written(file);
  const int code = sqlite3_open_v2(still ? still_address(file).c_str() : file.c_str(), &connection,
                                   flags | (still ? SQLITE_OPEN_URI : 0), nullptr);
  Database database(file.string(), connection);
  if (code) return database.failed(code);
  sqlite3_busy_timeout(connection, kWait_ms);
  sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, kMostBytes);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  if (const auto ok = database.execute("PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON; PRAGMA mmap_size = 0");
      !ok)
    return std::unexpected(ok.error());
  return database;
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(connection_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code) return failed(code);
  return Statement(*this, statement);
}

Result<void> Database::execute(const std::string& sql) {
  if (const int code = sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr)) return failed(code);
  return {};
}

Result<std::int64_t> Database::integer(std::string_view sql) {
  auto statement = prepare(sql);
  if (!statement) return std::unexpected(statement.error());
  const auto row = statement->step();
  if (!row) return std::unexpected(row.error());
  return *row ? statement->integer(0) : 0;
}

std::int64_t Database::last_row() const {
  return sqlite3_last_insert_rowid(connection_.get());
}

std::unexpected<Error> Database::failed(int code) const {
  const char* const reason = connection_ ? sqlite3_errmsg(connection_.get()) : sqlite3_errstr(code);
  return fail(code_of(code), "{}: {}", file_, reason);
}

Result<Transaction> Transaction::begin(Database& database) {
  if (const auto ok = database.execute("BEGIN IMMEDIATE"); !ok) return std::unexpected(ok.error());
  return Transaction(database);
}

Result<void> Transaction::commit() {
  const auto ok = database_->execute("COMMIT");
  if (ok) database_ = nullptr;
  return ok;
}

Transaction::~Transaction() {
  if (database_ != nullptr) (void)database_->execute("ROLLBACK");
}

}  // namespace shosa::library
