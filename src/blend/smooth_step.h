#pragma once

#include <algorithm>

namespace shosa::blend {

/// 0 up to 0, 1 from 1 on, C2 (the minimum-jerk step).
inline double smooth_step(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * x * (10.0 + x * (6.0 * x - 15.0));
}

}  // namespace shosa::blend
