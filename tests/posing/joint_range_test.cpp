#include "shosa/posing/joint_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace shosa::posing {
namespace {

using testing::HasSubstr;

// A square of half width 0.4 in the swing plane; twist from -0.5 to 0.5 + a_y.
JointRange square(const Quatd& zero = Quatd::Identity(), const Quatd& frame = Quatd::Identity()) {
  const auto corner = [](double y, double z) { return RangeVertex{y, z, -0.5, 0.5 + y}; };
  return *JointRange::create({corner(-0.4, -0.4), corner(0.4, -0.4), corner(0.4, 0.4), corner(-0.4, 0.4)},
                             {{0, 1, 2}, {0, 2, 3}}, zero, frame);
}

TEST(SwingTwist, PutsTheRotationTogetherAgain) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 1000; ++i) {
    const Quatd q = Quatd(normal(random), normal(random), normal(random), normal(random)).normalized();
    const SwingTwist parts = swing_twist(q);
    EXPECT_LT(rotation_of(parts).angularDistance(q), 1e-7);
    EXPECT_LE(std::abs(parts.twist_rad), M_PI);
  }
}

TEST(SwingTwist, FollowsTheMatrixFormula) {
  // a_y = -R31 / sqrt(2 (1 + R11)), a_z = R21 / sqrt(2 (1 + R11)).
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 200; ++i) {
    const Quatd q = Quatd(normal(random), normal(random), normal(random), normal(random)).normalized();
    const Eigen::Matrix3d r = q.toRotationMatrix();
    const double scale = std::sqrt(2.0 * (1.0 + r(0, 0)));
    if (scale < 1e-3) continue;
    EXPECT_NEAR(swing_twist(q).a_y, -r(2, 0) / scale, 1e-9);
    EXPECT_NEAR(swing_twist(q).a_z, r(1, 0) / scale, 1e-9);
  }
}

TEST(SwingTwist, HalfTurnOfSwingIsFinite) {
  const SwingTwist parts = swing_twist(Quatd(0, 0, 1, 0));
  EXPECT_DOUBLE_EQ(parts.a_y, 1.0);
  EXPECT_DOUBLE_EQ(parts.twist_rad, 0.0);
}

TEST(JointRange, InsideStaysAsItIs) {
  const JointRange range = square();
  const Quatd q = rotation_of({0.2, -0.3, 0.4});
  const auto nearest = range.nearest(q);
  EXPECT_TRUE(nearest.inside);
  EXPECT_EQ(nearest.rotation.coeffs(), q.coeffs());
  EXPECT_EQ(nearest.correction_rad, Vec3d::Zero());
}

TEST(JointRange, OutsideGoesToTheClosestSwing) {
  const auto nearest = square().nearest(rotation_of({0.6, 0.1, 0.0}));
  EXPECT_FALSE(nearest.inside);
  const SwingTwist parts = swing_twist(nearest.rotation);
  EXPECT_NEAR(parts.a_y, 0.4, 1e-9);
  EXPECT_NEAR(parts.a_z, 0.1, 1e-9);
  EXPECT_NEAR(parts.twist_rad, 0.0, 1e-9);
}

TEST(JointRange, TwistBoundsAreInterpolatedOverTheRegion) {
  // At a_y = 0.2 the upper bound is 0.7.
  EXPECT_TRUE(square().nearest(rotation_of({0.2, 0.1, 0.699})).inside);
  const auto nearest = square().nearest(rotation_of({0.2, 0.1, 0.9}));
  EXPECT_FALSE(nearest.inside);
  EXPECT_NEAR(swing_twist(nearest.rotation).twist_rad, 0.7, 1e-9);
}

TEST(JointRange, TwistBeyondTheHalfTurnGoesToTheNearerBound) {
  const auto nearest = square().nearest(rotation_of({0.0, 0.0, -3.0}));
  EXPECT_NEAR(swing_twist(nearest.rotation).twist_rad, -0.5, 1e-9);
}

TEST(JointRange, CorrectionLeadsFromTheRotationToTheRange) {
  const Quatd zero(Eigen::AngleAxisd(0.7, Vec3d(1, 1, 0).normalized()));
  const Quatd frame(Eigen::AngleAxisd(-1.1, Vec3d(0, 1, 1).normalized()));
  const JointRange range = square(zero, frame);
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  int outside = 0;
  for (int i = 0; i < 500; ++i) {
    const Quatd q = Quatd(normal(random), normal(random), normal(random), normal(random)).normalized();
    const auto nearest = range.nearest(q);
    EXPECT_TRUE(range.nearest(nearest.rotation).inside || range.nearest(nearest.rotation).correction_rad.norm() < 1e-6);
    const double angle = nearest.correction_rad.norm();
    if (angle == 0.0) continue;
    ++outside;
    const Quatd moved = Quatd(Eigen::AngleAxisd(angle, nearest.correction_rad / angle)) * q;
    EXPECT_LT(moved.angularDistance(nearest.rotation), 1e-7);
  }
  EXPECT_GT(outside, 400);
}

TEST(JointRange, NearestEqualsASearchOverTheRegion) {
  const JointRange range = square();
  const SwingTwist from = {0.7, -0.55, 0.1};
  const SwingTwist found = swing_twist(range.nearest(rotation_of(from)).rotation);
  double best = 1e9;
  for (double y = -0.4; y <= 0.4001; y += 0.01) {
    for (double z = -0.4; z <= 0.4001; z += 0.01) best = std::min(best, std::hypot(y - from.a_y, z - from.a_z));
  }
  EXPECT_NEAR(std::hypot(found.a_y - from.a_y, found.a_z - from.a_z), best, 1e-6);
}

TEST(JointRange, ReferenceTargetIsInside) {
  const JointRange range = square();
  const auto nearest = range.nearest(rotation_of({0.8, 0.1, 0.2}), RangeTarget::reference);
  EXPECT_FALSE(nearest.inside);
  EXPECT_TRUE(range.nearest(nearest.rotation).inside);
}

TEST(JointRange, RefusesBrokenRules) {
  const RangeVertex a{0, 0, -1, 1}, b{0.5, 0, -1, 1}, c{0, 0.5, -1, 1};
  EXPECT_THAT(JointRange::create({a, b, c}, {}).error().message, HasSubstr("no triangles"));
  EXPECT_THAT(JointRange::create({a, b, c}, {{0, 1, 3}}).error().message, HasSubstr("vertex 3"));
  EXPECT_THAT(JointRange::create({a, b, b}, {{0, 1, 2}}).error().message, HasSubstr("no area"));
  EXPECT_THAT(JointRange::create({a, b, {0.9, 0.9, 0, 0}}, {{0, 1, 2}}).error().message, HasSubstr("unit disc"));
  EXPECT_THAT(JointRange::create({a, b, {0, 0.5, 1, -1}}, {{0, 1, 2}}).error().message, HasSubstr("vertex 2"));
  EXPECT_FALSE(JointRange::create({a, b, {0, std::nan(""), -1, 1}}, {{0, 1, 2}}).has_value());
}

// Random rotations against a square that is laid askew; the twist's bound rises over it.
TEST(RangeBounds, GradientsAreThoseOfTheExcess) {
  const JointRange range = square(Quatd(0.8, 0.1, -0.5, 0.3).normalized(), Quatd(0.6, -0.2, 0.1, 0.7).normalized());
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  int swings = 0, twists = 0;
  for (int i = 0; i < 500; ++i) {
    const Quatd q = Quatd(1.0, 0.6 * normal(random), 0.6 * normal(random), 0.6 * normal(random)).normalized();
    const Quatd rotation = range.parent_from_zero() * q * range.joint_from_frame().conjugate();
    const RangeExcess out = range.excess(rotation);
    const RangeBounds bounds = range.bounds(rotation);
    const auto slope = [&](double RangeExcess::*part) {
      Vec3d gradient;
      for (int axis = 0; axis < 3; ++axis) {
        const auto at = [&](double turn) {
          return range.excess(Quatd(Eigen::AngleAxisd(turn, Vec3d::Unit(axis))) * rotation).*part;
        };
        gradient[axis] = (at(1e-6) - at(-1e-6)) / 2e-6;
      }
      return gradient;
    };
    int over = 0;
    for (const RangeBound& bound : bounds.all()) {
      if (bound.excess == 0.0) continue;
      const bool swing = bound.excess == out.swing;
      EXPECT_DOUBLE_EQ(bound.excess, swing ? out.swing : out.twist_rad);
      const double half = std::cos(std::asin(std::min(1.0, std::hypot(swing_twist(q).a_y, swing_twist(q).a_z))));
      const Vec3d expected = slope(swing ? &RangeExcess::swing : &RangeExcess::twist_rad);
      if (half > 0.1) {
        EXPECT_LT((bound.gradient - expected).norm(), 1e-4) << i;
      }
      ++(swing ? swings : twists);
      ++over;
    }
    EXPECT_EQ(over, (out.swing > 0.0) + (out.twist_rad > 0.0)) << i;
  }
  EXPECT_GT(swings, 100);
  EXPECT_GT(twists, 100);
}

TEST(RangeBounds, HoldAlongTheRimPastACornerOnly) {
  const JointRange range = square();
  const auto along = [&](double a_y, double a_z, const RangeExcess& allowed = {}) {
    const RangeBounds bounds = range.bounds(rotation_of({a_y, a_z, 0.0}), allowed);
    EXPECT_EQ(bounds.count, 2);
    EXPECT_EQ(bounds.bound[1].excess, 0.0);
    return bounds.bound[1].share;
  };
  EXPECT_EQ(along(0.5, 0.1), 0.0);
  EXPECT_EQ(along(0.5, 0.5), 1.0);
  // Half of what it is out is allowed: half as firmly.
  EXPECT_NEAR(along(0.5, 0.5, {.swing = 0.1 * std::sqrt(2.0)}), 0.5, 1e-9);
}

TEST(RangeBounds, AllowWhatIsAllowed) {
  const JointRange range = square();
  const Quatd out = rotation_of({0.5, 0.1, 1.4});
  const RangeExcess excess = range.excess(out);
  EXPECT_NEAR(excess.swing, 0.2, 1e-9);
  EXPECT_NEAR(excess.twist_rad, 1.4 - 0.9, 1e-9);
  EXPECT_EQ(range.bounds(out).count, 3);
  EXPECT_EQ(range.bounds(out, excess).count, 0);
  EXPECT_NEAR(range.bounds(out, {.swing = 0.2, .twist_rad = 0.1}).bound[0].excess, 0.4, 1e-9);
  EXPECT_EQ(range.bounds(rotation_of({0.3, 0.1, 0.2})).count, 0);
}

}  // namespace
}  // namespace shosa::posing
