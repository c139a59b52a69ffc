#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shosa/library/filter_text.h"
#include "shosa/library/find.h"
#include "verb.h"

namespace shosa::cli {

void add_library_filter(CLI::App& verb, library::FilterText& filter);

/// `--from-library DIR` with the options of a filter: clips that stand for file names.
struct FromLibrary {
  std::string folder, index;
  library::FilterText filter;
};
void add_from_library(CLI::App& verb, FromLibrary& from);
/// The files that it means, by name, each once; none where it was not given. Fails where nothing fits.
Result<std::vector<std::string>> files_from_library(const FromLibrary& from);

/// `library find`.
struct FindOptions {
  std::string folder, index;
  library::FilterText filter;
  std::string like, pose, follows, picture;
  int limit = 20, per_clip = 1;
  bool mirrored = false;
};
void add_find_options(CLI::App& verb, FindOptions& options);
Result<Report> find_in_library(const FindOptions& options);

/// A clip of an index, as `list` and `show` give it.
nlohmann::ordered_json describe_clip(const library::LibraryClip& clip);
/// A line of a table: name, body, length, speed, turn.
std::string clip_line(const library::LibraryClip& clip);
/// A file, and which of its takes where it is not the first.
std::string take_name(const std::string& file, int take);

}  // namespace shosa::cli
