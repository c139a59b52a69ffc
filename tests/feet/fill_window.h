#pragma once

#include <algorithm>

#include "shosa/core/forward_kinematics.h"
#include "shosa/feet/feet_follower.h"

namespace shosa::feet {

/// The window holds `count` frames of the clip from frame `from` on, or those that are left, and the plan's stances in
/// it.
inline void fill_window(FeetWindow& window, const Clip& clip, const StancePlan& plan, int from, int count) {
  window.clear();
  WorldPose world;
  Pose pose;
  for (int f = from; f < std::min(from + count, clip.frame_count()); ++f) {
    clip.get_frame(f, pose);
    forward_kinematics(clip.skeleton(), pose, world);
    window.add(world);
  }
  for (std::size_t i = 0; i < plan.feet.size(); ++i) {
    for (Stance stance : plan.feet[i].stances) {
      stance.first -= from, stance.last -= from;
      if (stance.last >= 0 && stance.first < window.sample_count()) window.stand(static_cast<int>(i), stance);
    }
  }
}

}  // namespace shosa::feet
