#include <gtest/gtest.h>

#include <cmath>

#include "shosa/solve/levenberg_marquardt.h"
#include "shosa/solve/variable_projection.h"
#include "solve/finite_difference.h"

namespace shosa::solve {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Rosenbrock {
  double evaluate(const VectorXd& x, MatrixXd& jtj, VectorXd& jtr) {
    const Eigen::Vector2d r(10.0 * (x(1) - x(0) * x(0)), 1.0 - x(0));
    Eigen::Matrix2d j;
    j << -20.0 * x(0), 10.0, -1.0, 0.0;
    jtj = j.transpose() * j;
    jtr = j.transpose() * r;
    return 0.5 * r.squaredNorm();
  }
  void project(VectorXd& x) { x(0) = std::min(x(0), bound); }
  double bound = 1e9;
};

TEST(LevenbergMarquardt, SolvesRosenbrockAsASumOfSquares) {
  Rosenbrock problem;
  VectorXd x = Eigen::Vector2d(-1.2, 1.0), jtr(2);
  MatrixXd jtj(2, 2);
  const SolveReport report = levenberg_marquardt(problem, x, jtj, jtr, {.max_iterations = 100, .stop_cost = 1e-24});
  EXPECT_LT((x - Eigen::Vector2d(1.0, 1.0)).norm(), 1e-9);
  EXPECT_EQ(report.stop_reason, StopReason::cost_reached);
  EXPECT_LT(report.final_cost, report.initial_cost);
}

TEST(LevenbergMarquardt, StaysInsideWhatProjectAllows) {
  Rosenbrock problem{.bound = 0.5};
  VectorXd x = Eigen::Vector2d(-1.2, 1.0), jtr(2);
  MatrixXd jtj(2, 2);
  levenberg_marquardt(problem, x, jtj, jtr, {.max_iterations = 300, .relative_cost = 1e-14});
  EXPECT_NEAR(x(0), 0.5, 1e-12);
  EXPECT_NEAR(x(1), 0.25, 1e-3);  // Steps are cut at the bound, so that the rest converges slowly.
}

// Two exponentials: y = z0 + z1 exp(-a t) + z2 exp(-b t), the usual separable example.
struct Exponentials {
  MatrixXd y;
  bool fixed_sum = false;
  SeparableProblem<3, 2> separable;

  static constexpr int kSamples = 60;
  static double time(int i) { return 0.05 * i; }

  double evaluate(const VectorXd& x, MatrixXd& jtj, VectorXd& jtr) {
    MatrixXd c(kSamples, 3), d(kSamples, 2);
    for (int i = 0; i < kSamples; ++i) {
      c.row(i) << 1.0, std::exp(-x(0) * time(i)), std::exp(-x(1) * time(i));
      d.row(i) << -time(i) * c(i, 1), -time(i) * c(i, 2);
    }
    separable.gram = c.transpose() * c;
    separable.cross = c.transpose() * d;
    separable.inner = d.transpose() * d;
    separable.data = c.transpose() * y;
    separable.slope = d.transpose() * y;
    separable.energy = y.squaredNorm();
    separable.owner.resize(2);
    separable.owner(0) = 1;
    separable.owner(1) = 2;
    separable.offset = MatrixXd::Zero(3, y.cols());
    if (fixed_sum) {
      // z2 = 1 - z1.
      separable.select = MatrixXd::Zero(3, 2);
      separable.select.block(0, 0, 2, 2).setIdentity();
      separable.select(2, 1) = -1.0;
      separable.offset.row(2).setOnes();
    } else {
      separable.select = MatrixXd::Identity(3, 3);
    }
    jtj.resize(2, 2);
    jtr.resize(2);
    return separable.solve(0.0, jtj, jtr);
  }
  void project(VectorXd&) {}
};

Exponentials two_channels() {
  Exponentials problem;
  problem.y.resize(Exponentials::kSamples, 2);
  for (int i = 0; i < Exponentials::kSamples; ++i) {
    const double t = Exponentials::time(i);
    problem.y.row(i) << 0.3 + 2.0 * std::exp(-0.7 * t) - 1.0 * std::exp(-3.0 * t), 1.0 + 0.5 * std::exp(-3.0 * t);
  }
  return problem;
}

TEST(VariableProjection, RecoversRatesAndAmplitudesOfTwoExponentials) {
  Exponentials problem = two_channels();
  VectorXd x = Eigen::Vector2d(0.3, 5.0), jtr(2);
  MatrixXd jtj(2, 2);
  levenberg_marquardt(problem, x, jtj, jtr, {.max_iterations = 100, .stop_cost = 1e-22});
  EXPECT_NEAR(x(0), 0.7, 1e-6);
  EXPECT_NEAR(x(1), 3.0, 1e-6);
  EXPECT_NEAR(problem.separable.coefficients(1, 0), 2.0, 1e-5);
  EXPECT_NEAR(problem.separable.coefficients(1, 1), 0.0, 1e-5);
}

TEST(VariableProjection, GradientAgreesWithFiniteDifferences) {
  for (const bool fixed_sum : {false, true}) {
    Exponentials problem = two_channels();
    problem.fixed_sum = fixed_sum;
    const VectorXd x = Eigen::Vector2d(0.4, 2.0);
    MatrixXd jtj;
    VectorXd jtr;
    problem.evaluate(x, jtj, jtr);
    const auto cost = [&](const VectorXd& at) {
      MatrixXd a;
      VectorXd b;
      return VectorXd(VectorXd::Constant(1, problem.evaluate(at, a, b)));
    };
    EXPECT_LT(jacobian_error(cost, x, jtr.transpose(), 1e-5), 1e-7) << fixed_sum;
  }
}

TEST(VariableProjection, KeepsALinearConstraint) {
  Exponentials problem = two_channels();
  problem.fixed_sum = true;
  MatrixXd jtj;
  VectorXd jtr;
  problem.evaluate(Eigen::Vector2d(0.4, 2.0), jtj, jtr);
  EXPECT_NEAR(
      (problem.separable.coefficients.row(1) + problem.separable.coefficients.row(2) - Eigen::RowVector2d::Ones())
          .norm(),
      0.0, 1e-12);
}

// Without a ridge two equal columns leave nothing to divide by; a cost of 0 would pass for a perfect fit.
TEST(VariableProjection, WhereNoNumberComesOfItTheCostIsInfinite) {
  Exponentials problem = two_channels();
  problem.y *= 1e200;
  MatrixXd jtj;
  VectorXd jtr;
  const double cost = problem.evaluate(Eigen::Vector2d(2.0, 2.0), jtj, jtr);
  EXPECT_TRUE(std::isinf(cost) && cost > 0.0) << cost;
}

}  // namespace
}  // namespace shosa::solve
