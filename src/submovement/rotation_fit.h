#pragma once

#include <Eigen/Core>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "frames.h"
#include "shosa/solve/report.h"
#include "shosa/submovement/model.h"

namespace shosa::submovement::detail {

inline constexpr double kMostTurn_rad = 2.0 * std::numbers::pi;  ///< Of one submovement.

/// More than that, but for rounding.
inline bool turns_too_far(double angle_rad) {
  return std::abs(angle_rad) > kMostTurn_rad + 1e-6;
}

/// The rotations of one stretch of samples as a product of slerps, fitted exactly.
struct RotationWindow {
  std::vector<Quatd> samples;
  double begin_s = 0.0;
  double step_s = 0.0;
  /// What stands left and right of the fitted factors at every sample; empty: the identity.
  std::vector<Quatd> before, after;
  bool fixed_timings = false;
  double fixed_starts_from_s = 1e300;  ///< Starts from here on are known and stay.
  double fixed_ends_until_s = -1e300;  ///< So do ends up to here that are on frames.
  bool free_start = true;              ///< A constant rotation in front of the factors is fitted too.
  /// What a change of the product of all factors costs, in samples: as many as come after the window. 0: nothing.
  double end_weight = 0.0;
  double ridge = 0.0;  ///< Added to the squared error for every squared turn: turns that nearly cancel stay away.
  double low_s = 0.0;  ///< Timings stay in [low_s, high_s]; starts also in [first_t0_s, last_t0_s], ascending.
  double high_s = 0.0;
  double start_gap_s = 0.0;  ///< Between two starts, at least.
  double first_t0_s = 0.0;
  double last_t0_s = 0.0;
  double min_duration_s = 0.1;
  double max_duration_s = 4.0;
};

/// exp(v), and how it turns in its own frame when v changes: exp(v + dv) = exp(v) exp(slope dv).
struct Factor {
  Quatd turn;
  Eigen::Matrix3d slope;
};
Factor factor_of(const Vec3d& v);

/// Levenberg-Marquardt over start, timings and rotation vectors with analytic derivatives; the error of a sample is the
/// rotation vector from the model to it.
class RotationFit {
 public:
  RotationFit(RotationWindow window, const Quatd& start, std::vector<RotationSubmovement> factors);

  solve::SolveReport fit(int max_iterations, double stop_error);
  /// The same to the last digits, for samples that were made: parameters that only matter together are moved too.
  solve::SolveReport fit_exactly(int max_iterations, double stop_error);

  double squared_error() const { return squared_error_; }
  Quatd start() const;
  const std::vector<RotationSubmovement>& factors() const { return factors_; }

  double evaluate(const Eigen::VectorXd& x, Eigen::MatrixXd& jtj, Eigen::VectorXd& jtr);
  void project(Eigen::VectorXd& x) const;
  Eigen::VectorXd parameters() const;

 private:
  using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic>;
  void take(const Eigen::VectorXd& x);
  bool is_known(double t0_s) const { return t0_s >= window_.fixed_starts_from_s; }
  bool is_end_known(double tf_s) const { return is_known_end(tf_s, window_.fixed_ends_until_s, window_.step_s); }
  double add_end(const Eigen::VectorXd& x, std::span<const Factor> full, Eigen::MatrixXd& jtj, Eigen::VectorXd& jtr);

  RotationWindow window_;
  Quatd start_;
  Vec3d start_turn_ = Vec3d::Zero();  ///< start = start_ * exp(start_turn_).
  std::vector<RotationSubmovement> factors_;
  Quatd whole_;  ///< Product of all factors at the outset.
  double squared_error_ = 0.0;
  Rows settled_, sums_, moving_;  ///< Columns that no longer change, sums of those that do, and those at one sample.
  std::vector<Eigen::Index> used_;
};

}  // namespace shosa::submovement::detail
