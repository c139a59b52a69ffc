#pragma once

#include <Eigen/Core>
#include <vector>

#include "timing_fit.h"

namespace shosa::submovement::detail {

/// Chains of `count` submovements spread evenly over where samples move, in time and along the way, overlapping by half
/// and hardly: beginnings for a fit that do not depend on what was found so far. Empty when nothing moves.
std::vector<std::vector<Timing>> spread_seeds(const FitWindow& window, double noise, int count);

}  // namespace shosa::submovement::detail
