#include "segment/path_coefficients.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "scenes/random.h"
#include "segment/path_edit.h"

namespace shosa::segment {
namespace {

/// A wandering path of samples 0..n + 1 that rests now and then.
std::vector<Vec3d> random_path(scenes::Random& random, int n, double rest_share) {
  std::vector<Vec3d> x = {random.direction()};
  Vec3d velocity = 0.02 * random.direction();
  int rest = 0;
  for (int i = 0; i <= n; ++i) {
    if (rest == 0 && random.uniform() < rest_share) rest = 1 + random.index(6);
    velocity = 0.8 * velocity + 0.01 * random.direction();
    x.push_back(rest > 0 ? x.back() : Vec3d(x.back() + velocity));
    rest = std::max(0, rest - 1);
  }
  return x;
}

std::vector<Vec3d> edited(const std::vector<Vec3d>& x, const PathCoefficients& c, EditMethod method,
                          const EndChange& change) {
  std::vector<Vec3d> y;
  for (int i = 0; i < static_cast<int>(x.size()); ++i) {
    y.push_back(x[i] + path_offset(c, method, change, i));
  }
  return y;
}

TEST(PathCoefficients, DeltaIsTheShareOfTheWayMade) {
  const std::vector<double> speeds = {1.0, 3.0, 0.0, 4.0, 2.0};
  const PathCoefficients c = path_coefficients(speeds);
  const std::vector<double> expected = {0.0, 0.125, 0.5, 0.5, 1.0, 1.25};
  ASSERT_EQ(c.delta.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_DOUBLE_EQ(c.delta[i], expected[i]);
  EXPECT_DOUBLE_EQ(c.end_share, 0.25);
  EXPECT_FALSE(c.eased);
}

TEST(PathCoefficients, LeastNormAgreesWithAGeneralSvd) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const int n = 2 + random.index(60);
    const auto speeds = path_speeds(random_path(random, n, 0.1));
    const PathCoefficients c = path_coefficients(speeds);
    if (c.even_epsilon) continue;
    Eigen::MatrixXd a(2, n);
    for (int j = 0; j < n; ++j) a.col(j) = speeds[j] * Eigen::Vector2d(n - 1 - j, 1.0);
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Eigen::MatrixXd pseudo_inverse = svd.solve(Eigen::MatrixXd::Identity(2, 2));
    for (int i = 0; i <= n; ++i) {
      double gamma = 0.0, epsilon = 0.0;
      for (int j = 0; j + 2 <= i; ++j) {
        const double r = speeds[j];
        gamma += pseudo_inverse(j, 0) * r * (i - 1 - j);
        epsilon += pseudo_inverse(j, 1) * r * (i - 1 - j);
      }
      EXPECT_NEAR(c.gamma[i], gamma, 1e-9 * (1.0 + std::abs(gamma)));
      EXPECT_NEAR(c.epsilon[i], epsilon, 1e-8 * n);
    }
  }
}

TEST(PathEdit, EveryMethodMeetsWhatItPromises) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const int n = 2 + random.index(80);
    const auto x = random_path(random, n, seed % 2 == 0 ? 0.1 : 0.0);
    const auto c = path_coefficients(path_speeds(x));
    const auto end = static_cast<std::size_t>(n);
    const EndChange change{0.3 * random.direction(), 0.02 * random.direction(), true};
    const Vec3d y0 = x[end] + change.position, w0 = x[end + 1] - x[end] + change.velocity;
    for (const EditMethod method : {EditMethod::two_step, EditMethod::one_step}) {
      const auto y = edited(x, c, method, change);
      EXPECT_EQ(y[0], x[0]);
      EXPECT_LT((y[end] - y0).norm(), 1e-9);
      EXPECT_LT((y[end + 1] - y[end] - w0).norm(), 1e-9);
    }
    // The velocity form also keeps the first velocity.
    const auto one = edited(x, c, EditMethod::one_step, change);
    EXPECT_LT((one[1] - one[0] - (x[1] - x[0])).norm(), 1e-15);
    const auto linear = edited(x, c, EditMethod::linear, change);
    EXPECT_EQ(linear[0], x[0]);
    EXPECT_LT((linear[end] - y0).norm(), 1e-12);
  }
}

TEST(PathEdit, NoChangeGivesThePathBackBitForBit) {
  scenes::Random random(7);
  const auto x = random_path(random, 40, 0.1);
  const auto c = path_coefficients(path_speeds(x));
  for (const EditMethod method : {EditMethod::two_step, EditMethod::one_step, EditMethod::linear}) {
    for (const bool with_velocity : {false, true}) {
      EXPECT_EQ(edited(x, c, method, {.has_velocity = with_velocity}), x);
    }
  }
}

TEST(PathEdit, APointAtRestStaysAtRestUnderPositionAndVelocity) {
  int rests = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const int n = 12 + random.index(60);
    const auto x = random_path(random, n, 0.08);
    const auto c = path_coefficients(path_speeds(x));
    if (c.eased || c.even_tail) continue;
    const EndChange change{0.3 * random.direction(), 0.02 * random.direction(), true};
    const auto y = edited(x, c, EditMethod::two_step, change);
    const auto position_only = edited(x, c, EditMethod::two_step, {.position = change.position});
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      if (x[i + 1] != x[i]) continue;
      ++rests;
      EXPECT_EQ(y[i + 1], y[i]);
      EXPECT_EQ(position_only[i + 1], position_only[i]);
    }
  }
  EXPECT_GT(rests, 500);
}

TEST(PathEdit, TheSeedsRuleLetsARestDriftUnderAVelocityAndTheLinearSpreadAlways) {
  scenes::Random random(3);
  std::vector<Vec3d> x = random_path(random, 60, 0.0);
  for (std::size_t i = 21; i <= 35; ++i) x[i] = x[20];
  for (std::size_t i = 36; i < x.size(); ++i) x[i] = x[i - 1] + Vec3d(0.01, 0.0, 0.002);
  const auto c = path_coefficients(path_speeds(x));
  const EndChange change{Vec3d(0.2, 0.0, 0.0), Vec3d(0.01, 0.0, 0.0), true};
  for (const EditMethod method : {EditMethod::one_step, EditMethod::linear}) {
    const auto y = edited(x, c, method, change);
    EXPECT_GT((y[30] - y[25]).norm(), 1e-3);
  }
}

TEST(PathEdit, OneStepBendsWhereTwoStepDoesNot) {
  // A straight even path whose end is moved back to 10 % of its length: the x of one_step runs past its end and
  // returns.
  std::vector<Vec3d> x;
  for (int i = 0; i <= 41; ++i) x.push_back({0.025 * i, 0.0, 0.0});
  const auto c = path_coefficients(path_speeds(x));
  const EndChange change{Vec3d(-0.9, 0.0, 0.0), Vec3d::Zero(), true};
  const auto turns_back = [](const std::vector<Vec3d>& y) {
    int count = 0;
    for (std::size_t i = 0; i + 2 < y.size(); ++i) count += y[i + 1].x() < y[i].x() - 1e-12 ? 1 : 0;
    return count;
  };
  EXPECT_GT(turns_back(edited(x, c, EditMethod::one_step, change)), 5);
  EXPECT_EQ(turns_back(edited(x, c, EditMethod::two_step, {.position = change.position})), 0);
}

TEST(PathEdit, APathThatNeverMovesIsEased) {
  const std::vector<Vec3d> x(20, Vec3d(1.0, 2.0, 3.0));
  const auto c = path_coefficients(path_speeds(x));
  EXPECT_TRUE(c.eased);
  const auto y = edited(x, c, EditMethod::two_step,
                        {.position = Vec3d(0.1, 0.0, 0.0), .velocity = Vec3d::Zero(), .has_velocity = true});
  EXPECT_EQ(y[0], x[0]);
  EXPECT_NEAR(y[18].x(), 1.1, 1e-15);
  EXPECT_LT((y[1] - y[0]).norm(), 1e-3);
}

TEST(PathEdit, AStepOfOneFrameMeetsItsPosition) {
  // n = 1: the position can be met, the velocity cannot be changed on top.
  const std::vector<Vec3d> x = {Vec3d::Zero(), Vec3d(0.1, 0, 0), Vec3d(0.2, 0, 0)};
  const auto c = path_coefficients(path_speeds(x));
  EXPECT_EQ(c.last(), 1);
  const auto y = edited(x, c, EditMethod::two_step, {.position = Vec3d(0.0, 0.5, 0.0)});
  EXPECT_EQ(y[0], x[0]);
  EXPECT_NEAR(y[1].y(), 0.5, 1e-15);
}

TEST(PlayingPath, BeforeTheStartItIsTheTwoStepEdit) {
  scenes::Random random(11);
  const auto x = random_path(random, 50, 0.1);
  const auto speeds = path_speeds(x);
  const auto c = path_coefficients(speeds);
  const EndChange change{Vec3d(0.1, 0.05, -0.2), Vec3d(0.004, 0.0, 0.003), true};
  PlayingPath path(x, speeds);
  ASSERT_TRUE(path.set_end(-1, change));
  const auto expected = edited(x, c, EditMethod::two_step, change);
  for (int i = 0; i <= 51; ++i) EXPECT_LT((path.at(i) - expected[i]).norm(), 1e-12) << i;
}

TEST(PlayingPath, WhatWasPlayedStaysAndTheRestMeetsTheNewEndWithoutAJump) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const int n = 30 + random.index(60);
    const auto x = random_path(random, n, seed % 2 == 0 ? 0.05 : 0.0);
    const auto speeds = path_speeds(x);
    PlayingPath path(x, speeds);
    ASSERT_TRUE(path.set_end(-1, {0.2 * random.direction(), 0.01 * random.direction(), true}));
    std::vector<Vec3d> played = {path.at(0)};
    EndChange change;
    // The end is moved at random while the path plays.
    int last_change = 0;
    for (int now = 0; now < n; ++now) {
      if (now < n - 14 && random.uniform() < 0.1) {
        change = {0.2 * random.direction(), 0.01 * random.direction(), true};
        const Vec3d here = path.at(now), next = path.at(now + 1);
        ASSERT_TRUE(path.set_end(now, change));
        EXPECT_EQ(path.at(now), here);
        EXPECT_TRUE(path.eased() || (path.at(now + 1) - next).norm() < 1e-15);
        last_change = now;
      }
      played.push_back(path.at(now + 1));
      for (std::size_t i = 0; i < played.size(); ++i) ASSERT_EQ(path.at(static_cast<int>(i)), played[i]);
    }
    const auto end = static_cast<std::size_t>(n);
    if (last_change > 0) {
      EXPECT_LT((path.at(n) - x[end] - change.position).norm(), 1e-9);
      EXPECT_LT((path.at(n + 1) - path.at(n) - (x[end + 1] - x[end]) - change.velocity).norm(), 1e-9);
    }
  }
}

TEST(PlayingPath, ANewEndChangesTheVelocityNoFasterThanItsRamp) {
  // An even path: the change of velocity from one frame to the next is at most the steepest part of the ramp.
  std::vector<Vec3d> x;
  for (int i = 0; i <= 61; ++i) x.push_back({0.02 * i, 0.0, 0.0});
  PlayingPath path(x, path_speeds(x), 12);
  ASSERT_TRUE(path.set_end(20, {.position = Vec3d(0.0, 0.0, 0.4)}));
  double largest = 0.0;
  for (int i = 1; i <= 58; ++i)
    largest = std::max(largest, (path.offset(i + 1) - 2 * path.offset(i) + path.offset(i - 1)).norm());
  const double speed = 0.4 / (60 - 20 - 6);
  EXPECT_LT(largest, 1.875 * speed / 12 * 1.05);
  EXPECT_NEAR(path.at(60).z(), 0.4, 1e-12);
}

TEST(PlayingPath, RefusesAnEndThatComesTooLate) {
  std::vector<Vec3d> x;
  for (int i = 0; i <= 21; ++i) x.push_back({0.02 * i, 0.0, 0.0});
  PlayingPath path(x, path_speeds(x));
  EXPECT_FALSE(path.set_end(18, {.position = Vec3d(1.0, 0.0, 0.0)}));
  EXPECT_EQ(path.at(20), x[20]);
  EXPECT_TRUE(path.set_end(17, {.position = Vec3d(0.0, 0.1, 0.0)}));
}

}  // namespace
}  // namespace shosa::segment
