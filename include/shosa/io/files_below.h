#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/core/ascii.h"

namespace shosa::io {

struct FilesBelow {
  std::vector<std::filesystem::path> files;  ///< Sorted.
  /// Folders that could not be read (or not to their end), and links that lead out of the folder: what somebody who
  /// needs everything must not pass over. Sorted.
  std::vector<std::filesystem::path> closed, outside;
};

/// Regular files below a folder, relative to it. Hidden files and folders are left out, folders that are links are not
/// entered; a link to a file outside is among `files` too. What vanishes meanwhile is not there.
FilesBelow files_below(const std::filesystem::path& folder);

/// ".glb" for "Fox.GLB".
inline std::string lower_extension(const std::filesystem::path& path) {
  return lower_ascii(path.extension().string());
}

/// By its name: a file that holds a motion and can be read alone (a skeleton without motion is none).
inline bool is_clip_file(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 6> kClips = {".bvh", ".amc", ".glb", ".gltf", ".vrma", ".fbx"};
  return std::ranges::find(kClips, lower_extension(path)) != kClips.end();
}

/// Whether a path begins with a folder's; both canonical.
bool lies_below(const std::filesystem::path& path, const std::filesystem::path& folder);

/// True where a path from somewhere else is relative and stays below its folder, as far as its text says.
bool stays_below(const std::string& path);

}  // namespace shosa::io
