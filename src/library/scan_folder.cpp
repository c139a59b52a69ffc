#include "library/scan_folder.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "shosa/io/files_below.h"

namespace shosa::library {

namespace {

namespace fs = std::filesystem;

struct State {
  std::int64_t bytes = 0, time_ns = 0;
};
State state_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return {status.st_size, static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec};
}

}  // namespace

Result<ClipFiles> clip_files(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return fail(ErrorCode::cannot_read, "{}: is no folder that can be read", folder.string());
  const io::FilesBelow below = io::files_below(folder);
  const std::vector<fs::path>& files = below.files;
  std::map<fs::path, std::vector<fs::path>> skeletons;
  for (const fs::path& file : files)
    if (io::lower_extension(file) == ".asf") skeletons[file.parent_path()].push_back(file);

  ClipFiles clips;
  for (const fs::path& path : below.closed) clips.closed.push_back(path.generic_string());
  for (const fs::path& file : files) {
    const std::string extension = io::lower_extension(file);
    if (!io::is_clip_file(file)) continue;
    ClipFile clip;
    clip.path = file.generic_string();
    const auto add = [&](const fs::path& path) {
      const State state = state_of(folder / path);
      clip.stamp += fmt::format("{}{}:{}", clip.stamp.empty() ? "" : ";", state.bytes, state.time_ns);
      clip.newest_ns = std::max(clip.newest_ns, state.time_ns);
      if (path == file) clip.bytes = state.bytes;
    };
    add(file);
    if (extension == ".amc")
      for (const fs::path& skeleton : skeletons[file.parent_path()])
        clip.companions.push_back(skeleton.generic_string());
    if (extension == ".gltf") {
      const fs::path buffer = fs::path(file).replace_extension(".bin");
      if (std::ranges::binary_search(files, buffer)) clip.companions.push_back(buffer.generic_string());
    }
    for (const std::string& companion : clip.companions) add(companion);
    clips.files.push_back(std::move(clip));
  }
  return clips;
}

}  // namespace shosa::library
