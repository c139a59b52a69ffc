#include "shosa/core/rotations.h"

#include <gtest/gtest.h>

#include <numbers>
#include <vector>

#include "scenes/random.h"

namespace shosa {
namespace {

TEST(ShortestTurn, TakesOneDirectionToTheOtherThroughTheAngleBetweenThem) {
  scenes::Random random(7);
  for (int i = 0; i < 1000; ++i) {
    const Vec3d from = random.direction() * random.uniform(1e-3, 1e3), to = random.direction();
    const Quatd turn = shortest_turn(from, to);
    EXPECT_NEAR(turn.norm(), 1.0, 1e-12) << i;
    EXPECT_LT((turn * from.normalized() - to).norm(), 1e-9) << i;
    EXPECT_NEAR(Quatd::Identity().angularDistance(turn), std::acos(from.normalized().dot(to)), 1e-7) << i;
  }
}

TEST(ShortestTurn, IsHalfATurnBetweenOppositeDirections) {
  for (const Vec3d& from : {Vec3d(1, 0, 0), Vec3d(0, -2, 0), Vec3d(0, 0, 3), Vec3d(1, 2, -3)}) {
    const Quatd turn = shortest_turn(from, -0.5 * from);
    EXPECT_NEAR(turn.norm(), 1.0, 1e-12);
    EXPECT_LT((turn * from + from).norm(), 1e-9 * from.norm());
  }
}

TEST(ShortestTurn, LeavesAZeroVectorAlone) {
  EXPECT_TRUE(shortest_turn(Vec3d::Zero(), Vec3d::UnitX()).isApprox(Quatd::Identity()));
  EXPECT_TRUE(shortest_turn(Vec3d::UnitX(), Vec3d::Zero()).isApprox(Quatd::Identity()));
}

TEST(RotationVector, ExpAndLogUndoEachOther) {
  scenes::Random random(11);
  for (int i = 0; i < 100; ++i) {
    const Vec3d r = random.uniform(0.0, 3.1) * random.direction();
    EXPECT_LT((log_rotation(exp_rotation(r)) - r).norm(), 1e-12);
  }
  EXPECT_LT((log_rotation(exp_rotation({1e-7, 0, 0})) - Vec3d(1e-7, 0, 0)).norm(), 1e-20);
  EXPECT_EQ(log_rotation(Quatd::Identity()), Vec3d::Zero());
}

// Whichever way the last digits are rounded, and of both signs of the quaternion.
TEST(RotationVector, HalfATurnIsAboutOneAxis) {
  for (const Vec3d& axis : {Vec3d(1, 0, 0), Vec3d(0, -1, 0), Vec3d(1, 1, 0), Vec3d(1, -1, 0), Vec3d(-1, 0, 1),
                            Vec3d(1, 1, 1), Vec3d(-1, 1, -1)}) {
    const Vec3d unit = axis.normalized();
    const Vec3d expected = log_rotation(Quatd(0.0, unit.x(), unit.y(), unit.z()));
    EXPECT_NEAR(expected.norm(), 3.14159265358979, 1e-12);
    scenes::Random random(4);
    for (int k = 0; k < 50; ++k) {
      const Vec3d off = unit + 1e-8 * random.direction();
      Quatd q(random.uniform(-1e-8, 1e-8), off.x(), off.y(), off.z());
      if (k % 2) q.coeffs() = -q.coeffs();
      EXPECT_LT((log_rotation(q) - expected).norm(), 2e-7) << axis.transpose() << ", number " << k;
      EXPECT_LT(exp_rotation(log_rotation(q)).angularDistance(q.normalized()), 1e-9);
    }
  }
}

TEST(RotationVector, IsRightUpToAHalfTurn) {
  for (const double angle : {0.0, 1e-12, 1e-4, 1.0, 3.0, 3.14159}) {
    const Vec3d axis = Vec3d(1, -2, 0.5).normalized();
    const Quatd q(Eigen::AngleAxisd(angle, axis));
    EXPECT_LT((log_rotation(q) - angle * axis).norm(), 1e-9) << angle;
    EXPECT_LT((log_rotation(Quatd(-q.coeffs())) - angle * axis).norm(), 1e-9) << angle;
  }
}

// Against Eigen's angle and axis, over the series, its end and large turns.
TEST(RotationVector, ExpTurnsByItsLengthAboutItself) {
  scenes::Random random(5);
  for (const double angle : {0.0, 1e-12, 1e-6, 1e-3, 0.1, 0.4999, 0.5001, 1.0, 3.0, 3.2, 6.0}) {
    const Vec3d axis = random.direction();
    const Quatd expected(Eigen::AngleAxisd(angle, axis));
    EXPECT_LT((exp_rotation(angle * axis).coeffs() - expected.coeffs()).norm(), 4e-16) << angle;
    EXPECT_LT((exp_derivative(angle * axis).turn.coeffs() - expected.coeffs()).norm(), 4e-16) << angle;
  }
}

TEST(RotationVector, ItsDerivativeAgreesWithFiniteDifferences) {
  scenes::Random random(6);
  for (const double angle : {0.0, 1e-5, 9e-4, 1.1e-3, 0.3, 2.0, 3.1}) {
    const Vec3d v = angle * random.direction(), arm = random.direction();
    const ExpDerivative exact = exp_derivative(v);
    const Eigen::Matrix3d moved = -cross_matrix(exact.turn * arm) * exact.left;
    constexpr double h = 1e-5;
    for (int k = 0; k < 3; ++k) {
      const Vec3d step = h * Vec3d::Unit(k);
      const Quatd plus = exp_rotation(v + step), minus = exp_rotation(v - step);
      EXPECT_LT((log_rotation(plus * minus.conjugate()) / (2.0 * h) - exact.left.col(k)).norm(), 1e-9) << angle;
      EXPECT_LT((log_rotation(minus.conjugate() * plus) / (2.0 * h) - exact.left.transpose().col(k)).norm(), 1e-9);
      EXPECT_LT(((plus * arm - minus * arm) / (2.0 * h) - moved.col(k)).norm(), 1e-9) << angle;
    }
  }
}

TEST(MeanRotation, LiesInTheMiddleWhateverTheSigns) {
  scenes::Random random(8);
  for (int i = 0; i < 100; ++i) {
    const Quatd middle = random.rotation();
    std::vector<Quatd> turns = {random.rotation()};  // not asked for
    for (int k = 0; k < 3; ++k) {
      const Vec3d off = random.uniform(0.0, 0.5) * random.direction();
      for (const double side : {-1.0, 1.0}) turns.push_back(exp_rotation(side * off) * middle);
      if (k % 2) turns.back().coeffs() = -turns.back().coeffs();
    }
    const Quatd mean = mean_rotation(turns, 1, 6);
    EXPECT_NEAR(mean.norm(), 1.0, 1e-12);
    EXPECT_LT(mean.angularDistance(middle), 1e-7) << i;
  }
  EXPECT_FALSE(MeanRotation().known());
}

TEST(Heading, IsWhereATurnAboutYTakesForward) {
  EXPECT_LT((about_y(0.5 * std::numbers::pi) * Vec3d::UnitZ() - Vec3d::UnitX()).norm(), 1e-15);
  for (double a = -3.1; a < 3.1; a += 0.2) EXPECT_NEAR(heading_of(about_y(a) * Vec3d(0.0, 0.7, 2.0)), a, 1e-14);
}

TEST(WrapAngle, KeepsTheDirection) {
  for (double a = -20.0; a < 20.0; a += 0.613) {
    const double w = wrap_angle(a);
    EXPECT_GT(w, -std::numbers::pi);
    EXPECT_LE(w, std::numbers::pi);
    EXPECT_NEAR(std::cos(w), std::cos(a), 1e-12);
    EXPECT_NEAR(std::sin(w), std::sin(a), 1e-12);
  }
}

}  // namespace
}  // namespace shosa
