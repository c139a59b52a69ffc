#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shosa/library/clip_facts.h"

namespace shosa::library {

class Database;

/// The index of a folder of clips: one SQLite file. The clips are the truth, the index can be made anew at any time.
/// How it works, what it costs and where it fails: docs/library.md

/// Where the index of a folder lies unless it is said otherwise: FOLDER/.shosa/index.db
std::filesystem::path usual_index_file(const std::filesystem::path& folder);

/// The layout that this program writes. Older ones are brought up to it, newer ones refused.
inline constexpr int kIndexVersion = 2;

struct IndexParams {
  std::filesystem::path index_file;  ///< `usual_index_file` when empty. Its folder must be there.
  bool rebuild = false;              ///< Begins with an empty index, whatever stands there.
  /// Called between files, from the calling thread: how many are done, of how many, and which comes next.
  std::function<void(std::size_t done, std::size_t total, const std::string& file)> progress;
};

struct BrokenFile {
  std::string file;
  std::string problem;
};

struct IndexReport {
  std::string index_file;
  int files = 0;                   ///< Below the folder.
  int clips = 0;                   ///< In the index at the end.
  int read = 0;                    ///< Files that were new or had changed.
  int unchanged = 0;               ///< By size and time, or by content.
  int removed = 0;                 ///< Files that are not there any more.
  std::vector<BrokenFile> broken;  ///< Files that could not be read; the index keeps them as such.
};

/// Brings the index of a folder up to date.
///
/// Files whose size and time are as they were are not opened; those whose content is as it was are not studied. The
/// rest is read and studied on all cores, in the order of their names, and kept in small transactions: whenever the
/// program is stopped, the index holds what was finished, and the next call goes on. Broken files are passed over and
/// listed. Words of the README files are compared each time. Fails when the folder cannot be read, the index cannot be
/// written, is newer than `kIndexVersion` or is no index, or another program is indexing into the same file.
Result<IndexReport> index_folder(const std::filesystem::path& folder, const IndexParams& params = {});

/// A clip in an index.
struct LibraryClip {
  std::int64_t id = 0;
  std::string file;  ///< Relative to the folder, with forward slashes.
  int take = 0;      ///< Its number in the file.
  std::string hash;  ///< Of the file's content.
  std::string words;
  ClipFacts facts;  ///< Without features.
};

/// Bounds of a fact, both included; a bound that is left out is open.
struct Range {
  std::optional<double> low, high;
  bool contains(double value) const { return (!low || value >= *low) && (!high || value <= *high); }
};

/// Which clips: everything that is given must hold.
struct Filter {
  std::string words;  ///< Every word must be there, or begin a word that is; any case, English endings left out.
  std::optional<body::BodyKind> kind;
  std::optional<Range> speed_mps, length_s, turn_deg;
  bool flight = false;              ///< Leaves the ground.
  bool cycle = false;               ///< Has a cycle of steps.
  std::optional<std::string> file;  ///< This file only.
};

/// An index that is open for reading. Several programs may have it open, also while one writes.
class Library {
 public:
  /// Fails when there is no index, it is no index of ours, or another version than `kIndexVersion` (the message says
  /// what to do).
  static Result<Library> open(const std::filesystem::path& folder, const std::filesystem::path& index_file = {});
  Library(Library&&) noexcept;
  Library& operator=(Library&&) noexcept;
  ~Library();

  const std::filesystem::path& folder() const { return folder_; }
  const std::filesystem::path& index_file() const { return index_file_; }

  /// By words: the best fit first; otherwise by file. O(clips).
  Result<std::vector<LibraryClip>> clips(const Filter& filter = {}) const;
  /// Features of a clip, kFeatureCount values a frame.
  Result<std::vector<Feature>> features(std::int64_t id) const;
  Result<std::vector<BrokenFile>> broken() const;

  /// For `find`.
  Database& database() const { return *database_; }

 private:
  Library(std::filesystem::path folder, std::filesystem::path index_file, std::unique_ptr<Database> database);
  std::filesystem::path folder_, index_file_;
  std::unique_ptr<Database> database_;
};

/// What is wrong with an index.
struct IndexProblem {
  std::string file;  ///< Of the folder, or the index itself.
  std::string message;
};
/// Compares an index with its folder (new, changed and missing files, files that could not be read) and looks whether
/// it is whole. `contents`: reads every file, so that a change is noticed that kept size and time. Fails only where
/// the folder cannot be read.
Result<std::vector<IndexProblem>> check_index(const std::filesystem::path& folder,
                                              const std::filesystem::path& index_file = {}, bool contents = false);

}  // namespace shosa::library
