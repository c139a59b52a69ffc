#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/core/ascii.h"

namespace shosa::io {

/// Regular files below a folder, relative to it, sorted; hidden files and folders are left out, folders that are links
/// are not entered, those that may not be read are passed over.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder);

/// ".glb" for "Fox.GLB".
inline std::string lower_extension(const std::filesystem::path& path) {
  return lower_ascii(path.extension().string());
}

/// By its name: a file that holds a motion and can be read alone (a skeleton without motion is none).
inline bool is_clip_file(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 6> kClips = {".bvh", ".amc", ".glb", ".gltf", ".vrma", ".fbx"};
  return std::ranges::find(kClips, lower_extension(path)) != kClips.end();
}

/// True where a path from somewhere else is relative and stays below its folder, as far as its text says.
bool stays_below(const std::string& path);

}  // namespace shosa::io
