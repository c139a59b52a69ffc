#pragma once

#include <Eigen/Core>

namespace shosa::submovement::detail {

/// Every how many samples the search needs one: it works at 50 Hz or a little more, and the result is refitted to all.
int search_stride(double step_s);

/// Standard deviation of white noise on the samples, from their sixth differences: a low quantile, so that the ends of
/// submovements, where the model itself is not smooth, do not count. 0 for fewer than 20 samples.
double estimate_noise(const Eigen::MatrixXd& data);

}  // namespace shosa::submovement::detail
