#pragma once

#include "shosa/core/forward_kinematics.h"
#include "shosa/core/ground_move.h"

namespace shosa::segment {

/// The move over the ground that lays posture `b` on posture `a` with the least squared distance of their joints.
/// Heights stay.
GroundMove match_postures(const WorldPose& a, const WorldPose& b);
/// World y of the lowest joint of `a` over that of `b`.
double height_apart_m(const WorldPose& a, const WorldPose& b);

}  // namespace shosa::segment
