#pragma once

#include <cstddef>

#include "shosa/core/aligned.h"

namespace shosa::io {

/// Positions beyond this are taken for broken numbers; single precision holds them and their sums.
inline constexpr double kFarthest_m = 1e12;

/// Products of a few positions in file units below this are finite; no unit brings a larger one within `kFarthest_m`.
inline constexpr double kLargestPosition = 1e60;

/// More than this for the samples of a text of `text_bytes` is taken for an attack, not a motion.
inline bool clip_is_too_large(int joint_count, std::size_t frame_count, std::size_t text_bytes) {
  const double bytes_per_frame = sizeof(float) * (4.0 * kLanes * block_count(joint_count) + 3.0 * joint_count);
  return bytes_per_frame * static_cast<double>(frame_count) >
         64.0 * 1024 * 1024 + 64.0 * static_cast<double>(text_bytes);
}

}  // namespace shosa::io
