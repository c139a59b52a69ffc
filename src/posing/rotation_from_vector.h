#pragma once

#include <cmath>

#include "shosa/core/types.h"

namespace shosa::posing {

/// The rotation by |vector| radians about the vector: the inverse of `rotation_vector`.
inline Quatd rotation_from_vector(const Vec3d& vector) {
  const double angle = vector.norm();
  // sin(angle/2)/angle by its series where the quotient loses digits.
  const double scale = angle < 1e-6 ? 0.5 - angle * angle / 48.0 : std::sin(0.5 * angle) / angle;
  Quatd q;
  q.w() = std::cos(0.5 * angle);
  q.vec() = scale * vector;
  return q;
}

}  // namespace shosa::posing
