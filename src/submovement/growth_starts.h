#pragma once

#include <Eigen/Core>
#include <vector>

#include "timing_fit.h"

namespace shosa::submovement::detail {

/// Samples that a growing model leaves, and where what it leaves may begin.
struct StartWindow {
  Eigen::MatrixXd rest;     ///< What is left, a row for every sample.
  Eigen::MatrixXd known;    ///< Columns along which the model may still change.
  int begin = 0;            ///< The first row's sample.
  int first = 0, last = 0;  ///< Samples at which something may have begun.
  double step_s = 0.0;
  std::vector<double> begun_s = {};  ///< Starts that are known: others are not near.
  double enough = 0.0;               ///< Squared error that is no more than noise.
  double min_duration_s = 0.1, max_duration_s = 4.0;
};

/// One start at a sample, or with `two` two, that explain what is left; the likeliest first. As long as its end is not
/// seen a submovement is c3 u^3 + c4 u^4 + c5 u^5 with u the time since its start, linear once that is known, and its
/// duration is -1.5 c3 / c4.
std::vector<std::vector<Timing>> likely_starts(const StartWindow& window, bool two);

/// The same for submovements that have ended within the window: their displacements are linear once both times are
/// known.
std::vector<std::vector<Timing>> likely_short_ones(const StartWindow& window, bool two);

/// At the first sample: one that is under way, alone or with one that begins soon; on a grid of times, the best first.
std::vector<std::vector<Timing>> likely_beginnings(const StartWindow& window);

/// By how many seconds a submovement begins later, of displacement `move` and slope by its start `slope`, if that alone
/// explains what is left; 0 if not.
double start_error(const StartWindow& window, const Eigen::VectorXd& slope, const Eigen::RowVectorXd& move);

}  // namespace shosa::submovement::detail
