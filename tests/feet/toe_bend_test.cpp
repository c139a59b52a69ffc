#include "feet/toe_bend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "scenes/random.h"
#include "scenes/scenes.h"
#include "shosa/core/angles.h"

namespace shosa::feet {
namespace {

constexpr double kStep_rad = 0.001;

Vec3d random_direction(scenes::Random& random) {
  Vec3d out = Vec3d::Zero();
  while (out.norm() < 0.1) {
    for (int axis = 0; axis < 3; ++axis) out[axis] = random.uniform(-1.0, 1.0);
  }
  return out.normalized();
}

ToeBend random_toes(scenes::Random& random) {
  return {.bone_m = 0.07 * random_direction(random),
          .axis = random_direction(random),
          .range = {random.uniform(-2.0, 0.0), random.uniform(0.0, 2.0)}};
}

/// Toes seen from the side, ahead along z: `pitch_rad` below level. Up is a turn about -x.
ToeBend pitched(double pitch_rad) {
  return {.bone_m = {0.0, -std::sin(pitch_rad), std::cos(pitch_rad)},
          .axis = -Vec3d::UnitX(),
          .range = {-40.0 * kRadPerDeg, 70.0 * kRadPerDeg}};
}

TEST(ToeBend, TheHighestIsTheBestOfAllBends) {
  scenes::Random random(21);
  for (int i = 0; i < 200; ++i) {
    const ToeBend toes = random_toes(random);
    const Vec3d up = random_direction(random);
    const double highest = toes.highest_rad(up);
    EXPECT_TRUE(toes.range.holds(highest)) << i;
    for (double rad = toes.range.first_rad; rad <= toes.range.last_rad; rad += 20 * kStep_rad) {
      EXPECT_LE(toes.bent_m(rad).dot(up), toes.bent_m(highest).dot(up) + 1e-9) << i;
    }
  }
}

TEST(ToeBend, OverHoldsTheBendsWithAHighTipThatAreNearest) {
  scenes::Random random(22);
  for (int i = 0; i < 200; ++i) {
    const ToeBend toes = random_toes(random);
    if (toes.axis.cross(Vec3d::UnitY()).norm() < 0.5 || toes.axis.cross(toes.bone_m).norm() < 0.035) continue;
    const double height_m = random.uniform(-0.07, 0.05), near_rad = random.uniform(-1.0, 1.0);
    const BendRange over = toes.over(height_m, near_rad);
    double nearest = std::numeric_limits<double>::infinity();
    for (double rad = toes.range.first_rad; rad <= toes.range.last_rad; rad += kStep_rad) {
      const bool high = toes.bent_m(rad).y() >= height_m;
      if (high) nearest = std::min(nearest, std::abs(rad - near_rad));
      if (rad > over.first_rad + kStep_rad && rad < over.last_rad - kStep_rad) {
        EXPECT_TRUE(high) << i;
      }
    }
    if (std::isinf(nearest)) {
      EXPECT_EQ(over.first_rad, over.last_rad);
      EXPECT_NEAR(over.first_rad, toes.highest_rad(Vec3d::UnitY()), 1e-12);
    } else {
      EXPECT_NEAR(std::abs(over.nearest_rad(near_rad) - near_rad), nearest, 2.0 * kStep_rad) << i;
    }
  }
}

TEST(ToeBend, AFootThatStandsBendsItsToesUpAndOneOnItsInstepDown) {
  // 70 degrees below level: up to where the sine is 0.8; 110 degrees, past straight down: on to the other such place.
  const double level = std::asin(0.8);
  EXPECT_NEAR(pitched(70.0 * kRadPerDeg).over(-0.8, 0.0).first_rad, 70.0 * kRadPerDeg - level, 1e-9);
  EXPECT_NEAR(pitched(110.0 * kRadPerDeg).over(-0.8, 0.0).last_rad, level - 70.0 * kRadPerDeg, 1e-9);
  EXPECT_NEAR(pitched(110.0 * kRadPerDeg).level_rad(-0.8), level - 70.0 * kRadPerDeg, 1e-9);
  // It stays on its side as long as there is one.
  EXPECT_NEAR(pitched(88.0 * kRadPerDeg).over(-0.8, -0.5).last_rad, level - 92.0 * kRadPerDeg, 1e-9);
  EXPECT_NEAR(pitched(92.0 * kRadPerDeg).over(-0.8, 0.5).first_rad, 92.0 * kRadPerDeg - level, 1e-9);
}

TEST(ObserveToes, UpIsTowardTheKneeAlsoUpsideDown) {
  // A walk, and the same body turned over: its toes bend the same way.
  const Clip walk = scenes::walk({.duration_s = 1.2}).clip;
  const body::BodyMap map = body::guess_body_map(walk.skeleton());
  const auto contacts = *analysis::find_foot_contacts(walk, clip_positions(walk), map);
  Clip over = walk;
  for (int f = 0; f < walk.frame_count(); ++f) {
    over.set_rotation(f, 0, Quatf(Eigen::AngleAxisf(3.14f, Vec3f::UnitX())) * walk.rotation(f, 0));
  }
  const auto plan = captured_stances(walk, clip_positions(walk), contacts);
  ASSERT_TRUE(plan.has_value());
  for (const FootPlan& foot : plan->feet) {
    const auto toes = observe_toes(walk, foot), turned = observe_toes(over, foot);
    ASSERT_TRUE(toes && turned);
    EXPECT_GT(toes->axis_in_parent.dot(turned->axis_in_parent), 0.95);
    // As far as people's from how they lie.
    for (const BendRange& range : toes->range) {
      EXPECT_GE(range.last_rad - range.first_rad, 110.0 * kRadPerDeg - 1e-9);
      EXPECT_TRUE(range.holds(0.0));
    }
  }
}

}  // namespace
}  // namespace shosa::feet
