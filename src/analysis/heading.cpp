#include "shosa/analysis/heading.h"

#include <cmath>

#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"

namespace shosa::analysis {
namespace {

/// A line across the body that is steeper than this share of its length no longer tells the heading.
constexpr double kLevelShare = 0.35;

Vec3d across(const body::BodyMap& map, std::span<const Vec3d> joints, body::Role left, body::Role right) {
  if (!map.has(left) || !map.has(right)) return Vec3d::Zero();
  return joints[map.joint(left)] - joints[map.joint(right)];
}

}  // namespace

double heading_rad(const body::BodyMap& map, std::span<const Vec3d> joints, const Quatd& root_rotation) {
  const Vec3d left = across(map, joints, body::Role::left_upper_leg, body::Role::right_upper_leg) +
                     across(map, joints, body::Role::left_upper_arm, body::Role::right_upper_arm);
  const double length = left.norm();
  if (length > 1e-6) {
    const Vec3d flat = level(left);
    if (flat.norm() > kLevelShare * length) return heading_of(flat.cross(Vec3d::UnitY()));
    if (map.has(body::Role::hips) && map.has(body::Role::neck)) {
      const Vec3d trunk = joints[map.joint(body::Role::neck)] - joints[map.joint(body::Role::hips)];
      const Vec3d front = left.cross(trunk);
      if (std::hypot(front.x(), front.z()) > 1e-6) return heading_of(front);
    }
  }
  return heading_of(root_rotation * Vec3d::UnitZ());
}

}  // namespace shosa::analysis
