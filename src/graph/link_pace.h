#pragma once

#include <algorithm>

#include "shosa/core/smooth_steps.h"
#include "shosa/graph/motion_set.h"

namespace shosa::graph {

/// How fast the next clip plays when a link begins, as a share of its own pace: the body then moves over the ground
/// about as fast as it did, and feet that stand in both clips go back under it at one speed. 1 at the link's end.
inline double pace_at_begin(const MotionSet& set, int clip_a, double time_a_s, int clip_b, double time_b_s) {
  const auto speed = [&](int clip, double time_s) {
    const SetClip& c = set.clips[clip];
    return c.speed_mps[c.clip().nearest_frame(time_s)];
  };
  constexpr double kSlow_mps = 0.5;  // Below walking pace the ratio says little.
  return std::clamp((speed(clip_a, time_a_s) + kSlow_mps) / (speed(clip_b, time_b_s) + kSlow_mps), 0.6, 1.15);
}

/// Time of the clip that passes from share `u` of a link to its end, per second of the link: the integral of
/// r + (1 - r) (3 u^2 - 2 u^3).
inline double clip_time_left(double pace, double u) {
  return pace * (1.0 - u) + (1.0 - pace) * (0.5 - u * u * u + 0.5 * u * u * u * u);
}
inline double pace_at(double pace, double u) {
  return pace + (1.0 - pace) * cubic_step(u);
}

}  // namespace shosa::graph
