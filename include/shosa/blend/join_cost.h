#pragma once

#include "shosa/blend/player.h"

namespace shosa::blend {

/// What the composer's search makes of one motion after another, put as early as the feet allow. Nothing is composed.
struct JoinCost {
  bool executed = false;  ///< False: the cores leave no room, and `cost` means nothing.
  /// What the searches for the legs' and the upper body's blend minimised (equation 10 of the seed), summed: seconds,
  /// metres and speeds, weighted by the smoothness asked for.
  double cost = 0.0;
  JoinMethod method = JoinMethod::adaptation_without_step;
  double leave_s = 0.0;     ///< Where the legs leave the previous motion, on its own time,
  double enter_s = 0.0;     ///< where they are in the next one, on its own,
  double distance_m = 0.0;  ///< and how far apart the legs are in these two frames: the mean over their joints.
};

/// Some milliseconds. Fails when a rule of `params` is broken or the motions do not fit each other (`mismatch`).
Result<JoinCost> join_cost(const Motion& previous, const Motion& next, const PlanParams& params = {});

}  // namespace shosa::blend
