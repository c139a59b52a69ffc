#pragma once

#include "shosa/core/forward_kinematics.h"
#include "shosa/core/ground_move.h"

namespace shosa::segment {

/// The move that lays posture `b` on posture `a` with the least squared distance of their joints. Heights: `b` is moved
/// up or down only where the lowest joints differ by more than `level_m` (a stair), by that difference.
GroundMove match_postures(const WorldPose& a, const WorldPose& b, double level_m);

}  // namespace shosa::segment
