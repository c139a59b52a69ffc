#pragma once

#include <Eigen/Core>
#include <vector>

#include "timing_fit.h"

namespace shosa::submovement::detail {

/// First guesses of the timings: every hump of the speed, and every hump of a single channel's velocity that the speed
/// does not show, from valley to valley. Sorted by t0.
std::vector<Timing> profile_seeds(const Eigen::MatrixXd& data, double step_s, double noise, double min_duration_s);

/// Chains of `count` submovements spread evenly over where samples move, in time and along the way, overlapping by half
/// and hardly: starts for a fit that do not depend on what was found so far. Empty when nothing moves.
std::vector<std::vector<Timing>> spread_seeds(const FitWindow& window, double noise, int count);

}  // namespace shosa::submovement::detail
