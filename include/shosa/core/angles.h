#pragma once

#include <cmath>
#include <numbers>

#include "shosa/core/types.h"

namespace shosa {

/// People type and read degrees; everything inside is in radians.
inline constexpr double kRadPerDeg = std::numbers::pi / 180.0, kDegPerRad = 180.0 / std::numbers::pi;

/// The angle between two directions, in [0, pi]; neither need be unit. Exact for small angles too, as acos is not.
inline double angle_between(const Vec3d& a, const Vec3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

/// What of a vector is horizontal.
inline Vec3d level(const Vec3d& v) {
  return {v.x(), 0.0, v.z()};
}

/// Its direction seen from above, unit; zero for a vector that is vertical.
inline Vec3d level_direction(const Vec3d& v) {
  const Vec3d flat = level(v);
  return flat.norm() > 1e-6 ? Vec3d(flat.normalized()) : Vec3d(Vec3d::Zero());
}

/// The unit vector towards a heading: 0 = +Z, positive towards +X. `heading_of` (rotations.h) is its inverse.
inline Vec3d toward(double heading_rad) {
  return {std::sin(heading_rad), 0.0, std::cos(heading_rad)};
}

}  // namespace shosa
