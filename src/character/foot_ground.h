#pragma once

#include <algorithm>
#include <cmath>

#include "shosa/feet/ground.h"

namespace shosa::character {

/// Height of a swing's arch: 0 at both ends, 1 in the middle and nearly so from a quarter to three of them, smooth to
/// the rate: what sticks out early on the way takes no higher arch than what does in the middle.
inline double arch(double passed) {
  const double from_middle = 2.0 * std::clamp(passed, 0.0, 1.0) - 1.0;
  const double square = from_middle * from_middle, flat = 1.0 - square * square;
  return flat * flat;
}

inline constexpr double kMostPush_mps2 = 60.0;  ///< Of a foot that is led elsewhere on its way, for a leg of 0.85 m.

inline constexpr double kMostSpin_radps2 = 200.0;  ///< Of a foot that is turned on its way.

/// A foot takes at least this long for a way at the speed that it has: what is asked of it too late it does not do
/// before it lands. The smoothest way over T takes accelerations up to 5.77 way / T^2 from rest, 3.94 speed / T to it.
inline double least_s(double way, double speed, double most_acceleration) {
  return std::max(std::sqrt(5.77 * way / most_acceleration), 3.94 * speed / most_acceleration);
}

/// What is not finite counts as 0.
inline double height_m(const feet::GroundView& ground, const Vec3d& at) {
  const double y = ground(at.x(), at.z()).height_m;
  return std::isfinite(y) ? y : 0.0;
}

inline constexpr double kStumbles_m = 0.04;  ///< Ground that rises less stops no foot.

inline constexpr double kSoftEnd = 0.01;  ///< Of the leg's length: over which a leg comes to its end.

/// What a leg of length `most` is short of for a distance, smoothly from 0.
inline double short_of(double distance_m, double most_m, double soft_m) {
  const double x = (distance_m - most_m) / soft_m;
  return x > 30.0 ? distance_m - most_m : soft_m * std::log1p(std::exp(x));
}

}  // namespace shosa::character
