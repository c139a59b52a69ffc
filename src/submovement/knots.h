#pragma once

#include <Eigen/Core>
#include <vector>

namespace shosa::submovement::detail {

/// Where a submovement begins or ends, alone among samples that no other touches.
struct Knot {
  double time_s = 0.0;
  double duration_s = 0.0;    ///< Of its submovement: positive where it begins, negative where it ends.
  double duration_error = 0;  ///< Standard deviation of 1 / duration_s, times |duration_s|.
  double sideways = 0.0;      ///< Share of the jump of the fourth derivative across that of the third; none for a sum.
  Eigen::RowVectorXd jerk;    ///< Jump of the third derivative, per s^3: 60 displacement / duration^3 (signed).
  int reach = 0;              ///< Samples on each side that it was found from.
};

/// Knots of samples without noise (docs/methods/submovements.md, "Samples without noise"). Between knots the samples
/// are polynomials of `degree`, up to `noise` (standard deviation of every sample, per channel).
std::vector<Knot> isolated_knots(const Eigen::MatrixXd& data, double step_s, const std::vector<double>& noise,
                                 int degree);

}  // namespace shosa::submovement::detail
