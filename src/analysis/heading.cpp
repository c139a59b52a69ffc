#include "shosa/analysis/heading.h"

#include <cmath>
#include <numbers>

#include "shosa/core/rotations.h"

namespace shosa::analysis {
namespace {

/// A line across the body that is steeper than this share of its length no longer tells the heading.
constexpr double kLevelShare = 0.35;

Vec3d across(const body::BodyMap& map, std::span<const Vec3d> joints, body::Role left, body::Role right) {
  if (!map.has(left) || !map.has(right)) return Vec3d::Zero();
  return joints[map.joint(left)] - joints[map.joint(right)];
}

double angle_of(const Vec3d& forward) {
  return heading_of(forward);
}

}  // namespace

double heading_rad(const body::BodyMap& map, std::span<const Vec3d> joints, const Quatd& root_rotation) {
  const Vec3d left = across(map, joints, body::Role::left_upper_leg, body::Role::right_upper_leg) +
                     across(map, joints, body::Role::left_upper_arm, body::Role::right_upper_arm);
  const double length = left.norm();
  if (length > 1e-6) {
    const Vec3d level(left.x(), 0.0, left.z());
    if (level.norm() > kLevelShare * length) return angle_of(level.cross(Vec3d::UnitY()));
    if (map.has(body::Role::hips) && map.has(body::Role::neck)) {
      const Vec3d trunk = joints[map.joint(body::Role::neck)] - joints[map.joint(body::Role::hips)];
      const Vec3d front = left.cross(trunk);
      if (std::hypot(front.x(), front.z()) > 1e-6) return angle_of(front);
    }
  }
  return angle_of(root_rotation * Vec3d::UnitZ());
}

}  // namespace shosa::analysis
