#pragma once

#include <cmath>

namespace shosa {

/// How many samples a motion has at a rate when its last one stands, at its own rate, at `last_time_s`. That one is
/// kept where it falls on the new grid but for the rounding of a frame time: 0.0083333 s are 1/120.
inline double frames_at(double last_time_s, double fps) {
  return std::floor(last_time_s * fps * (1.0 + 1e-5) + 1e-3) + 1.0;
}

}  // namespace shosa
