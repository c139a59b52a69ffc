#pragma once

#include <cstring>

#include "shosa/core/clip.h"

namespace shosa::test {

/// To the bit.
inline bool same_frame(const Clip& a, const Clip& b, int f) {
  const auto floats = static_cast<std::size_t>(block_count(a.joint_count())) * 4 * kLanes;
  return std::memcmp(a.rotation_lanes(f), b.rotation_lanes(f), floats * sizeof(float)) == 0 &&
         std::memcmp(a.translation_values(f), b.translation_values(f), a.translated().size() * 3 * sizeof(float)) == 0;
}

}  // namespace shosa::test
