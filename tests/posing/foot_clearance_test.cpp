#include "shosa/posing/foot_clearance.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

namespace shosa::posing {
namespace {

/// A foot 22 cm long whose ball is at a height, pitched down and its toes bent down against that.
FootClearanceParams foot(double ball_m, double pitch_rad, double toes_rad, double free) {
  FootClearanceParams params;
  params.across = -Vec3d::UnitX();
  params.ball_m = Vec3d(0.0, ball_m, 0.0);
  const auto up = [](double angle) { return Quatd(Eigen::AngleAxisd(angle, -Vec3d::UnitX())); };
  params.heel_m = params.ball_m + up(-pitch_rad) * Vec3d(0.0, 0.0, -0.15);
  params.tip_m = params.ball_m + up(-pitch_rad - toes_rad) * Vec3d(0.0, 0.0, 0.07);
  params.ball_floor_m = 0.01;
  params.free = free;
  return params;
}

/// The foot after what `clear_ground` says: heel, ball, tip.
std::array<Vec3d, 3> mended(const FootClearanceParams& params) {
  const FootClearance clear = clear_ground(params);
  const Quatd pitch(Eigen::AngleAxisd(clear.pitch_rad, params.across));
  const Quatd toes(Eigen::AngleAxisd(clear.pitch_rad + clear.toes_rad, params.across));
  const Vec3d ball = params.ball_m + Vec3d(0.0, clear.lift_m, 0.0);
  return {ball + pitch * (params.heel_m - params.ball_m), ball, ball + toes * (params.tip_m - params.ball_m)};
}

TEST(FootClearance, AFootOverTheGroundStaysAsItIs) {
  for (const double pitch : {0.0, 0.5, 1.4}) {
    const FootClearance clear = clear_ground(foot(0.08, pitch, 0.0, 0.5));
    EXPECT_EQ(clear.lift_m, 0.0);
    EXPECT_EQ(clear.pitch_rad, 0.0);
    EXPECT_EQ(clear.toes_rad, 0.0);
  }
}

TEST(FootClearance, SoftDepthIsSmoothAndLeavesHalfItsWidth) {
  EXPECT_EQ(soft_depth(-0.01, 0.006), 0.0);
  EXPECT_NEAR(soft_depth(0.003, 0.006), 0.003 * 0.003 / 0.012, 1e-15);
  EXPECT_NEAR(0.05 - soft_depth(0.05, 0.006), 0.003, 1e-15);
  for (const double d : {0.0, 0.006}) {
    const double below = (soft_depth(d, 0.006) - soft_depth(d - 1e-7, 0.006)) / 1e-7;
    const double above = (soft_depth(d + 1e-7, 0.006) - soft_depth(d, 0.006)) / 1e-7;
    EXPECT_NEAR(below, above, 1e-4);
  }
}

TEST(FootClearance, ASwingingFootIsLiftedAndNotTurned) {
  const FootClearance clear = clear_ground(foot(0.02, 0.6, 0.1, 1.0));
  EXPECT_EQ(clear.toes_rad, 0.0);
  EXPECT_EQ(clear.pitch_rad, 0.0);
  EXPECT_NEAR(clear.lift_m, 0.07 * std::sin(0.7) - 0.02 - 0.003, 1e-12);
}

TEST(FootClearance, APlantedFootTurnsItsToesUp) {
  const FootClearanceParams params = foot(0.01, 0.5, 0.0, 0.0);
  const FootClearance clear = clear_ground(params);
  // Of 2.36 cm all but the soft 3 mm, by turning alone.
  EXPECT_LT(clear.lift_m, 0.002);
  EXPECT_GT(clear.toes_rad + clear.pitch_rad, 0.2);
  EXPECT_GE(clear.pitch_rad, 0.0);
  EXPECT_NEAR(mended(params)[2].y(), -0.003, 1e-3);
}

TEST(FootClearance, NothingIsLeftMoreThanTheSoftHalfBelowItsFloor) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> ball(-0.02, 0.1), pitch(-0.6, 1.5), toes(-0.8, 0.8), share(0.0, 1.0);
  for (int i = 0; i < 20000; ++i) {
    const FootClearanceParams params = foot(ball(random), pitch(random), toes(random), share(random));
    const auto points = mended(params);
    ASSERT_GE(points[0].y(), -0.0035) << i;
    ASSERT_GE(points[1].y(), 0.01 - 0.0031) << i;
    ASSERT_GE(points[2].y(), -0.0031) << i;
  }
}

TEST(FootClearance, NoStepWhileAFootComesDownOrRolls) {
  for (const double free : {0.0, 0.5, 1.0}) {
    for (const double toes : {-0.3, 0.0, 0.5}) {
      FootClearance last = clear_ground(foot(0.1, 0.0, toes, free));
      for (int i = 1; i <= 2000; ++i) {
        const double u = i / 2000.0;
        const FootClearance now = clear_ground(foot(0.1 - 0.1 * u, 1.5 * u, toes, free));
        ASSERT_LT(std::abs(now.lift_m - last.lift_m), 5e-4) << i;
        ASSERT_LT(std::abs(now.toes_rad - last.toes_rad), 0.01) << i;
        ASSERT_LT(std::abs(now.pitch_rad - last.pitch_rad), 0.01) << i;
        last = now;
      }
    }
  }
}

}  // namespace
}  // namespace shosa::posing
