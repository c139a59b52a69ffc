#include "shosa/feet/feet_problem.h"

#include <gtest/gtest.h>

#include "scenes/random.h"
#include "scenes/scenes.h"
#include "shosa/solve/finite_difference.h"

namespace shosa::feet {
namespace {

/// A short walk and its own stances.
struct Walk {
  Clip clip = scenes::walk({.duration_s = 1.2, .fps = 30.0}).clip;
  body::BodyMap map = body::guess_body_map(clip.skeleton());
  ClipPositions positions = clip_positions(clip);
  StancePlan plan = *captured_stances(clip, positions, *analysis::find_foot_contacts(clip, positions, map));

  FeetProblem problem() const {
    std::vector<FootMotion> feet;
    for (const FootPlan& foot : plan.feet) feet.push_back(*observe_foot(clip, positions, foot, plan.scale));
    return FeetProblem(feet, plan, clip.frame_time_s(), {});
  }
};

Eigen::VectorXd random_change(const FeetProblem& problem, double size, std::uint64_t seed) {
  scenes::Random random(seed);
  Eigen::VectorXd x = problem.start();
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] += random.uniform(-size, size);
  return x;
}

TEST(FeetProblem, EverySlopeIsTheDerivativeOfItsResidual) {
  const FeetProblem problem = Walk().problem();
  const Eigen::VectorXd x = random_change(problem, 0.05, 11);
  std::vector<double> values, plus, minus;
  std::vector<std::vector<Slope>> slopes, ignored;
  problem.residuals(x, values, slopes);
  Eigen::MatrixXd analytic = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(values.size()), x.size());
  for (std::size_t row = 0; row < slopes.size(); ++row) {
    for (const Slope& slope : slopes[row]) analytic(static_cast<Eigen::Index>(row), slope.unknown) += slope.value;
  }
  // Each residual by itself: the scales differ by orders of magnitude.
  const double step = 1e-6;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    Eigen::VectorXd moved = x;
    moved[i] += step;
    problem.residuals(moved, plus, ignored);
    moved[i] -= 2.0 * step;
    problem.residuals(moved, minus, ignored);
    // An inequality that comes or goes within the step would be another list.
    ASSERT_EQ(plus.size(), values.size());
    ASSERT_EQ(minus.size(), values.size());
    for (std::size_t row = 0; row < values.size(); ++row) {
      const double slope = (plus[row] - minus[row]) / (2.0 * step), own = analytic(static_cast<Eigen::Index>(row), i);
      ASSERT_NEAR(own, slope, 1e-4 * std::max(1.0, analytic.row(static_cast<Eigen::Index>(row)).cwiseAbs().maxCoeff()))
          << "residual " << row << ", unknown " << i;
    }
  }
}

TEST(FeetProblem, TheNormalEquationsAreThoseOfTheResiduals) {
  const FeetProblem problem = Walk().problem();
  const Eigen::VectorXd x = random_change(problem, 0.03, 5);
  FeetProblem::Normal normal = problem.make_normal();
  const double cost = problem.cost(x, &normal);
  EXPECT_NEAR(problem.cost(x, nullptr) / cost, 1.0, 1e-12);
  // Along a random step: the cost's slope is 2 g'p.
  scenes::Random random(3);
  Eigen::VectorXd step(problem.variable_count());
  for (Eigen::Index i = 0; i < step.size(); ++i) step[i] = random.uniform(-1.0, 1.0);
  const double h = 1e-7;
  const double slope =
      (problem.cost(problem.moved(x, h * step), nullptr) - problem.cost(problem.moved(x, -h * step), nullptr)) /
      (2.0 * h);
  EXPECT_NEAR(2.0 * normal.gradient.dot(step) / slope, 1.0, 1e-4);
}

TEST(FeetProblem, WhatIsGivenIsNoUnknown) {
  FeetProblem problem = Walk().problem();
  const int before = problem.variable_count();
  problem.give(0, 0.01);
  EXPECT_EQ(problem.variable_count(), before - 1);
  Eigen::VectorXd x = problem.start();
  (void)solve_feet(problem, {}, x);
  EXPECT_EQ(x[0], 0.01);
}

}  // namespace
}  // namespace shosa::feet
