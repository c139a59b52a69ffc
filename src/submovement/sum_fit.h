#pragma once

#include <Eigen/Core>
#include <vector>

#include "timing_fit.h"

namespace shosa::submovement::detail {

/// A sum of steps fitted to the last digits, for samples that were made: the same variable projection as `TimingFit`,
/// on orthonormal columns instead of inner products, with what is left computed sample by sample.
struct SumFit {
  std::vector<Timing> timings;
  Eigen::RowVectorXd start;    ///< 0 unless `free_start`.
  Eigen::MatrixXd moves;       ///< A row each.
  double squared_error = 0.0;  ///< Of all samples and channels.
  long evaluations = 0;
};

struct SumFitParams {
  double begin_s = 0.0;  ///< Time of the first row.
  double step_s = 0.0;
  double fixed_starts_from_s = 1e300;  ///< Starts from here on are known and stay.
  double fixed_ends_until_s = -1e300;  ///< So do ends up to here that are on frames.
  bool free_start = false;             ///< The level before the first submovement is fitted; otherwise it is 0.
  double min_duration_s = 0.1;
  double max_duration_s = 4.0;
  int max_iterations = 30;  ///< 0: displacements alone.
  double stop_error = 0.0;  ///< Squared error that is enough.
};

SumFit fit_sum(const Eigen::MatrixXd& target, std::vector<Timing> timings, const SumFitParams& params);

}  // namespace shosa::submovement::detail
