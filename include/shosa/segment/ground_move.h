#pragma once

#include "shosa/analysis/root_motion.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/pose.h"

namespace shosa::segment {

/// A rigid move over the ground: turn about +Y through the origin, then shift.
struct GroundMove {
  double turn_rad = 0.0;
  Vec3d shift_m = Vec3d::Zero();

  Quatd rotation() const;
  Vec3d operator*(const Vec3d& point) const { return rotation() * point + shift_m; }
  /// First `other`, then this.
  GroundMove operator*(const GroundMove& other) const;
  GroundMove inverse() const;
};

/// Moves a whole posture by moving `carrier`, the joint that carries it through the world. Exactly nothing for the
/// identity.
void move_posture(const Skeleton& skeleton, JointIndex carrier, const GroundMove& move, Pose& pose);

/// The move that lays posture `b` on posture `a` with the least squared distance of their joints. Heights: `b` is moved
/// up or down only where the lowest joints differ by more than `level_m` (a stair), by that difference.
GroundMove match_postures(const WorldPose& a, const WorldPose& b, double level_m);

}  // namespace shosa::segment
