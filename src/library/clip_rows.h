#pragma once

#include <map>
#include <string>
#include <vector>

#include "library/database.h"
#include "shosa/library/library.h"

namespace shosa::library {

/// Everything of one file that the index keeps.
struct FileRow {
  std::string path, stamp, hash, companions, problem;
  std::int64_t bytes = 0;
  std::vector<ClipFacts> clips;
};

/// Writes files and their clips. Lives as long as its database.
class RowWriter {
 public:
  static Result<RowWriter> create(Database& database);
  /// In place of what the index holds of this file. `words` are those of the clips, in their order.
  Result<void> put(const FileRow& row, const std::vector<std::string>& words);
  Result<void> remove(const std::string& path);
  Result<void> set_stamp(const std::string& path, const std::string& stamp);
  Result<void> set_words(std::int64_t clip, const std::string& words);

 private:
  RowWriter(Database& database, std::vector<Statement> statements)
      : database_(&database), statements_(std::move(statements)) {}
  Database* database_;
  std::vector<Statement> statements_;
};

/// What the index knows of a file.
struct StoredFile {
  std::string stamp, hash, companions, problem;
};
Result<std::map<std::string, StoredFile>> stored_files(Database& database);
Result<std::vector<BrokenFile>> broken_files(Database& database);

/// A row of `SELECT kClipColumns FROM clips JOIN files …`. Fails where a value cannot be one of ours.
extern const std::string_view kClipColumns;
Result<LibraryClip> read_clip_row(const Statement& row, const std::string& index_file);

}  // namespace shosa::library
