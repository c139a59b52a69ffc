#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "shosa/solve/report.h"
#include "shosa/submovement/model.h"

namespace shosa::submovement::detail {

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

  double squared_error() const { return squared_error_; }
  Quatd start() const;
  const std::vector<RotationSubmovement>& factors() const { return factors_; }

  double evaluate(const Eigen::VectorXd& x, Eigen::MatrixXd& jtj, Eigen::VectorXd& jtr);
  void project(Eigen::VectorXd& x) const;
  Eigen::VectorXd parameters() const;

 private:
  RotationWindow window_;
  Quatd start_;
  Vec3d start_turn_ = Vec3d::Zero();  ///< start = start_ * exp(start_turn_).
  std::vector<RotationSubmovement> factors_;
  Quatd whole_;  ///< Product of all factors at the outset.
  double squared_error_ = 0.0;
};

/// How exp(v + dv) turns, in its own frame: exp(v + dv) = exp(v) exp(J dv).
Eigen::Matrix3d right_jacobian(const Vec3d& v);
/// log(exp(d) exp(v)) = v + J d for small d.
Eigen::Matrix3d inverse_left_jacobian(const Vec3d& v);

}  // namespace shosa::submovement::detail
