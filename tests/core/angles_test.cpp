#include "shosa/core/angles.h"

#include <gtest/gtest.h>

#include "shosa/core/rotations.h"

namespace shosa {
namespace {

TEST(Angles, DegreesAndRadiansUndoEachOther) {
  EXPECT_DOUBLE_EQ(180.0 * kRadPerDeg, std::numbers::pi);
  EXPECT_DOUBLE_EQ(std::numbers::pi / 6.0 * kDegPerRad, 30.0);
}

TEST(Angles, TheAngleBetweenIsExactFromNothingToHalfATurn) {
  const Vec3d x = 2.0 * Vec3d::UnitX();
  for (const double angle : {0.0, 1e-12, 0.3, 1.5, 3.0, std::numbers::pi - 1e-9}) {
    const Vec3d turned(std::cos(angle), std::sin(angle), 0.0);
    EXPECT_NEAR(angle_between(x, 5.0 * turned), angle, 1e-15 + 1e-9 * angle) << angle;
  }
}

TEST(Angles, LevelLeavesOutTheHeight) {
  EXPECT_EQ(level({3.0, 7.0, -4.0}), Vec3d(3.0, 0.0, -4.0));
  EXPECT_TRUE(level_direction({3.0, 7.0, -4.0}).isApprox(Vec3d(0.6, 0.0, -0.8)));
  EXPECT_EQ(level_direction({0.0, 7.0, 0.0}), Vec3d(Vec3d::Zero()));
}

TEST(Angles, TowardIsWhereAHeadingPoints) {
  EXPECT_TRUE(toward(0.0).isApprox(Vec3d::UnitZ()));
  EXPECT_TRUE(toward(0.5 * std::numbers::pi).isApprox(Vec3d::UnitX()));
  for (const double heading : {-3.0, -1.0, 0.2, 2.5}) {
    EXPECT_NEAR(heading_of(toward(heading)), heading, 1e-14);
    EXPECT_TRUE(toward(heading).isApprox(about_y(heading) * Vec3d::UnitZ())) << heading;
  }
}

}  // namespace
}  // namespace shosa
