#include "library/clip_words.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "shosa/core/ascii.h"
#include "shosa/io/files_below.h"
#include "shosa/io/read_text.h"

namespace shosa::library {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestReadme = 8 << 20;
constexpr std::size_t kMostWords = 4000;  // bytes of one clip's

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '`' || c == '*'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// "[walk.bvh](clips/walk.bvh)" is "walk.bvh".
std::string_view cell_text(std::string_view cell) {
  cell = trimmed(cell);
  const auto end = cell.find("](");
  if (cell.starts_with('[') && end != std::string_view::npos) cell = trimmed(cell.substr(1, end - 1));
  return cell;
}

std::vector<std::string_view> lines_of(std::string_view text, char separator) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace

std::string name_words(std::string_view name) {
  std::string words;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i], before = i > 0 ? name[i - 1] : '\0', after = i + 1 < name.size() ? name[i + 1] : '\0';
    const bool hump = is_upper(c) && (is_lower(before) || (is_upper(before) && is_lower(after)));
    const bool number = is_digit(c) != is_digit(before) && (is_letter(c) || is_letter(before));
    if (i > 0 && (hump || number)) words += ' ';
    words += is_letter(c) || is_digit(c) ? c : ' ';
  }
  if (words == name) return words;
  return std::string(name) + ' ' + words;
}

ReadmeWords::ReadmeWords(const fs::path& folder) {
  for (const fs::path& file : io::files_below(folder).files) {
    if (lower_ascii(file.filename().string()) == "readme.md") read(folder, file);
  }
}

void ReadmeWords::read(const fs::path& folder, const fs::path& readme) {
  std::error_code error;
  if (fs::file_size(folder / readme, error) > kLargestReadme || error) return;
  const auto text = io::read_text(folder / readme);
  if (!text) return;
  const fs::path own = readme.parent_path();
  const std::string beside = own.empty() ? "" : own.generic_string() + "/";
  std::string below = beside;
  for (std::string_view line : lines_of(*text, '\n')) {
    line = trimmed(line);
    if (line.starts_with('#')) {
      const std::string heading(trimmed(line.substr(std::min(line.find_first_not_of('#'), line.size()))));
      const bool is_folder = !heading.empty() && heading.find('/') == std::string::npos && heading != "." &&
                             heading != ".." && fs::is_directory(folder / own / heading, error);
      below = is_folder ? beside + heading + "/" : beside;
    }
    if (!line.starts_with('|')) continue;
    Row row{below, {}};
    for (const std::string_view cell : lines_of(line, '|'))
      if (const std::string_view said = cell_text(cell); !said.empty()) row.cells.emplace_back(said);
    for (const std::string& cell : row.cells) by_cell_.emplace(cell, rows_.size());
    rows_.push_back(std::move(row));
  }
}

std::string ReadmeWords::words_of(const std::string& file) const {
  const fs::path path(file);
  std::set<std::string> names = {path.filename().string(), path.stem().string()};
  // Its path from any folder above on.
  for (std::size_t at = 0; at != std::string::npos; at = file.find('/', at + 1))
    names.insert(file.substr(at == 0 ? 0 : at + 1));
  std::string words;
  std::set<std::size_t> seen;
  for (const std::string& name : names) {
    const auto [begin, end] = by_cell_.equal_range(name);
    for (auto found = begin; found != end; ++found) {
      const Row& row = rows_[found->second];
      if (!file.starts_with(row.below) || !seen.insert(found->second).second) continue;
      for (const std::string& cell : row.cells) {
        if (names.contains(cell) || std::ranges::none_of(cell, is_letter) || words.size() > kMostWords) continue;
        words += (words.empty() ? "" : " ") + cell;
      }
    }
  }
  return words;
}

std::string clip_words(const std::string& file, const std::string& clip_name, const ReadmeWords& readme) {
  const fs::path path(file);
  std::string words;
  const auto add = [&](const std::string& more) {
    if (!more.empty()) words += (words.empty() ? "" : " ") + more;
  };
  for (const fs::path& folder : path.parent_path()) add(name_words(folder.string()));
  add(name_words(path.stem().string()));
  if (clip_name != path.stem().string()) add(name_words(clip_name));
  add(readme.words_of(file));
  return words;
}

}  // namespace shosa::library
