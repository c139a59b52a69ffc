#pragma once

#include <span>
#include <string_view>

namespace shosa::motions {

struct Text {
  std::string_view name;
  std::string_view text;
};

/// The descriptions of `motions/descriptions`, built into the program, in the order of motions/CMakeLists.txt.
std::span<const Text> texts();

}  // namespace shosa::motions
