#pragma once

#include "shosa/core/pose.h"
#include "shosa/core/skeleton.h"

namespace shosa {

/// A rigid move over the ground: a turn about +Y through the origin, then a shift.
struct GroundMove {
  double yaw_rad = 0.0;
  Vec3d shift_m = Vec3d::Zero();

  bool is_identity() const { return yaw_rad == 0.0 && shift_m.isZero(0.0); }
  Quatd turn() const;
  Vec3d operator*(const Vec3d& point) const { return turn() * point + shift_m; }
  /// First `other`, then this.
  GroundMove operator*(const GroundMove& other) const;
  GroundMove inverse() const;
};

/// Moves a whole posture by its root. Exactly nothing for the identity.
void move_posture(const GroundMove& move, Pose& pose);
/// The same by `carrier`, the joint that carries the body through the world (a root above it may stay where it is).
void move_posture(const Skeleton& skeleton, JointIndex carrier, const GroundMove& move, Pose& pose);

}  // namespace shosa
