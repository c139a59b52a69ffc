#pragma once

#include <Eigen/Core>
#include <vector>

namespace shosa::submovement::detail {

/// Every how many samples the search needs one: it works at 50 Hz or a little more, and the result is refitted to all.
int search_stride(double step_s);

/// Standard deviation of white noise on the samples, from their sixth differences: a low quantile, so that the ends of
/// submovements, where the model itself is not smooth, do not count. 0 for fewer than 20 samples.
double estimate_noise(const Eigen::MatrixXd& data);

/// Whether the noise is rounding alone: such samples were computed, not measured.
bool samples_were_made(const Eigen::MatrixXd& data, double noise);

/// What few sixth differences are below (a twentieth of them). Where submovements begin and end all the time few
/// samples are between two knots, and only these tell that a model was made.
double least_noise(const Eigen::MatrixXd& data);

/// Places, in samples, where samples without noise leave one polynomial of the fifth degree for another: a submovement
/// begins or ends there. Sixth differences vanish elsewhere. Where several are near each other, every place between.
std::vector<double> find_knots(const Eigen::MatrixXd& data, double noise);
/// About how many these are.
int knot_count(const Eigen::MatrixXd& data, double noise);

}  // namespace shosa::submovement::detail
