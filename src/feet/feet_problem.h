#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "feet/feet_terms.h"
#include "feet/toes.h"
#include "shosa/feet/feet_change.h"
#include "shosa/feet/place_feet.h"
#include "shosa/solve/block_tridiagonal.h"

namespace shosa::feet {

/// The cost of changes over a stretch of frames, a whole clip or a window of it: unknowns, which of them are given,
/// residuals and their slopes.
///
/// Unknowns of frame k stand at k * per_frame(): root 0-2, then for each foot its ball 0-2 and its turn 3-5. Shifts
/// over the ground that many frames share (x and z of each) are variables behind all others.
class FeetProblem {
 public:
  FeetProblem(std::vector<FootMotion> feet, const StancePlan& plan, double frame_time_s, const FeetScales& scales);

  int frame_count() const { return frames_; }
  int per_frame() const { return 3 + 6 * static_cast<int>(feet_.size()); }
  /// The unknown takes this value and is none any more.
  void give(int unknown, double value);
  /// A new shift over the ground, 0 at first. Returns its number.
  int add_shift();
  /// The unknown is this value and what the shift has along x (0) or z (1), and no variable of its own any more.
  void follow(int unknown, double value, int shift, int along);
  /// The root is drawn there, as far as it is free: shifts, one per frame. Without this to where it was.
  void lead_root(std::vector<Vec3d> lead_m) { lead_m_ = std::move(lead_m); }
  /// Root and feet are weighed as where two motions meet (docs/methods/feet.md): the acceleration of the centre of mass
  /// instead of the root's place over the ground, swings beside the root instead of at their place.
  void weigh(Momentum momentum) { momentum_ = std::move(momentum); }
  Vec3d shift_m(const Eigen::VectorXd& x, int shift) const;
  /// Of the centre of mass; `frame` is neither the first nor the last, and momentum is weighed.
  Vec3d acceleration_mps2(const Eigen::VectorXd& x, int frame) const;
  /// The frames from `first` on take this change: what was shown before a window, or what must come after it. The cost
  /// reaches over three frames, so with three of them held a window gives what the whole motion would.
  void hold(int first, const FeetChange& change);
  /// One foot takes this change in a frame.
  void hold_foot(int frame, std::size_t foot, const Vec3d& ball_m, const Vec3d& turn_rad);
  /// Where toes change sides their tip is where they have it then: the foot goes over it. True where they do.
  bool hold_toes(std::size_t foot, const ToeBends& bends);
  int variable_count() const;

  /// All unknowns and behind them the shifts: as given; where free 0, or where the root is led.
  Eigen::VectorXd start() const;
  /// Sum of squares. With `normal` also J'J and J'r over the variables. Shifts touch many frames, so that they are a
  /// border of the matrix:  | matrix  border |
  ///                        | border' corner |
  struct Normal {
    solve::BlockTridiagonal matrix;
    Eigen::MatrixXd border, corner;
    Eigen::VectorXd gradient;

    /// The step  -(J'J + factor diag(own))^-1 J'r; false where the matrix is not positive definite. By the Schur
    /// complement of the border: O(frames) for a few shifts.
    bool step(double factor, const Eigen::VectorXd& own, Eigen::VectorXd& out) const;
  };
  double cost(const Eigen::VectorXd& x, Normal* normal) const;
  Normal make_normal() const;
  /// Levenberg's damping of each variable: the square of 1 / its own scale, times the frame's time.
  Eigen::VectorXd damping() const;
  /// Adds a step of the variables.
  Eigen::VectorXd moved(const Eigen::VectorXd& x, const Eigen::VectorXd& step) const;

  FeetChange change(const Eigen::VectorXd& x) const;
  const std::vector<FootMotion>& feet() const { return feet_; }
  /// Every residual and its slopes, in a fixed order: for tests of the derivatives.
  void residuals(const Eigen::VectorXd& x, std::vector<double>& values, std::vector<std::vector<Slope>>& slopes) const;

 private:
  FeetTerms terms() const {
    return {.feet = feet_,
            .ground_m = ground_m_,
            .heel_place_m = heel_place_m_,
            .dt = dt_,
            .scales = scales_,
            .frames = frames_,
            .momentum = momentum_ ? &*momentum_ : nullptr,
            .lead_m = lead_m_};
  }
  void number() const;

  std::vector<FootMotion> feet_;
  std::vector<std::vector<double>> ground_m_;
  std::vector<std::vector<std::optional<Vec3d>>> heel_place_m_;  // per foot and frame
  double dt_;
  FeetScales scales_;
  int frames_;
  Eigen::VectorXd given_;
  std::vector<char> is_given_;
  std::vector<int> shift_of_;  // of an unknown: 2 * shift + along; -1: none
  int shifts_ = 0;
  std::optional<Momentum> momentum_;
  std::vector<Vec3d> lead_m_;          // of the root; empty: none
  mutable std::vector<int> variable_;  // of an unknown; -1: given
  mutable int banded_ = 0;             // variables before the shifts
  mutable std::vector<int> group_sizes_;
};

/// Gauss-Newton with Levenberg's damping. `x` holds the best point on return.
solve::SolveReport solve_feet(const FeetProblem& problem, const PlaceFeetParams& params, Eigen::VectorXd& x);

}  // namespace shosa::feet
