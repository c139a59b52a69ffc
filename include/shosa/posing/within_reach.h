#pragma once

#include <cmath>

#include "shosa/core/clip.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::posing {

/// Where a limb is led that reaches for a target, which may be beyond what the body can do.
///
/// A stretched limb ends on the sphere of its length about its top. What is missing to the target, n, the body gives by
/// bending: m = |(n_x / h, n_y / v, n_z / h)| is 1 where it does all it can over standing feet, with h = 0.6 leg
/// lengths, v = 1.1 downwards and 0.1 upwards (people lean less far than they bend down, and stand nearly straight
/// already). Up to m = 1 the target itself is led to. Beyond, the body bends less and less for what it will not get,
/// and from m = 2 on the limb alone points at it.
inline Vec3d within_reach(const Vec3d& top_m, double limb_m, const Vec3d& target_m, double leg_m) {
  constexpr double kLean = 0.6, kBendDown = 1.1, kStretchUp = 0.1;
  const Vec3d way = target_m - top_m;
  const double far = way.norm();
  if (far <= limb_m) return target_m;
  const Vec3d missing = way * (1.0 - limb_m / far);
  const double upright = missing.y() < 0.0 ? kBendDown : kStretchUp;
  const double m = std::hypot(missing.x() / kLean, missing.y() / upright, missing.z() / kLean) / leg_m;
  return target_m - minimum_jerk_step(m - 1.0) * missing;
}

}  // namespace shosa::posing
