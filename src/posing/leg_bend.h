#pragma once

#include <span>

#include "shosa/core/clip.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/posing/articulation.h"

namespace shosa::posing {

/// A leg, front leg or arm seen as two bones: hip, knee, ankle.
struct TwoBones {
  JointIndex hip = kNoJoint, knee = kNoJoint, ankle = kNoJoint;
  Vec3d flexion_axis = Vec3d::UnitX();  ///< Unit, in the knee's own frame; a positive turn bends the knee further.
};

/// The axis about which the knee bends in this clip: the mean of thigh x shank, so that well bent frames decide. A leg
/// that never bends is taken to bend toward the heel: `ahead` is a horizontal direction to the toe, per frame.
Vec3d find_flexion_axis(const Clip& clip, const TwoBones& leg, std::span<const Vec3d> ahead);

/// Bends the knee so that the ankle is as far from the hip as `ankle_m` (world) is, or as near to that as it can, to
/// the side to which the knee bends, and turns the hip the shortest way so that the ankle comes to `ankle_m`.
void bend_leg(Articulation& body, const TwoBones& leg, const Vec3d& ankle_m);

}  // namespace shosa::posing
