#pragma once

#include <Eigen/Core>
#include <vector>

namespace shosa::submovement::detail {

/// Samples [first, last], both included; neighbours share one.
struct Region {
  int first = 0, last = 0;
  bool rough = false;
};

/// The recording cut where a path, a row a sample, jumps or shakes so much from sample to sample that no submovements
/// follow it. One region, and not rough, for nearly every joint.
std::vector<Region> rough_regions(const Eigen::MatrixXd& path, double step_s, double max_error);

/// Root mean square of what is left when every sample is smoothed by a parabola over `duration_s`: submovements of that
/// length follow no better.
double roughness(const Eigen::MatrixXd& path, double step_s, double duration_s);

}  // namespace shosa::submovement::detail
