#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "shosa/core/types.h"

namespace shosa::submovement::detail {

/// Samples [first, last], both included; neighbours share one.
struct Region {
  int first = 0, last = 0;
  bool rough = false;
};

/// The recording cut where turns jump or shake from sample to sample so that no submovements follow. One region, and
/// not rough, for nearly every joint.
std::vector<Region> split_at_jumps(std::span<const Quatd> samples, double step_s, double max_error);

/// Root mean square of what is left when every sample, of a path a row each, is smoothed by a parabola over
/// `duration_s`: submovements of that length follow no better.
double roughness(std::span<const Quatd> samples, double step_s, double duration_s);
double roughness(const Eigen::MatrixXd& path, double step_s, double duration_s);

/// Of the bound: no submovements follow what is rougher.
inline constexpr double kRough = 1.6;

}  // namespace shosa::submovement::detail
