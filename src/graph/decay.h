#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "shosa/core/types.h"

namespace shosa::graph {

/// A difference that dies out: from x0 with rate v0 to nothing, with no rate and no change of rate at the end.
///
/// The rate dies out first, over `kRate_s`, which leaves the difference at x0 + v0 kRate_s / 2; that goes along the
/// minimum-jerk step p over the length. With h = 1 - p and G its integral from u to 1:
///     x(t) = (x0 + v0 R / 2) p(t / length) - v0 R G(t / R).
/// Nothing swings beyond: |x'| <= |v0| at first, then 1.875 |x0 + v0 R / 2| / length.
class Decay {
 public:
  static constexpr double kRate_s = 0.15;
  /// What is left when the rate has died out.
  static Vec3d left(const Vec3d& x0, const Vec3d& v0) { return x0 + (0.5 * kRate_s) * v0; }

  void start(const Vec3d& x0, const Vec3d& v0, double length_s) {
    left_ = left(x0, v0), v0_ = v0, length_s_ = std::max(length_s, kRate_s), time_s_ = 0.0;
  }
  void advance(double time_s) { time_s_ += time_s; }
  bool is_over() const { return time_s_ >= length_s_; }

  Vec3d value() const {
    if (is_over()) return Vec3d::Zero();
    const double s = time_s_ / length_s_;
    Vec3d value = left_ * (1.0 - s * s * s * (10.0 - 15.0 * s + 6.0 * s * s));
    if (time_s_ < kRate_s) {
      const double u = time_s_ / kRate_s, u4 = u * u * u * u;
      value -= v0_ * (kRate_s * (0.5 - u + u4 * (2.5 - 3.0 * u + u * u)));
    }
    return value;
  }

 private:
  Vec3d left_ = Vec3d::Zero(), v0_ = Vec3d::Zero();
  double length_s_ = 0.0, time_s_ = 0.0;
};

/// How long a difference must last so that it adds no more than `speed` (same unit per second) to a motion.
inline double decay_length_s(double size, double speed) {
  return 1.875 * size / speed;
}

/// Rotation vector of a rotation, |angle| <= pi.
inline Vec3d rotation_vector(const Quatd& q) {
  const double sign = q.w() < 0.0 ? -1.0 : 1.0;
  const Vec3d v = sign * q.vec();
  const double sine = v.norm();
  if (sine < 1e-12) return 2.0 * v;
  return v * (2.0 * std::atan2(sine, sign * q.w()) / sine);
}

inline Quatd rotation_of(const Vec3d& vector) {
  const double angle = vector.norm();
  if (angle < 1e-12) return Quatd(1.0, 0.5 * vector.x(), 0.5 * vector.y(), 0.5 * vector.z()).normalized();
  return Quatd(Eigen::AngleAxisd(angle, vector / angle));
}

/// `vector` plus a whole turn where that lies nearer to `before`: what a difference was a frame ago.
inline Vec3d unwound(const Vec3d& vector, const Vec3d& before) {
  const double angle = vector.norm();
  if (angle < 1e-9) return vector;
  const Vec3d other = vector * (1.0 - 2.0 * M_PI / angle);
  return (other - before).squaredNorm() < (vector - before).squaredNorm() ? other : vector;
}

/// The turn about +Y in a rotation.
inline double heading_of(const Quatd& q) {
  return 2.0 * std::atan2(q.y(), q.w());
}

inline Quatd about_y(double heading_rad) {
  return Quatd(Eigen::AngleAxisd(heading_rad, Vec3d::UnitY()));
}

}  // namespace shosa::graph
