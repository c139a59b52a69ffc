#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace shosa {

/// JSON is taken down and written back level by level, so nesting must not exceed what a stack holds.
inline constexpr int kMaxJsonDepth = 128;

/// The byte at which a JSON text goes deeper than `kMaxJsonDepth` levels; empty when it never does.
inline std::optional<std::size_t> too_deep_at(std::string_view json) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMaxJsonDepth) return i;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return std::nullopt;
}

}  // namespace shosa
