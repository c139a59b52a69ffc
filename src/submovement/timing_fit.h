#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "shosa/solve/report.h"
#include "shosa/solve/variable_projection.h"

namespace shosa::submovement::detail {

struct Timing {
  double t0_s = 0.0;
  double tf_s = 1.0;
};

/// The most submovements that are fitted at once; more are fitted in overlapping groups.
inline constexpr int kMaxActive = 8;

/// A stretch of samples with what stands still there already taken away.
struct FitWindow {
  Eigen::MatrixXd target;  ///< Samples x channels.
  double begin_s = 0.0;    ///< Time of the first sample.
  double step_s = 0.0;
  bool free_start = true;  ///< The level before the first submovement is fitted; otherwise it is 0.
  bool free_end = true;    ///< The level after the last is fitted; otherwise it is `end_level`, so that nothing changes
                           ///< outside the window.
  Eigen::RowVectorXd end_level;
  double low_s = 0.0;  ///< Timings stay in [low_s, high_s] …
  double high_s = 0.0;
  double min_duration_s = 0.1;  ///< … and durations in these bounds.
  double max_duration_s = 4.0;
  double ridge = 0.0;  ///< Added to the squared error for every squared displacement: goals stay near.
};

/// Least squares for a sum of minimum-jerk steps in one window: Levenberg-Marquardt over the timings, displacements
/// solved inside (docs/methods/submovements.md, "Fit"). Reused for many trials on the same window.
class TimingFit {
 public:
  explicit TimingFit(FitWindow window);

  /// Fits from `timings` (at most kMaxActive) and leaves the best there. Ends early when the squared error falls to
  /// `stop_error`.
  solve::SolveReport fit(std::vector<Timing>& timings, int max_iterations, double stop_error);

  /// Of the last fit: the sum of squared errors, the same with what the ridge adds, the level before the first
  /// submovement and the displacements (a row each).
  double squared_error() const { return squared_error_; }
  double penalized_error() const { return penalized_error_; }
  const Eigen::MatrixXd& levels() const { return levels_; }
  const FitWindow& window() const { return window_; }

  /// For every candidate, how much the squared error would fall if it joined `timings` as they are, all displacements
  /// solved anew.
  void score(const std::vector<Timing>& timings, const std::vector<Timing>& candidates, std::vector<double>& gains);

  using Parameters = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 2 * kMaxActive, 1>;
  using Normal = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 2 * kMaxActive, 2 * kMaxActive>;
  double evaluate(const Parameters& x, Normal& jtj, Parameters& jtr);
  void project(Parameters& x) const;

 private:
  /// A step at the samples and its slopes by t0 and tf; below `begin` and, for slopes, from `end` on nothing is stored.
  struct Column {
    int index = 0;           ///< Its place in `columns_`.
    int begin = 0, end = 0;  ///< Samples where the step is neither 0 nor 1.
  };
  auto value(const Column& c, int from, int size) const { return buffer_.col(3 * c.index).segment(from, size); }
  auto by_t0(const Column& c, int from, int size) const { return buffer_.col(3 * c.index + 1).segment(from, size); }
  auto by_tf(const Column& c, int from, int size) const { return buffer_.col(3 * c.index + 2).segment(from, size); }
  void fill(Column& column, const Timing& timing, bool with_slopes);
  double dot(const Column& a, const Column& b) const;
  void set_constraint(int count);

  FitWindow window_;
  int samples_;
  int channels_;
  Eigen::MatrixXd suffix_;  ///< Row i: sum of the target's rows from i on.
  std::array<Column, kMaxActive + 1> columns_;
  Eigen::MatrixXd buffer_;
  Parameters evaluated_;  ///< Where `separable_` stands.
  solve::SeparableProblem<kMaxActive + 1, 2 * kMaxActive> separable_;
  Eigen::MatrixXd levels_;
  double cost_ = 0.0;  ///< At `evaluated_`.
  double squared_error_ = 0.0;
  double penalized_error_ = 0.0;
};

}  // namespace shosa::submovement::detail
