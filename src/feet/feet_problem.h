#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "feet/foot_motion.h"
#include "shosa/feet/place_feet.h"
#include "shosa/solve/block_tridiagonal.h"

namespace shosa::feet {

/// How root and feet leave their paths, one entry per frame. World.
struct FootChange {
  std::vector<Vec3d> ball_m;
  std::vector<Vec3d> turn_rad;  ///< Rotation vector about the ball.
};
struct FeetChange {
  std::vector<Vec3d> root_m;
  std::vector<FootChange> feet;
};

/// One linearised residual: its value and its slopes with respect to some unknowns.
struct Slope {
  int unknown;
  double value;
};

/// The cost of changes over a stretch of frames, a whole clip or a window of it: unknowns, which of them are given,
/// residuals and their slopes.
///
/// Unknowns of frame k stand at k * per_frame(): root 0-2, then for each foot its ball 0-2 and its turn 3-5.
class FeetProblem {
 public:
  FeetProblem(std::vector<FootMotion> feet, const StancePlan& plan, double frame_time_s, const FeetScales& scales);

  int frame_count() const { return frames_; }
  int per_frame() const { return 3 + 6 * static_cast<int>(feet_.size()); }
  /// The unknown takes this value and is none any more.
  void give(int unknown, double value);
  /// The frames from `first` on take this change: what was shown before a window, or what must come after it. The cost
  /// reaches over three frames, so with three of them held a window gives what the whole motion would.
  void hold(int first, const FeetChange& change);
  int variable_count() const;

  /// All unknowns: 0 where free, else as given.
  const Eigen::VectorXd& start() const { return given_; }
  /// Sum of squares. With `normal` also J'J and J'r over the free unknowns.
  struct Normal {
    solve::BlockTridiagonal matrix;
    Eigen::VectorXd gradient;
  };
  double cost(const Eigen::VectorXd& x, Normal* normal) const;
  Normal make_normal() const;
  /// Levenberg's damping of each free unknown: the square of 1 / its own scale, times the frame's time.
  Eigen::VectorXd damping() const;
  /// Adds a step of the free unknowns.
  Eigen::VectorXd moved(const Eigen::VectorXd& x, const Eigen::VectorXd& step) const;

  FeetChange change(const Eigen::VectorXd& x) const;
  const std::vector<FootMotion>& feet() const { return feet_; }
  /// Every residual and its slopes, in a fixed order: for tests of the derivatives.
  void residuals(const Eigen::VectorXd& x, std::vector<double>& values, std::vector<std::vector<Slope>>& slopes) const;

 private:
  template <class Sink>
  void visit(const Eigen::VectorXd& x, Sink&& sink) const;
  template <class Sink>
  void visit_foot(std::size_t foot, const Eigen::VectorXd& x, Sink&& sink) const;
  void number() const;

  std::vector<FootMotion> feet_;
  std::vector<std::vector<double>> ground_m_;
  std::vector<std::vector<std::optional<Vec3d>>> heel_place_m_;  // per foot and frame
  double dt_;
  FeetScales scales_;
  int frames_;
  Eigen::VectorXd given_;
  std::vector<char> is_given_;
  mutable std::vector<int> variable_;  // of an unknown; -1: given
  mutable std::vector<int> group_sizes_;
};

/// Gauss-Newton with Levenberg's damping. `x` holds the best point on return.
solve::SolveReport solve_feet(const FeetProblem& problem, const PlaceFeetParams& params, Eigen::VectorXd& x);

}  // namespace shosa::feet
