#include "shosa/solve/cma_es.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace shosa::solve {
namespace {

using Eigen::VectorXd;

double sphere(const VectorXd& x) {
  return x.squaredNorm();
}
double ellipsoid(const VectorXd& x) {
  double sum = 0.0;
  for (Eigen::Index i = 0; i < x.size(); ++i)
    sum += std::pow(1e6, static_cast<double>(i) / static_cast<double>(x.size() - 1)) * x(i) * x(i);
  return sum;
}
double rosenbrock(const VectorXd& x) {
  double sum = 0.0;
  for (Eigen::Index i = 0; i + 1 < x.size(); ++i)
    sum += 100.0 * std::pow(x(i + 1) - x(i) * x(i), 2) + std::pow(1.0 - x(i), 2);
  return sum;
}
double rastrigin(const VectorXd& x) {
  double sum = 10.0 * static_cast<double>(x.size());
  for (const double v : x) sum += v * v - 10.0 * std::cos(2.0 * std::numbers::pi * v);
  return sum;
}

TEST(CmaEs, FindsTheMinimumOfTheSphereInTheEvaluationsTheLiteratureNeeds) {
  const auto found = minimize_cma_es(sphere, VectorXd::Constant(10, 2.0), {.stop_cost = 1e-10});
  ASSERT_TRUE(found.has_value());
  EXPECT_LE(found->cost, 1e-10);
  EXPECT_EQ(found->report.stop_reason, StopReason::cost_reached);
  EXPECT_LT(found->report.evaluations, 2500);  // 10-D: about 1800 in Hansen's tables for 1e-9.
}

TEST(CmaEs, AdaptsToAnEllipsoidOfConditionAMillion) {
  const auto found = minimize_cma_es(ellipsoid, VectorXd::Constant(10, 1.0), {.stop_cost = 1e-10});
  ASSERT_TRUE(found.has_value());
  EXPECT_LE(found->cost, 1e-10);
  EXPECT_LT(found->report.evaluations, 9000);
}

TEST(CmaEs, ActiveUpdateNeedsFewerEvaluationsOnTheEllipsoid) {
  long active = 0, passive = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const VectorXd start = VectorXd::Constant(10, 1.0);
    active += minimize_cma_es(ellipsoid, start, {.stop_cost = 1e-10, .seed = seed})->report.evaluations;
    passive +=
        minimize_cma_es(ellipsoid, start, {.active = false, .stop_cost = 1e-10, .seed = seed})->report.evaluations;
  }
  EXPECT_LT(active, passive);
}

TEST(CmaEs, FollowsTheValleyOfRosenbrock) {
  const auto found = minimize_cma_es(rosenbrock, VectorXd::Zero(8), {.stop_cost = 1e-10, .restarts = 3});
  ASSERT_TRUE(found.has_value());
  EXPECT_LE(found->cost, 1e-10);
  EXPECT_LT((found->x - VectorXd::Ones(8)).norm(), 1e-4);
}

TEST(CmaEs, RestartsWithLargerPopulationsLeaveTheLocalMinimaOfRastrigin) {
  const CmaEsParams params{.sigma = 2.0, .max_evaluations = 400000, .stop_cost = 1e-8, .restarts = 8};
  const auto found = minimize_cma_es(rastrigin, VectorXd::Constant(5, 3.1), params);
  ASSERT_TRUE(found.has_value());
  EXPECT_LE(found->cost, 1e-8);
  EXPECT_GT(found->restarts_used, 0) << "one small run should not have been enough; the test shows nothing then";
}

TEST(CmaEs, StaysInsideItsBounds) {
  const auto shifted = [](const VectorXd& x) {
    EXPECT_LE(x.maxCoeff(), 2.0);
    return (x - VectorXd::Constant(4, 3.0)).squaredNorm();
  };
  const auto found = minimize_cma_es(shifted, VectorXd::Zero(4),
                                     {.low = VectorXd::Constant(4, -1.0), .high = VectorXd::Constant(4, 2.0)});
  ASSERT_TRUE(found.has_value());
  EXPECT_LT((found->x - VectorXd::Constant(4, 2.0)).norm(), 1e-6);
}

TEST(CmaEs, SameSeedGivesTheSameBitsAndAnotherSeedDoesNot) {
  const auto run = [](std::uint64_t seed) {
    return minimize_cma_es(rastrigin, VectorXd::Constant(4, 2.0), {.max_evaluations = 300, .seed = seed})->x;
  };
  EXPECT_EQ(run(7), run(7));
  EXPECT_NE(run(7), run(8));
}

TEST(CmaEs, EndsAtItsBudget) {
  const auto found = minimize_cma_es(rosenbrock, VectorXd::Zero(8), {.max_evaluations = 100});
  EXPECT_EQ(found->report.stop_reason, StopReason::max_iterations);
  EXPECT_LE(found->report.evaluations, 100 + 10);
  EXPECT_LE(found->report.final_cost, found->report.initial_cost);
}

TEST(CmaEs, RanksWhatIsNotFiniteLast) {
  const auto half = [](const VectorXd& x) { return x(0) < 0.5 ? std::nan("") : x.squaredNorm(); };
  const auto found = minimize_cma_es(half, VectorXd::Constant(3, 2.0));
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->cost, 0.25, 1e-6);
}

TEST(CmaEs, RefusesWhatBreaksARule) {
  const VectorXd start = VectorXd::Zero(2);
  EXPECT_FALSE(minimize_cma_es(sphere, VectorXd()).has_value());
  EXPECT_FALSE(minimize_cma_es(sphere, VectorXd::Constant(2, std::nan(""))).has_value());
  EXPECT_FALSE(minimize_cma_es(sphere, start, {.sigma = 0.0}).has_value());
  EXPECT_FALSE(minimize_cma_es(sphere, start, {.scale = VectorXd::Ones(3)}).has_value());
  EXPECT_FALSE(minimize_cma_es(sphere, start, {.low = VectorXd::Ones(2), .high = VectorXd::Zero(2)}).has_value());
  EXPECT_FALSE(minimize_cma_es(sphere, start, {.population = 2}).has_value());
  EXPECT_FALSE(minimize_cma_es(sphere, start, {.max_evaluations = 0}).has_value());
}

}  // namespace
}  // namespace shosa::solve
