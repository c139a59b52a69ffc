#include "shosa/core/rotations.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shosa {

namespace {
constexpr double kHalfTurn = 1e-6;  // Half the distance from 180 degrees, rad: what single precision leaves.
// Of an axis: one coordinate is more than this, and no common axis has one that is about as much.
constexpr double kNotSmall = 0.4;
}  // namespace

// q = (cos x, sin x / (2 x) v) with x half the angle. For small turns by series that are exact to rounding and need no
// sine.
Quatd exp_rotation(const Vec3d& vector_rad) {
  const double square = 0.25 * vector_rad.squaredNorm();
  double cosine, ratio;  // ratio = sin(x) / x
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
  return Quatd(cosine, 0.5 * ratio * vector_rad.x(), 0.5 * ratio * vector_rad.y(), 0.5 * ratio * vector_rad.z());
}

Vec3d log_rotation(const Quatd& rotation) {
  const double sine = rotation.vec().norm();
  const double sign = rotation.w() < 0.0 ? -1.0 : 1.0;
  if (sine < 1e-9) return 2.0 * sign * rotation.vec();
  // Of half a turn the sign of w is rounding: there one of the two axes is chosen, and the angle may pass 180 degrees.
  if (std::abs(rotation.w()) < kHalfTurn) {
    Eigen::Index first = 0;
    while (first < 2 && std::abs(rotation.vec()(first)) < kNotSmall * sine) ++first;
    const double side = rotation.vec()(first) < 0.0 ? -1.0 : 1.0;
    return (2.0 * std::atan2(sine, side * rotation.w()) / sine * side) * rotation.vec();
  }
  return (2.0 * std::atan2(sine, std::abs(rotation.w())) / sine * sign) * rotation.vec();
}

Eigen::Matrix3d cross_matrix(const Vec3d& v) {
  Eigen::Matrix3d m;
  m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return m;
}

// left = I + (1 - cos a) / a^2 [v]x + (a - sin a) / a^3 [v]x^2, and [v]x^2 = v v^T - a^2.
ExpDerivative exp_derivative(const Vec3d& vector_rad) {
  const double a2 = vector_rad.squaredNorm(), a = std::sqrt(a2);
  const double sine = std::sin(0.5 * a), cosine = std::cos(0.5 * a);
  // The two factors by their series near 0.
  const double first = a > 1e-3 ? 2.0 * sine * sine / a2 : 0.5 - a2 / 24.0;
  const double second = a > 1e-3 ? (a - 2.0 * sine * cosine) / (a2 * a) : 1.0 / 6.0 - a2 / 120.0;
  ExpDerivative result;
  result.turn.w() = cosine;
  result.turn.vec() = (a > 1e-4 ? sine / a : 0.5 - a2 / 48.0) * vector_rad;
  result.left = second * vector_rad * vector_rad.transpose() + first * cross_matrix(vector_rad);
  result.left.diagonal().array() += 1.0 - second * a2;
  return result;
}

Quatd mean_rotation(std::span<const Quatd> rotations, int first, int last) {
  MeanRotation mean;
  for (int i = first; i <= last; ++i) mean.add(rotations[i]);
  return mean.value();
}

// With half the angle h: cos h = sqrt((1 + cosine) / 2), and the cross product has the length sin 2h = 2 sin h cos h.
Quatd shortest_turn(const Vec3d& from, const Vec3d& to) {
  const Vec3d a = from.normalized(), b = to.normalized();
  if (a.isZero(0.0) || b.isZero(0.0)) return Quatd::Identity();
  const double cosine = b.dot(a);
  if (cosine < -1.0 + 1e-12) {  // the cross product has no direction left
    const double half = std::sqrt(0.5 * (1.0 + std::max(cosine, -1.0)));
    const Vec3d axis = std::sqrt(1.0 - half * half) * a.unitOrthogonal();
    return {half, axis.x(), axis.y(), axis.z()};
  }
  const double twice = std::sqrt(2.0 * (1.0 + cosine));
  const Vec3d axis = a.cross(b) * (1.0 / twice);
  return {0.5 * twice, axis.x(), axis.y(), axis.z()};
}

Quatd about_y(double heading_rad) {
  return {std::cos(0.5 * heading_rad), 0.0, std::sin(0.5 * heading_rad), 0.0};
}

double heading_of(const Vec3d& direction) {
  return std::atan2(direction.x(), direction.z());
}

double wrap_angle(double angle_rad) {
  const double wrapped = std::remainder(angle_rad, 2.0 * std::numbers::pi);
  return wrapped <= -std::numbers::pi ? std::numbers::pi : wrapped;
}

}  // namespace shosa
