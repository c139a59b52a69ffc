#include "feet/feet_problem.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "scenes/random.h"
#include "scenes/scenes.h"
#include "solve/finite_difference.h"

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
    for (const FootPlan& foot : plan.feet) {
      feet.push_back(*observe_foot(clip, positions, foot, plan.scale));
      feet.back().toes = every_bend(clip, *observe_toes(clip, foot));
      // So stiff that tips come into the ground.
      for (ToeBend& toes : feet.back().toes) toes.range = {-0.05, 0.05};
    }
    return FeetProblem(feet, plan, clip.frame_time_s(), {});
  }
};

Eigen::VectorXd random_change(const FeetProblem& problem, double size, std::uint64_t seed) {
  scenes::Random random(seed);
  Eigen::VectorXd x = problem.start();
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] += random.uniform(-size, size);
  return x;
}

/// Momentum is weighed, and the last frames follow one shift over the ground.
FeetProblem joined_problem() {
  FeetProblem problem = Walk().problem();
  Momentum momentum{.first = 4, .last = problem.frame_count() - 4};
  // Falls faster than with g here and there.
  for (int f = 0; f < problem.frame_count(); ++f) {
    momentum.acceleration_mps2.emplace_back(3.0 * std::sin(f), f % 5 == 0 ? -200.0 : 100.0, std::cos(f));
  }
  problem.weigh(std::move(momentum));
  const int shift = problem.add_shift();
  for (int f = problem.frame_count() - 8; f < problem.frame_count(); ++f) {
    for (int place = 0; place < problem.per_frame(); ++place) {
      const int axis = place < 3 ? place : (place - 3) % 6;
      if (axis == 0 || axis == 2) problem.follow(f * problem.per_frame() + place, 0.0, shift, axis / 2);
    }
  }
  return problem;
}

void expect_every_slope(const FeetProblem& problem) {
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

TEST(FeetProblem, EverySlopeIsTheDerivativeOfItsResidual) {
  expect_every_slope(Walk().problem());
  expect_every_slope(joined_problem());
}

TEST(FeetProblem, TheStepWithABorderIsThatOfTheWholeMatrix) {
  const FeetProblem problem = joined_problem();
  const Eigen::VectorXd x = problem.moved(problem.start(), Eigen::VectorXd::Constant(problem.variable_count(), 0.01));
  FeetProblem::Normal normal = problem.make_normal();
  (void)problem.cost(x, &normal);
  const Eigen::Index shared = normal.corner.rows(), banded = normal.gradient.size() - shared;
  ASSERT_EQ(shared, 2);
  // The same matrix, column by column, and a dense factor.
  Eigen::MatrixXd whole(banded + shared, banded + shared);
  for (Eigen::Index i = 0; i < banded; ++i) {
    whole.col(i).head(banded) = normal.matrix.times(Eigen::VectorXd::Unit(banded, i));
  }
  whole.topRightCorner(banded, shared) = normal.border;
  whole.bottomLeftCorner(shared, banded) = normal.border.transpose();
  whole.bottomRightCorner(shared, shared) = normal.corner;
  const Eigen::VectorXd own = problem.damping();
  whole.diagonal() += 3.0 * own;
  const Eigen::VectorXd dense = whole.ldlt().solve(-normal.gradient);
  Eigen::VectorXd step;
  ASSERT_TRUE(normal.step(3.0, own, step));
  EXPECT_LT((step - dense).norm(), 1e-6 * dense.norm());
  // What follows the shift moves by it, and the slope of the cost along the step is 2 g'p.
  const Eigen::VectorXd next = problem.moved(x, step);
  const int last = (problem.frame_count() - 1) * problem.per_frame();
  EXPECT_DOUBLE_EQ(next[last] - x[last], step[banded]);
  const double h = 1e-6;
  const double slope =
      (problem.cost(problem.moved(x, h * step), nullptr) - problem.cost(problem.moved(x, -h * step), nullptr)) /
      (2.0 * h);
  EXPECT_NEAR(2.0 * normal.gradient.dot(step) / slope, 1.0, 1e-4);
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

/// The motion, the plan and the change from a frame on.
template <class T>
void drop_first(std::vector<T>& list, int count) {
  list.erase(list.begin(), list.begin() + count);
}

TEST(FeetProblem, AWindowWhoseFirstThreeFramesAreHeldGoesOnAsTheWholeDoes) {
  const Walk walk;
  StancePlan plan = walk.plan;
  for (FootPlan& foot : plan.feet) {
    for (Stance& stance : foot.stances) {
      if (stance.ball_m) *stance.ball_m += Vec3d(0.01, 0.0, 0.02);
      if (stance.heel_m) *stance.heel_m += Vec3d(0.01, 0.0, 0.02);
    }
  }
  std::vector<FootMotion> feet;
  for (const FootPlan& foot : plan.feet) feet.push_back(*observe_foot(walk.clip, walk.positions, foot, plan.scale));
  const PlaceFeetParams params{.max_steps = 200, .converged = 1e-14};
  const FeetProblem whole(feet, plan, walk.clip.frame_time_s(), {});
  Eigen::VectorXd all = whole.start();
  (void)solve_feet(whole, params, all);

  constexpr int kFrom = 11, kHeld = 3;
  FeetChange shown = whole.change(all);
  drop_first(shown.root_m, kFrom);
  shown.root_m.resize(kHeld);
  for (FootChange& foot : shown.feet) {
    drop_first(foot.ball_m, kFrom);
    drop_first(foot.turn_rad, kFrom);
  }
  for (std::size_t i = 0; i < feet.size(); ++i) {
    for (auto* path : {&feet[i].hip_m, &feet[i].ankle_m, &feet[i].ball_m, &feet[i].heel_m}) drop_first(*path, kFrom);
    for (auto* list : {&feet[i].thigh_m, &feet[i].shank_m, &feet[i].knee_rad}) drop_first(*list, kFrom);
    drop_first(feet[i].rotation, kFrom);
    drop_first(plan.feet[i].ground_m, kFrom);
    std::erase_if(plan.feet[i].stances, [](const Stance& stance) { return stance.last < kFrom; });
    for (Stance& stance : plan.feet[i].stances) {
      stance.first = std::max(0, stance.first - kFrom);
      stance.last -= kFrom;
    }
  }
  FeetProblem window(feet, plan, walk.clip.frame_time_s(), {});
  window.hold(0, shown);
  Eigen::VectorXd rest = window.start();
  (void)solve_feet(window, params, rest);
  EXPECT_GT(all.cwiseAbs().maxCoeff(), 0.01);
  EXPECT_LT((rest - all.tail(rest.size())).cwiseAbs().maxCoeff(), 1e-6);
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
