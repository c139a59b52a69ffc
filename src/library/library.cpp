#include "shosa/library/library.h"

#include <cstring>

#include "library/clip_rows.h"
#include "library/database.h"
#include "library/filter_sql.h"
#include "library/schema.h"

namespace shosa::library {

namespace fs = std::filesystem;

Library::Library(fs::path folder, fs::path index_file, std::unique_ptr<Database> database)
    : folder_(std::move(folder)), index_file_(std::move(index_file)), database_(std::move(database)) {}
Library::Library(Library&&) noexcept = default;
Library& Library::operator=(Library&&) noexcept = default;
Library::~Library() = default;

Result<Library> Library::open(const fs::path& folder, const fs::path& index_file) {
  const fs::path file = index_file.empty() ? usual_index_file(folder) : index_file;
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return fail(ErrorCode::cannot_read, "{}: is no folder that can be read", folder.string());
  if (!fs::exists(file, error))
    return fail(ErrorCode::cannot_read, "{}: is not there; shosa library index makes it", file.string());
  auto database = Database::open(file, Database::Access::read);
  if (!database) return std::unexpected(database.error());
  Library library(folder, file, std::make_unique<Database>(std::move(*database)));
  if (const auto ok = check_schema(*library.database_); !ok) return std::unexpected(ok.error());
  return library;
}

Result<std::vector<LibraryClip>> Library::clips(const Filter& filter) const {
  const Conditions conditions(filter);
  const std::string sql = fmt::format(
      "SELECT {}, words.text FROM clips JOIN files ON files.id = clips.file JOIN words ON words.rowid = clips.id{} "
      "ORDER BY {}files.path, clips.take",
      kClipColumns, conditions.text(), conditions.has_words() ? "words.rank, " : "");
  auto rows = database_->prepare(sql);
  if (!rows) return std::unexpected(rows.error());
  conditions.bind(*rows);
  std::vector<LibraryClip> clips;
  while (true) {
    const auto row = rows->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return clips;
    auto clip = read_clip_row(*rows, index_file_.string());
    if (!clip) return std::unexpected(clip.error());
    clip->words = rows->text(16);
    clips.push_back(std::move(*clip));
  }
}

Result<std::vector<Feature>> Library::features(std::int64_t id) const {
  auto row = database_->prepare("SELECT features FROM frames WHERE clip = ?1");
  if (!row) return std::unexpected(row.error());
  const auto found = row->bind(1, id).step();
  if (!found) return std::unexpected(found.error());
  const std::string_view bytes = *found ? row->bytes(0) : std::string_view();
  if (bytes.empty() || bytes.size() % sizeof(Feature) != 0)
    return fail(ErrorCode::bad_file, "{}: clip {}: {} bytes of features, expected a multiple of {}",
                index_file_.string(), id, bytes.size(), sizeof(Feature));
  std::vector<Feature> features(bytes.size() / sizeof(Feature));
  std::memcpy(features.data(), bytes.data(), bytes.size());
  return features;
}

Result<std::vector<BrokenFile>> Library::broken() const {
  return broken_files(*database_);
}

}  // namespace shosa::library
