#include "shosa/body/two_bones.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::body {
namespace {

constexpr double kThigh_m = 0.42, kShank_m = 0.40;

double distance_at(double rad) {
  return std::sqrt(kThigh_m * kThigh_m + kShank_m * kShank_m + 2.0 * kThigh_m * kShank_m * std::cos(rad));
}

TEST(TwoBones, TheKneesAngleFollowsTheLawOfCosines) {
  for (const double rad : {0.1, 0.5, 1.5, 2.8}) {
    EXPECT_NEAR(knee_angle(distance_at(rad), kThigh_m, kShank_m).rad, rad, 1e-9);
  }
}

TEST(TwoBones, ALegThatIsTooLongHasANegativeAngleAndTheSlopeHasNoStep) {
  EXPECT_LT(knee_angle(kThigh_m + kShank_m + 0.002, kThigh_m, kShank_m).rad, 0.0);
  const double edge = distance_at(kNearlyStraight_rad);
  EXPECT_NEAR(knee_angle(edge - 1e-9, kThigh_m, kShank_m).slope_radpm,
              knee_angle(edge + 1e-9, kThigh_m, kShank_m).slope_radpm, 1e-3);
}

TEST(TwoBones, TheSlopeIsTheDerivative) {
  for (const double distance : {0.3, 0.6, 0.8, 0.819, 0.83}) {
    const double step = 1e-7;
    const double difference =
        (knee_angle(distance + step, kThigh_m, kShank_m).rad - knee_angle(distance - step, kThigh_m, kShank_m).rad) /
        (2.0 * step);
    EXPECT_NEAR(knee_angle(distance, kThigh_m, kShank_m).slope_radpm / difference, 1.0, 1e-5) << distance;
  }
}

// Hip at the origin, knee ahead (+Z): it bends about +X, toward the back.
struct Bent {
  Vec3d knee{0.0, -0.41, 0.08}, ankle{0.0, -0.80, 0.0};
  Vec3d axis = Vec3d::UnitX();
  Vec3d ankle_after(const LegTurns& turns) const { return turns.hip * (knee + turns.knee * (ankle - knee)); }
};

TEST(TwoBones, TheAnkleComesToItsPlaceAndTheKneeStaysInItsPlane) {
  const Bent leg;
  const Vec3d target(0.0, -0.70, 0.15);
  const LegTurns turns = bend_leg(Vec3d::Zero(), leg.knee, leg.ankle, leg.axis, target);
  EXPECT_LT((leg.ankle_after(turns) - target).norm(), 1e-12);
  EXPECT_NEAR((turns.hip * leg.knee).x(), 0.0, 1e-12);
}

TEST(TwoBones, ALegThatIsWhereItShouldBeDoesNotTurn) {
  const Bent leg;
  const LegTurns turns = bend_leg(Vec3d::Zero(), leg.knee, leg.ankle, leg.axis, leg.ankle);
  EXPECT_LT(turns.hip.vec().norm() + turns.knee.vec().norm(), 1e-7);
}

TEST(TwoBones, APlaceOutOfReachIsPointedAt) {
  const Bent leg;
  const Vec3d target(0.3, -2.0, 0.2);
  const Vec3d ankle = leg.ankle_after(bend_leg(Vec3d::Zero(), leg.knee, leg.ankle, leg.axis, target));
  EXPECT_LT(ankle.normalized().cross(target.normalized()).norm(), 1e-9);
  EXPECT_NEAR(ankle.norm(), leg.knee.norm() + (leg.ankle - leg.knee).norm(), 1e-9);
}

TEST(TwoBones, AKneeBentBackwardsComesOverLittleByLittle) {
  const double back = 0.03, step = 1e-3;
  const Vec3d knee(0.0, -kThigh_m, 0.0), shank = kShank_m * Vec3d(0.0, -std::cos(back), std::sin(back));
  double before = -back;
  for (double asked = back; asked < 0.4; asked += step) {
    const Vec3d target(0.0, -distance_at(asked), 0.0);
    const LegTurns turns =
        bend_leg(Vec3d::Zero(), knee, knee + shank, Vec3d::UnitX(), target, BackwardKnee::comes_over);
    const double bend = signed_flexion_rad(knee, turns.knee * shank, Vec3d::UnitX());
    EXPECT_GE(bend, before - 1e-9) << asked;
    EXPECT_LT(bend - before, 1.6 * step) << asked;
    EXPECT_LT((turns.hip * (knee + turns.knee * shank) - target).norm(), 1e-3) << asked;
    if (asked > 5.0 * back) {
      EXPECT_NEAR(bend, asked, 1e-9);
    }
    before = bend;
  }
}

TEST(TwoBones, TheAxisOfAWalkingKneeGoesAcrossTheBody) {
  const Clip walk = scenes::walk({.duration_s = 2.0}).clip;
  const Skeleton& skeleton = walk.skeleton();
  const TwoBones leg{.hip = skeleton.find("left_upper_leg"),
                     .knee = skeleton.find("left_lower_leg"),
                     .ankle = skeleton.find("left_foot")};
  const std::vector<Vec3d> ahead(static_cast<std::size_t>(walk.frame_count()), Vec3d::UnitZ());
  EXPECT_GT(find_flexion_axis(walk, leg, ahead).dot(Vec3d::UnitX()), 0.99);
}

}  // namespace
}  // namespace shosa::body
