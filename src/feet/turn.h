#pragma once

#include <cmath>

#include "shosa/core/types.h"

namespace shosa::feet {

/// The rotation by |vector| radians about the vector.
inline Quatd turn_by(const Vec3d& vector) {
  const double angle = vector.norm();
  // sin(angle/2)/angle by its series where the quotient loses digits.
  const double scale = angle < 1e-6 ? 0.5 - angle * angle / 48.0 : std::sin(0.5 * angle) / angle;
  Quatd q;
  q.w() = std::cos(0.5 * angle);
  q.vec() = scale * vector;
  return q;
}

/// The shorter of the two rotation vectors of a unit quaternion.
inline Vec3d turn_vector(const Quatd& q) {
  const double sine = q.vec().norm(), cosine = std::abs(q.w());
  const double scale = sine < 1e-9 ? 2.0 : 2.0 * std::atan2(sine, cosine) / sine;
  return (q.w() < 0.0 ? -scale : scale) * q.vec();
}

inline Eigen::Matrix3d cross_matrix(const Vec3d& v) {
  Eigen::Matrix3d m;
  m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return m;
}

/// d(turn_by(w) v) / dw = -[turn_by(w) v]x J, with J the left Jacobian of the rotation vector.
inline Eigen::Matrix3d turned_by_turn(const Vec3d& w, const Vec3d& turned) {
  const double angle = w.norm();
  const Eigen::Matrix3d k = cross_matrix(w);
  const double a = angle < 1e-4 ? 0.5 : (1.0 - std::cos(angle)) / (angle * angle);
  const double b = angle < 1e-4 ? 1.0 / 6.0 : (angle - std::sin(angle)) / (angle * angle * angle);
  return -cross_matrix(turned) * (Eigen::Matrix3d::Identity() + a * k + b * k * k);
}

}  // namespace shosa::feet
