#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace shosa::library {

/// A name as words: "HappyGoLuckWalk_02.bvh" is "HappyGoLuckWalk_02 Happy Go Luck Walk 02".
std::string name_words(std::string_view name);

/// What the README files of a folder say of its clips, in tables as Markdown has them.
///
/// A row belongs to a file when one of its cells is the file's name, with or without extension, or its path from the
/// README on; the words are its other cells that hold a letter. A table below a heading that is the name of a folder
/// beside the README speaks of files in that folder only.
class ReadmeWords {
 public:
  /// Reads every README.md, in any case, below `folder`, hidden folders left out. Those that cannot be read say
  /// nothing.
  explicit ReadmeWords(const std::filesystem::path& folder);

  /// `file` is relative to the folder, with forward slashes.
  std::string words_of(const std::string& file) const;

 private:
  struct Row {
    std::string below;  ///< Folder, relative, with a slash at its end; empty: the whole.
    std::vector<std::string> cells;
  };
  void read(const std::filesystem::path& folder, const std::filesystem::path& readme);

  std::vector<Row> rows_;
  std::multimap<std::string, std::size_t> by_cell_;
};

/// All words of a clip: folders, file name, the clip's own name, and the README's.
std::string clip_words(const std::string& file, const std::string& clip_name, const ReadmeWords& readme);

}  // namespace shosa::library
