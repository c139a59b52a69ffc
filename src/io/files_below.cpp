#include "shosa/io/files_below.h"

#include <algorithm>

namespace shosa::io {

namespace fs = std::filesystem;

FilesBelow files_below(const fs::path& folder) {
  FilesBelow found;
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  std::vector<fs::path> folders = {fs::path()};
  while (!folders.empty()) {
    const fs::path here = std::move(folders.back());
    folders.pop_back();
    fs::directory_iterator entry(folder / here, error), end;
    for (; !error && entry != end; entry.increment(error)) {
      const fs::path name = entry->path().filename(), path = here / name;
      std::error_code gone;
      if (name.string().starts_with('.')) continue;
      const bool link = entry->is_symlink(gone);
      if (!link && entry->is_directory(gone)) folders.push_back(path);
      if (!entry->is_regular_file(gone)) continue;
      if (link && !lies_below(fs::canonical(entry->path(), gone), real)) found.outside.push_back(path);
      found.files.push_back(path);
    }
    if (error && error != std::errc::no_such_file_or_directory) found.closed.push_back(here.empty() ? "." : here);
  }
  for (auto* const list : {&found.files, &found.closed, &found.outside}) std::ranges::sort(*list);
  return found;
}

bool lies_below(const fs::path& path, const fs::path& folder) {
  return std::ranges::mismatch(folder, path).in1 == folder.end();
}

bool stays_below(const std::string& path) {
  if (path.empty() || path.front() == '/' || path.find('\0') != std::string::npos) return false;
  return std::ranges::none_of(fs::path(path), [](const fs::path& part) { return part == ".."; });
}

}  // namespace shosa::io
