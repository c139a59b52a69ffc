#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "feet/band_matrix.h"
#include "feet/feet_plan.h"
#include "feet/feet_terms.h"

namespace shosa::feet {

/// What a plan needs and nobody keeps: the samples ahead, and the solve on the knots.
struct FeetWindow::Room {
  explicit Room(std::shared_ptr<const FollowedBody> of);

  std::shared_ptr<const FollowedBody> body;
  FeetScales scales;  ///< Of this body.
  int samples = 0;
  std::vector<FootMotion> motion;  ///< Per foot, samples.
  std::vector<std::array<Stance, FeetPlan::kMostStances>> stances;
  std::vector<int> stance_count;

  FeetPlan plan;                  ///< Being made.
  std::vector<FootMotion> knots;  ///< Per foot.
  std::vector<std::vector<double>> ground_m;
  std::vector<std::vector<std::optional<Vec3d>>> heel_place_m;
  Eigen::VectorXd x, trial, step, own, gradient;
  std::vector<int> variable;  ///< Of an unknown; -1: given.
  std::vector<int> last;      ///< Row that a column of the matrix reaches.
  BandMatrix matrix, factor;

  FeetTerms terms() const {
    return {knots, ground_m, heel_place_m, plan.knot_s(), scales, plan.knot_count(), nullptr, FeetPlan::kBefore + 1};
  }
  /// Motion, heels and unknowns at the knots.
  void fill(const FeetPlan& before);
  /// Gauss-Newton with Levenberg's damping, from `x` on.
  solve::SolveReport solve(const GroundView& ground);
  /// Takes the unknowns into the plan.
  void take();

 private:
  void fill_motion();
  void fill_unknowns(const FeetPlan& before);
  void find_ground(const GroundView& ground);
  double cost(const Eigen::VectorXd& at) const;
  /// The same at `x`, with matrix and gradient.
  double linearise();
};

}  // namespace shosa::feet
