#pragma once

#include <cmath>
#include <vector>

#include "shosa/core/types.h"

namespace shosa::segment {

/// Rotation vector of a unit quaternion, length in [0, pi].
inline Vec3d log_rotation(const Quatd& q) {
  const double sine = q.vec().norm();
  const double w = q.w() < 0.0 ? -q.w() : q.w();
  const double sign = q.w() < 0.0 ? -1.0 : 1.0;
  if (sine < 1e-9) return 2.0 * sign * q.vec();
  return sign * 2.0 * std::atan2(sine, w) / sine * q.vec();
}

/// The inverse. The series below is exact to rounding for small turns and needs no sine.
inline Quatd exp_rotation(const Vec3d& v) {
  const double square = 0.25 * v.squaredNorm();
  double cosine, ratio;  // ratio = sin(x) / x, x half the angle
  if (square < 0.0625) {
    ratio = 1.0 - square / 6.0 *
                      (1.0 - square / 20.0 * (1.0 - square / 42.0 * (1.0 - square / 72.0 * (1.0 - square / 110.0))));
    cosine = 1.0 - square / 2.0 *
                       (1.0 - square / 12.0 * (1.0 - square / 30.0 * (1.0 - square / 56.0 * (1.0 - square / 90.0))));
  } else {
    const double x = std::sqrt(square);
    ratio = std::sin(x) / x;
    cosine = std::cos(x);
  }
  return Quatd(cosine, 0.5 * ratio * v.x(), 0.5 * ratio * v.y(), 0.5 * ratio * v.z());
}

/// The mean of frames `first` to `last`, both included; they must lie near each other.
inline Quatd mean_rotation(const std::vector<Quatd>& turns, int first, int last) {
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  for (int f = first; f <= last; ++f) {
    const Eigen::Vector4d& q = turns[f].coeffs();
    sum += q.dot(turns[first].coeffs()) < 0.0 ? Eigen::Vector4d(-q) : q;
  }
  Quatd mean;
  mean.coeffs() = sum.normalized();
  return mean;
}

}  // namespace shosa::segment
