#pragma once

#include <algorithm>
#include <cmath>

#include "shosa/feet/ground.h"

namespace shosa::character {

inline constexpr double kRiseEarly =
    0.6;  ///< Of a swing: a foot is at the height of a higher step after so much of it.

/// Height of a swing's arch: 0 at both ends, 1 in the middle and nearly so from a quarter to three of them, smooth to
/// the rate: what sticks out early on the way takes no higher arch than what does in the middle.
inline double arch(double passed) {
  const double from_middle = 2.0 * std::clamp(passed, 0.0, 1.0) - 1.0;
  const double square = from_middle * from_middle, flat = 1.0 - square * square;
  return flat * flat;
}

/// What is not finite counts as 0.
inline double height_m(const feet::GroundView& ground, const Vec3d& at) {
  const double y = ground(at.x(), at.z()).height_m;
  return std::isfinite(y) ? y : 0.0;
}

}  // namespace shosa::character
