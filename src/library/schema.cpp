#include "library/schema.h"

#include <array>
#include <set>

#include "shosa/library/library.h"

namespace shosa::library {

namespace {

/// "shos" in the header of the file.
constexpr std::int64_t kApplication = 0x73686f73;

// files.problem: why the file could not be read, or empty. clips.details: JSON of what is not searched for.
// frames.features: kFeatureCount 16-bit numbers for each frame, low byte first.
constexpr std::array kTables = {
    std::string_view("CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, stamp TEXT NOT NULL, "
                     "bytes INTEGER NOT NULL, hash TEXT NOT NULL, companions TEXT NOT NULL, problem TEXT NOT NULL)"),
    std::string_view("CREATE TABLE clips(id INTEGER PRIMARY KEY, file INTEGER NOT NULL REFERENCES files(id) ON DELETE "
                     "CASCADE, take INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, joints INTEGER NOT NULL, "
                     "frames INTEGER NOT NULL, fps REAL NOT NULL, duration_s REAL NOT NULL, unit_m REAL NOT NULL, "
                     "scale REAL NOT NULL, speed_mps REAL NOT NULL, turn_deg REAL NOT NULL, flight_s REAL NOT NULL, "
                     "cycle_s REAL NOT NULL, details TEXT NOT NULL, strip BLOB NOT NULL, UNIQUE(file, take))"),
    std::string_view("CREATE TABLE frames(clip INTEGER PRIMARY KEY REFERENCES clips(id) ON DELETE CASCADE, features "
                     "BLOB NOT NULL)"),
    std::string_view("CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'porter unicode61 remove_diacritics 2')"),
};
/// What FTS5 makes for itself.
const std::set<std::string> kWordTables = {"words_data", "words_idx", "words_content", "words_docsize", "words_config"};

Result<void> create(Database& database) {
  for (const std::string_view table : kTables)
    if (const auto ok = database.execute(std::string(table)); !ok) return ok;
  return database.execute(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication, kIndexVersion));
}

/// Version 1 knew facts and words only: its clips have no frames and no strips, so that every file is read again.
Result<void> from_version_1(Database& database) {
  if (const auto ok = database.execute("DROP TABLE clips; DROP TABLE words; UPDATE files SET stamp = '', hash = ''");
      !ok)
    return ok;
  for (const std::string_view table : {kTables[1], kTables[2], kTables[3]})
    if (const auto ok = database.execute(std::string(table)); !ok) return ok;
  return database.execute("PRAGMA user_version = 2");
}

Result<std::int64_t> version_of(Database& database) {
  const auto application = database.integer("PRAGMA application_id");
  if (!application) return application;
  if (*application != kApplication) return fail(ErrorCode::bad_file, "{}: is no index of clips", database.file());
  return database.integer("PRAGMA user_version");
}

}  // namespace

Result<void> prepare_schema(Database& database) {
  const auto tables = database.integer("SELECT count(*) FROM sqlite_schema");
  if (!tables) return std::unexpected(tables.error());
  // Before anything is set: WAL mode would stay in a file that is somebody else's.
  if (*tables > 0)
    if (const auto version = version_of(database); !version) return std::unexpected(version.error());
  if (const auto ok =
          database.execute("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
      !ok)
    return ok;
  auto transaction = Transaction::begin(database);
  if (!transaction) return std::unexpected(transaction.error());
  if (*tables == 0) {
    if (const auto ok = create(database); !ok) return ok;
    return transaction->commit();
  }
  const auto version = version_of(database);
  if (!version) return std::unexpected(version.error());
  if (*version == 1) {
    if (const auto ok = from_version_1(database); !ok) return ok;
    if (const auto ok = transaction->commit(); !ok) return ok;
  }
  return check_schema(database);
}

Result<void> check_schema(Database& database) {
  const auto version = version_of(database);
  if (!version) return std::unexpected(version.error());
  if (*version > kIndexVersion)
    return fail(ErrorCode::bad_file, "{}: version {} of the index, this program reads up to {}", database.file(),
                *version, kIndexVersion);
  if (*version < kIndexVersion)
    return fail(ErrorCode::not_possible, "{}: version {} of the index; shosa library index brings it up to {}",
                database.file(), *version, kIndexVersion);
  std::set<std::string> wanted(kTables.begin(), kTables.end());
  auto rows = database.prepare("SELECT name, coalesce(sql, '') FROM sqlite_schema");
  if (!rows) return std::unexpected(rows.error());
  while (true) {
    const auto row = rows->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) break;
    const std::string name = rows->text(0), sql = rows->text(1);
    if (sql.empty() || kWordTables.contains(name) || wanted.erase(sql) == 1) continue;
    return fail(ErrorCode::bad_file, "{}: holds '{}', which is no part of an index", database.file(), name);
  }
  if (!wanted.empty()) return fail(ErrorCode::bad_file, "{}: lacks a table of the index", database.file());
  return {};
}

}  // namespace shosa::library
