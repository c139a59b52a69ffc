#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "shosa/core/result.h"

namespace shosa::library {

/// A clip file, and the state of it and of what is read with it, as the file system tells without opening anything.
struct ClipFile {
  std::string path;                     ///< Relative, with forward slashes.
  std::string stamp;                    ///< Sizes and times of change of the file and of its companions.
  std::int64_t newest_ns = 0;           ///< The latest of those times, since 1970.
  std::int64_t bytes = 0;               ///< Of the file itself.
  std::vector<std::string> companions;  ///< Skeletons of an .amc, the .bin of a .gltf; relative.
};

struct ClipFiles {
  std::vector<ClipFile> files;      ///< Sorted by path.
  std::vector<std::string> closed;  ///< Folders that could not be read; relative.
};
/// All clips below a folder. Fails when it is no folder.
Result<ClipFiles> clip_files(const std::filesystem::path& folder);
inline constexpr const char* kClosed = "the folder cannot be read";

}  // namespace shosa::library
