#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "shosa/core/types.h"

namespace shosa::io {

inline constexpr double kDegPerRad = 180.0 / std::numbers::pi;

/// Sine and cosine of half of an angle in degrees, to about 1e-13.
///
/// The half angle is brought into ±45° in degrees, where whole quarter turns are exact, then Taylor series.
inline void half_angle_sincos(double angle_deg, double& sine, double& cosine) {
  if (!(std::abs(angle_deg) < 1e9)) angle_deg = std::fmod(angle_deg, 720.0);
  const double half_deg = 0.5 * angle_deg;
  // Adding and taking away 1.5 * 2^52 rounds to the nearest integer.
  constexpr double kRound = 6755399441055744.0;
  const double quarter_turns = (half_deg * (1.0 / 90.0) + kRound) - kRound;
  const double r = (half_deg - quarter_turns * 90.0) * (std::numbers::pi / 180.0);
  const double r2 = r * r;
  const double s =
      r * (1.0 + r2 * (-1.0 / 6 +
                       r2 * (1.0 / 120 + r2 * (-1.0 / 5040 + r2 * (1.0 / 362880 + r2 * (-1.0 / 39916800 +
                                                                                        r2 * (1.0 / 6227020800.0)))))));
  const double c =
      1.0 +
      r2 * (-1.0 / 2 +
            r2 * (1.0 / 24 +
                  r2 * (-1.0 / 720 + r2 * (1.0 / 40320 + r2 * (-1.0 / 3628800 + r2 * (1.0 / 479001600.0 +
                                                                                      r2 * (-1.0 / 87178291200.0)))))));
  const auto k = static_cast<std::int64_t>(quarter_turns);
  const double swapped_s = (k & 1) ? c : s;
  const double swapped_c = (k & 1) ? s : c;
  sine = (k & 2) ? -swapped_s : swapped_s;
  cosine = ((k + 1) & 2) ? -swapped_c : swapped_c;
}

/// q := q * turn about the own axis (0 x, 1 y, 2 z) by an angle given by the sine and cosine of its half.
inline void turn_about_axis(Quatd& q, int axis, double s, double c) {
  const double x = q.x(), y = q.y(), z = q.z(), w = q.w();
  switch (axis) {
    case 0:
      q.coeffs() << x * c + w * s, y * c + z * s, z * c - y * s, w * c - x * s;
      break;
    case 1:
      q.coeffs() << x * c - z * s, y * c + w * s, z * c + x * s, w * c - y * s;
      break;
    default:
      q.coeffs() << x * c + y * s, y * c - x * s, z * c + w * s, w * c - z * s;
      break;
  }
}

/// q := q * turn about the own axis by `angle_deg`.
inline void turn_about_axis_deg(Quatd& q, int axis, double angle_deg) {
  double s = 0.0;
  double c = 1.0;
  half_angle_sincos(angle_deg, s, c);
  turn_about_axis(q, axis, s, c);
}

/// Three turns about three different own axes, first to last.
using EulerOrder = std::array<int, 3>;

/// Degrees about `order`'s axes whose product is `rotation`, of all such triples the one nearest to `previous_deg`.
///
/// There are two triples up to whole turns. Where the middle angle stands within 2e-7 rad of ±90° only the sum or
/// difference of the outer two is defined; the first then keeps its previous value.
inline Vec3d euler_deg(const Quatd& rotation, const EulerOrder& order, const Vec3d& previous_deg) {
  const auto [i, j, k] = order;
  const double sign = (j - i == 1 || j - i == -2) ? 1.0 : -1.0;
  const Eigen::Matrix3d m = rotation.normalized().toRotationMatrix();
  // R = R_i(a) R_j(b) R_k(c):  m(i,k) = sign sin b,  m(i,i) = cos b cos c,  m(i,j) = -sign cos b sin c,
  //                            m(k,k) = cos a cos b,  m(j,k) = -sign sin a cos b.
  const double cos_b = std::hypot(m(i, i), m(i, j));
  const double sin_b = sign * m(i, k);
  const auto nearest_turn = [](double angle_deg, double target_deg) {
    return angle_deg + 360.0 * std::round((target_deg - angle_deg) / 360.0);
  };

  if (cos_b < 2e-7) {
    // With sin b = ±1:  m(j,j) = cos(a ± sign c),  sign m(k,j) = sin(a ± sign c).
    const double turn_deg = std::atan2(sign * m(k, j), m(j, j)) * kDegPerRad;
    const double b = nearest_turn(sin_b > 0 ? 90.0 : -90.0, previous_deg[1]);
    const double a = previous_deg[0];
    const double c = sign * sin_b > 0 ? turn_deg - a : a - turn_deg;
    return {a, b, nearest_turn(c, previous_deg[2])};
  }

  const double a1 = std::atan2(-sign * m(j, k), m(k, k)) * kDegPerRad;
  const double b1 = std::atan2(sin_b, cos_b) * kDegPerRad;
  const double c1 = std::atan2(-sign * m(i, j), m(i, i)) * kDegPerRad;
  const auto near_previous = [&](const Vec3d& angles) {
    return Vec3d(nearest_turn(angles[0], previous_deg[0]), nearest_turn(angles[1], previous_deg[1]),
                 nearest_turn(angles[2], previous_deg[2]));
  };
  const Vec3d first = near_previous({a1, b1, c1});
  const Vec3d second = near_previous({a1 + 180.0, 180.0 - b1, c1 + 180.0});
  return (second - previous_deg).squaredNorm() < (first - previous_deg).squaredNorm() ? second : first;
}

}  // namespace shosa::io
