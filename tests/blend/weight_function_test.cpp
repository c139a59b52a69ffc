#include "blend/weight_function.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace shosa::blend {
namespace {

TEST(WeightFunction, RunsFromNothingToAllWithTheGivenSlopes) {
  const WeightFunction w{10.0, 30.0, 0.4, 2.2};
  EXPECT_EQ(w.at(9.0), 0.0);
  EXPECT_EQ(w.at(10.0), 0.0);
  EXPECT_EQ(w.at(30.0), 1.0);
  EXPECT_EQ(w.at(31.0), 1.0);
  const double h = 1e-6;
  EXPECT_NEAR(w.at(10.0 + h) / h * 20.0, 0.4, 1e-4);
  EXPECT_NEAR((1.0 - w.at(30.0 - h)) / h * 20.0, 2.2, 1e-4);
}

TEST(WeightFunction, IsMonotoneAndStaysWithinBoundsForAllSpeeds) {
  for (const double v0 : {-5.0, 0.0, 0.5, 1.0, 4.0, 50.0}) {
    for (const double v1 : {-1.0, 0.0, 1.0, 2.0, 30.0}) {
      const WeightFunction w = pose_weight(0.0, 100.0, 0.5, 0.2, v0, v1);
      double last = 0.0;
      for (int f = 0; f <= 100; ++f) {
        const double now = w.at(f);
        EXPECT_GE(now, last - 1e-12) << v0 << " " << v1 << " " << f;
        EXPECT_LE(now, 1.0);
        last = now;
      }
      EXPECT_EQ(last, 1.0);
    }
  }
}

TEST(WeightFunction, SlopesAreTheSpeedsOverTheMeanSpeed) {
  // D / (t1 - t0) = 0.4 m/s.
  const WeightFunction w = pose_weight(0.0, 30.0, 0.5, 0.2, 0.6, 0.2);
  EXPECT_NEAR(w.slope_begin, 1.5, 1e-12);
  EXPECT_NEAR(w.slope_end, 0.5, 1e-12);
}

TEST(WeightFunction, ASpeedAgainstTheBlendGivesSlopeZero) {
  EXPECT_EQ(pose_weight(0.0, 30.0, 0.5, 0.2, -0.6, 0.2).slope_begin, 0.0);
  EXPECT_EQ(pose_weight(0.0, 30.0, 0.5, 0.2, 0.6, -0.2).slope_end, 0.0);
  // Equal poses have no direction at all.
  EXPECT_EQ(pose_weight(0.0, 30.0, 0.5, 0.0, 0.6, 0.2).slope_begin, 0.0);
}

TEST(MovingWeight, AwayFromThePoseAllTheWayIsAnOrdinaryBlend) {
  const std::vector<double> rising = {0.0, 0.1, 0.2, 0.3, 0.4};
  const MovingWeight shape = moving_weight(rising, MovingSide::next);
  EXPECT_FALSE(shape.use_pose_pose);
  EXPECT_EQ(shape.peak, -1);
}

TEST(MovingWeight, ALocalMaximumSurvives) {
  const std::vector<double> jump = {0.1, 0.3, 0.5, 0.6, 0.5, 0.2};
  EXPECT_EQ(moving_weight(jump, MovingSide::next).peak, 3);
  EXPECT_EQ(moving_weight(jump, MovingSide::previous).peak, 3);
  // A ripple is no top of a jump.
  const std::vector<double> ripple = {0.1, 0.3, 0.52, 0.51, 0.53, 0.52};
  EXPECT_EQ(moving_weight(ripple, MovingSide::next).peak, -1);
}

TEST(MovingWeight, TowardThePoseAllTheWayBecomesPosePose) {
  const std::vector<double> falling = {0.5, 0.4, 0.3, 0.2, 0.1};
  EXPECT_TRUE(moving_weight(falling, MovingSide::next).use_pose_pose);
  // For a previous motion the pose is at the end: coming to it is what is wanted.
  EXPECT_FALSE(moving_weight(falling, MovingSide::previous).use_pose_pose);
  const std::vector<double> rising = {0.1, 0.2, 0.3, 0.4, 0.5};
  EXPECT_TRUE(moving_weight(rising, MovingSide::previous).use_pose_pose);
}

}  // namespace
}  // namespace shosa::blend
