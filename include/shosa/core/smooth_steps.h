#pragma once

#include <algorithm>

namespace shosa {

/// From 0 at 0 to 1 at 1, and constant beyond.

/// 3 x^2 - 2 x^3: no speed at either end, but a step in the acceleration.
inline double cubic_step(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * (3.0 - 2.0 * x);
}

/// 10 x^3 - 15 x^4 + 6 x^5: no speed and no acceleration at either end (Flash and Hogan 1985). Steepest, 1.875, at 1/2.
inline double minimum_jerk_step(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * x * (10.0 - x * (15.0 - 6.0 * x));
}

}  // namespace shosa
