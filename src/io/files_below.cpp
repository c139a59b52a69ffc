#include "shosa/io/files_below.h"

#include <algorithm>

namespace shosa::io {

namespace fs = std::filesystem;

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && entry != end; entry.increment(error)) {
    const bool hidden = entry->path().filename().string().starts_with('.');
    std::error_code ignored;
    if (hidden && entry->is_directory(ignored)) entry.disable_recursion_pending();
    if (!hidden && entry->is_regular_file(ignored)) files.push_back(entry->path().lexically_relative(folder));
  }
  std::ranges::sort(files);
  return files;
}

bool stays_below(const std::string& path) {
  if (path.empty() || path.front() == '/' || path.find('\0') != std::string::npos) return false;
  return std::ranges::none_of(fs::path(path), [](const fs::path& part) { return part == ".."; });
}

}  // namespace shosa::io
