#pragma once

#include <span>

#include "shosa/body/foot_points.h"
#include "shosa/body/two_bones.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::feet {

/// A leg and the point of its foot that stands: the ball, or the ankle where the foot has none.
struct ChangedLeg {
  body::TwoBones bones;
  int ball = kNoJoint;  ///< Joint, or joint count + end site.
};

/// What changes in one frame. World.
struct BallChange {
  Vec3d shift_m = Vec3d::Zero();
  Vec3d turn_rad = Vec3d::Zero();  ///< Rotation vector about the ball.
};

/// One frame: the root moves by the translation of `mover`, each leg bends in its own plane, its foot turns about its
/// ball. A leg whose foot only goes with the root keeps its rotations to the bit. `world` is room to work in; once it
/// has the skeleton's size, nothing is allocated. O(joints).
void apply_change(const Skeleton& skeleton, JointIndex mover, std::span<const ChangedLeg> legs, const Vec3d& root_m,
                  std::span<const BallChange> balls, WorldPose& world, Pose& pose);
/// The same where `world` is known already.
void apply_change_at(const Skeleton& skeleton, JointIndex mover, std::span<const ChangedLeg> legs, const Vec3d& root_m,
                     std::span<const BallChange> balls, const WorldPose& world, Pose& pose);

}  // namespace shosa::feet
