#pragma once

#include <optional>

#include "shosa/core/types.h"

namespace shosa::retarget {

/// The rotation that takes the directions `a` (exactly) and `b` (as far as it is perpendicular) to `to_a` and `to_b`.
inline std::optional<Quatd> two_axes(const Vec3d& a, const Vec3d& b, const Vec3d& to_a, const Vec3d& to_b) {
  const auto frame = [](const Vec3d& first, const Vec3d& second) -> std::optional<Eigen::Matrix3d> {
    if (first.norm() < 1e-9) return std::nullopt;
    Eigen::Matrix3d m;
    m.col(0) = first.normalized();
    const Vec3d rest = second - second.dot(m.col(0)) * m.col(0);
    if (rest.norm() < 1e-6) return std::nullopt;
    m.col(1) = rest.normalized();
    m.col(2) = m.col(0).cross(m.col(1));
    return m;
  };
  const auto from = frame(a, b), to = frame(to_a, to_b);
  if (!from || !to) return std::nullopt;
  return Quatd(*to * from->transpose()).normalized();
}

}  // namespace shosa::retarget
