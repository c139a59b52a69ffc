#pragma once

#include <algorithm>
#include <filesystem>
#include <string>

namespace shosa::io {

/// A to Z only, whatever the locale.
inline char lower_ascii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

/// ".glb" for "Fox.GLB".
inline std::string lower_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), lower_ascii);
  return extension;
}

}  // namespace shosa::io
