#pragma once

#include <algorithm>
#include <cmath>

#include "blend/transition.h"

namespace shosa::blend {

inline int frames_of(double time_s, double frame_time_s) {
  return std::max(1, static_cast<int>(std::lround(time_s / frame_time_s)));
}

/// JoinMethod, ranges (section 4.2 of the seed) and searched intervals for the next motion at frame `at`. The cores
/// leave room for a blend. The upper body's blend may be as short as the lower's where `smooth_upper` is off.
TransitionPlan plan_intervals(const PreviousMotion& previous, const Motion& next, int at, const PlanParams& params,
                              bool smooth_upper = true);

}  // namespace shosa::blend
