#pragma once

#include <algorithm>

#include "shosa/core/smooth_steps.h"

namespace shosa::solve {

/// The minimum-jerk step from 0 to 1 and its derivatives (Flash and Hogan 1985).
///
/// MJ(tau) = 6 tau^5 - 15 tau^4 + 10 tau^3 with tau = (t - t0) / (tf - t0) clamped to [0, 1]: value, slope and
/// curvature are continuous, the jerk jumps at both ends. Derivatives are by time, per s, s^2, s^3.
struct MinimumJerk {
  double value = 0.0;
  double velocity = 0.0;
  double acceleration = 0.0;
  double jerk = 0.0;
};

/// Rule: t0_s < tf_s. At the two ends the jerk is that of the outside: 0.
inline MinimumJerk minimum_jerk(double time_s, double t0_s, double tf_s) {
  const double duration = tf_s - t0_s;
  if (!(time_s > t0_s)) return {};
  if (time_s >= tf_s) return {.value = 1.0};
  const double tau = (time_s - t0_s) / duration, rest = 1.0 - tau;
  return {.value = minimum_jerk_step(tau),
          .velocity = 30.0 * tau * tau * rest * rest / duration,
          .acceleration = 60.0 * tau * rest * (rest - tau) / (duration * duration),
          .jerk = 60.0 * (1.0 - 6.0 * tau * rest) / (duration * duration * duration)};
}

/// The value alone.
inline double minimum_jerk_value(double time_s, double t0_s, double tf_s) {
  return minimum_jerk_step((time_s - t0_s) / (tf_s - t0_s));
}

/// The value and how it changes when an end is moved.
struct MinimumJerkTiming {
  double value = 0.0;
  double by_t0 = 0.0;  ///< Per s; never positive.
  double by_tf = 0.0;  ///< Per s; never positive.
};

inline MinimumJerkTiming minimum_jerk_timing(double time_s, double t0_s, double tf_s) {
  const MinimumJerk step = minimum_jerk(time_s, t0_s, tf_s);
  const double tau = std::clamp((time_s - t0_s) / (tf_s - t0_s), 0.0, 1.0);
  // d tau / d t0 = -(1 - tau) / duration, d tau / d tf = -tau / duration.
  return {.value = step.value, .by_t0 = -(1.0 - tau) * step.velocity, .by_tf = -tau * step.velocity};
}

}  // namespace shosa::solve
