#include "shosa/solve/minimum_jerk.h"

#include <gtest/gtest.h>

#include "solve/finite_difference.h"

namespace shosa::solve {
namespace {

TEST(MinimumJerkStep, IsTheQuinticOfFlashAndHogan) {
  for (const double tau : {0.1, 0.25, 0.5, 0.8}) {
    const double expected = 6 * std::pow(tau, 5) - 15 * std::pow(tau, 4) + 10 * std::pow(tau, 3);
    EXPECT_NEAR(minimum_jerk(1.0 + 2.0 * tau, 1.0, 3.0).value, expected, 1e-15);
    EXPECT_NEAR(minimum_jerk_value(1.0 + 2.0 * tau, 1.0, 3.0), expected, 1e-15);
  }
}

TEST(MinimumJerkStep, RestsOutsideAndPeaksInTheMiddle) {
  EXPECT_EQ(minimum_jerk(0.9, 1.0, 3.0).value, 0.0);
  EXPECT_EQ(minimum_jerk(3.0, 1.0, 3.0).value, 1.0);
  EXPECT_EQ(minimum_jerk(5.0, 1.0, 3.0).velocity, 0.0);
  EXPECT_NEAR(minimum_jerk(2.0, 1.0, 3.0).velocity, 1.875 / 2.0, 1e-14);
  EXPECT_NEAR(minimum_jerk(2.0, 1.0, 3.0).acceleration, 0.0, 1e-14);
}

TEST(MinimumJerkStep, VelocityAndAccelerationAreContinuousAtBothEnds) {
  for (const double end : {0.4, 1.1}) {
    const auto before = minimum_jerk(end - 1e-9, 0.4, 1.1), after = minimum_jerk(end + 1e-9, 0.4, 1.1);
    EXPECT_NEAR(before.value, after.value, 1e-12);
    EXPECT_NEAR(before.velocity, after.velocity, 1e-12);
    EXPECT_NEAR(before.acceleration, after.acceleration, 1e-5);
  }
}

TEST(MinimumJerkStep, DerivativesAgreeWithFiniteDifferences) {
  for (const double t : {0.5, 0.7, 0.77, 1.0}) {
    const auto by_time = [](const Eigen::VectorXd& x) {
      const auto s = minimum_jerk(x(0), 0.4, 1.1);
      return Eigen::VectorXd(Eigen::Vector3d(s.value, s.velocity, s.acceleration));
    };
    const auto step = minimum_jerk(t, 0.4, 1.1);
    EXPECT_LT(jacobian_error(by_time, Eigen::VectorXd::Constant(1, t),
                             Eigen::Vector3d(step.velocity, step.acceleration, step.jerk)),
              1e-7);
    const auto by_ends = [t](const Eigen::VectorXd& x) {
      return Eigen::VectorXd(Eigen::VectorXd::Constant(1, minimum_jerk_value(t, x(0), x(1))));
    };
    const auto timing = minimum_jerk_timing(t, 0.4, 1.1);
    EXPECT_LT(jacobian_error(by_ends, Eigen::Vector2d(0.4, 1.1), Eigen::RowVector2d(timing.by_t0, timing.by_tf)), 1e-8);
  }
}

TEST(FiniteDifferenceChecker, SeesAWrongDerivative) {
  const auto square = [](const Eigen::VectorXd& x) { return Eigen::VectorXd(x.cwiseProduct(x)); };
  const Eigen::VectorXd x = Eigen::Vector2d(1.0, 3.0);
  Eigen::MatrixXd right = (2.0 * x).asDiagonal();
  EXPECT_LT(jacobian_error(square, x, right), 1e-8);
  Eigen::MatrixXd wrong = right;
  wrong(1, 0) = 0.01;
  EXPECT_GT(jacobian_error(square, x, wrong), 1e-3);
  EXPECT_TRUE(std::isinf(jacobian_error(square, x, right.leftCols(1))));
}

}  // namespace
}  // namespace shosa::solve
