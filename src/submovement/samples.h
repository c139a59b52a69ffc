#pragma once

#include <Eigen/Core>
#include <vector>

// What samples look like: noise, jumps and shaking.
namespace shosa::submovement::detail {

/// Every how many samples the search needs one: it works at 50 Hz or a little more, and the result is refitted to all.
int search_stride(double step_s);

/// Standard deviation of white noise on the samples, from their sixth differences: a low quantile, so that the ends of
/// submovements, where the model itself is not smooth, do not count. 0 for fewer than 20 samples.
double estimate_noise(const Eigen::MatrixXd& data);

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
