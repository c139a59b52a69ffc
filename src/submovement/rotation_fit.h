#pragma once

#include <Eigen/Core>
#include <numbers>
#include <span>
#include <vector>

#include "shosa/core/rotations.h"
#include "shosa/solve/report.h"
#include "shosa/submovement/model.h"

namespace shosa::submovement::detail {

inline constexpr double kMostTurn_rad = 2.0 * std::numbers::pi;  ///< Of one submovement.

/// The rotations of one stretch of samples as a product of slerps, fitted exactly.
struct RotationWindow {
  std::vector<Quatd> samples;
  double begin_s = 0.0;
  double step_s = 0.0;
  /// What stands left and right of the fitted factors at every sample; empty: the identity.
  std::vector<Quatd> before, after;
  bool fixed_timings = false;
  bool free_start = true;  ///< A constant rotation in front of the factors is fitted too.
  /// What a change of the product of all factors costs, in samples: as many as come after the window. 0: nothing.
  double end_weight = 0.0;
  double ridge = 0.0;  ///< Added to the squared error for every squared turn: turns that nearly cancel stay away.
  double low_s = 0.0;  ///< Timings stay in [low_s, high_s]; starts also in [first_t0_s, last_t0_s], ascending.
  double high_s = 0.0;
  double first_t0_s = 0.0;
  double last_t0_s = 0.0;
  double min_duration_s = 0.1;
  double max_duration_s = 4.0;
};

/// Levenberg-Marquardt over start, timings and rotation vectors with analytic derivatives; the error of a sample is the
/// rotation vector from the model to it.
class RotationFit {
 public:
  RotationFit(RotationWindow window, const Quatd& start, std::vector<RotationSubmovement> factors);

  solve::SolveReport fit(int max_iterations, double stop_error);

  Quatd start() const;
  const std::vector<RotationSubmovement>& factors() const { return factors_; }

  double evaluate(const Eigen::VectorXd& x, Eigen::MatrixXd& jtj, Eigen::VectorXd& jtr);
  void project(Eigen::VectorXd& x) const;
  Eigen::VectorXd parameters() const;

 private:
  using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic>;
  double add_end(const Eigen::VectorXd& x, std::span<const ExpDerivative> full, Eigen::MatrixXd& jtj,
                 Eigen::VectorXd& jtr);

  RotationWindow window_;
  Quatd start_;
  Vec3d start_turn_ = Vec3d::Zero();  ///< start = start_ * exp(start_turn_).
  std::vector<RotationSubmovement> factors_;
  Quatd whole_;                   ///< Product of all factors at the outset.
  Rows settled_, sums_, moving_;  ///< Columns that no longer change, sums of those that do, and those at one sample.
  std::vector<Eigen::Index> used_;
};

}  // namespace shosa::submovement::detail
