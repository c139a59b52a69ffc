#pragma once

#include "shosa/core/smooth_steps.h"

namespace shosa::segment {

/// Rises from 0 to 1 at `at` and falls to 0 again, without speed at either end or at the top.
inline double hump(double x, double at) {
  return x < at ? minimum_jerk_step(x / at) : minimum_jerk_step((1.0 - x) / (1.0 - at));
}

/// 0 up to 0, then ever more nearly x less `soft`: without a kink.
inline double past(double x, double soft) {
  return x <= 0.0 ? 0.0 : x * x / (x + soft);
}

}  // namespace shosa::segment
