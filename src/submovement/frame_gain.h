#pragma once

#include <Eigen/Core>
#include <algorithm>

#include "shosa/solve/minimum_jerk.h"
#include "timing_fit.h"

namespace shosa::submovement::detail {

// How sums and products on frames are completed: one more at a time where it explains most.

inline constexpr double kPays = 0.99;      ///< Of the squared error: what one more must at least bring.
inline constexpr std::size_t kInVain = 5;  ///< Places in a row at which it did not.
inline constexpr int kCompletions = 2;     ///< Each followed by moves of frames.

/// What one at `fresh` that another, both in frames, makes up for takes from the squared error; `left` is what the
/// model leaves, a row for each sample. Before both have begun and after both have ended there is no difference.
inline double gain_of(const Eigen::MatrixXd& left, const Timing& fresh, const Timing& other) {
  constexpr double kLeastBump = 0.1;
  const int samples = static_cast<int>(left.rows());
  const int from = std::clamp(static_cast<int>(std::min(fresh.t0_s, other.t0_s)), 0, samples - 1);
  const int to = std::clamp(static_cast<int>(std::max(fresh.tf_s, other.tf_s)) + 1, from + 1, samples);
  Eigen::RowVectorXd onto = Eigen::RowVectorXd::Zero(left.cols());
  double square = 0.0;
  for (int i = from; i < to; ++i) {
    const double bump =
        solve::minimum_jerk_value(i, fresh.t0_s, fresh.tf_s) - solve::minimum_jerk_value(i, other.t0_s, other.tf_s);
    onto += bump * left.row(i);
    square += bump * bump;
  }
  return square > kLeastBump ? onto.squaredNorm() / square : 0.0;
}

}  // namespace shosa::submovement::detail
