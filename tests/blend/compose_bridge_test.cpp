#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "blend/clips.h"
#include "blend/transition.h"
#include "shosa/analysis/metrics.h"
#include "shosa/blend/compose.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/forward_kinematics.h"
#include "tests/support/still_joint.h"

namespace shosa::blend {
namespace {

using test::prepared;

// A walk of which `gap_s` around the middle of a move were cut out, and what is made of the rest.
struct Gap {
  Clip walk = scenes::walk({.duration_s = 4.0}).clip;
  double dt = walk.frame_time_s();
  int begin = 0, end = 0;  ///< The last frame before the gap and the first after it.
  std::vector<ScoreMotion> score;

  Gap(double gap_s, bool keep_place) {
    const auto whole = prepared(walk);
    const FrameInterval move = whole->feet[0].moving[1];
    begin = (move.begin + move.end) / 2 - static_cast<int>(std::lround(0.5 * gap_s / dt));
    end = begin + static_cast<int>(std::lround(gap_s / dt));
    const auto one = cut(walk, 0.0, begin * dt), other = cut(walk, end * dt, walk.last_time_s());
    EXPECT_TRUE(one && other);
    score = {{prepared(*one, TimeInterval{0.0, one->last_time_s() - 0.1}), 0.0},
             {prepared(*other, TimeInterval{0.1, other->last_time_s()}), end * dt, keep_place}};
  }
  double error_m(const Clip& made) const {
    const auto error =
        analysis::compare_with_reference(*cut(made, begin * dt, end * dt), *cut(walk, begin * dt, end * dt));
    return error ? error->l2p_m : 1e9;
  }
};

TEST(ComposeBridge, AGapBetweenKeptPlacesIsBridgedNearToWhatWasCutOut) {
  for (const double gap_s : {0.3, 0.6}) {
    SCOPED_TRACE(gap_s);
    const Gap gap(gap_s, true);
    const auto made = compose(gap.score), by_contacts = compose(gap.score, {.plan = {.bridge = false}});
    ASSERT_TRUE(made.has_value() && by_contacts.has_value());
    EXPECT_EQ(made->joins[0].report.plan->choice.method, JoinMethod::bridge);
    EXPECT_NE(by_contacts->joins[0].report.plan->choice.method, JoinMethod::bridge);
    // 18 joints: 0.3 m is 7 cm each.
    EXPECT_LT(gap.error_m(made->clip), 0.3);
    EXPECT_LT(gap.error_m(made->clip), 0.7 * gap.error_m(by_contacts->clip));
    for (int f = 0; f < made->clip.frame_count(); ++f) {
      if (f > gap.begin && f < gap.end) continue;
      const Clip& source = gap.score[f >= gap.end].motion->clip();
      const int local = f >= gap.end ? f - gap.end : f;
      for (JointIndex j = 0; j < made->clip.joint_count(); ++j) {
        ASSERT_EQ(made->clip.rotation(f, j).coeffs(), source.rotation(local, j).coeffs()) << f;
      }
      ASSERT_EQ(made->clip.translation(f, 0), source.translation(local, 0)) << f;
    }
    // Velocities are kept: no joint is accelerated at the seams far beyond the walk's own.
    const auto own = analysis::measure_quality(analysis::study(gap.walk, {}));
    const auto joined = analysis::measure_quality(analysis::study(made->clip, {}));
    EXPECT_LT(joined.peak_acceleration_mps2, 1.5 * own.peak_acceleration_mps2);
  }
}

TEST(ComposeBridge, AFootThatStandsOnBothSidesOfABridgeStandsOnIt) {
  const Gap gap(0.3, true);
  const auto made = compose(gap.score);
  ASSERT_TRUE(made.has_value());
  const ClipPositions positions = clip_positions(made->clip);
  const int toe = made->contacts.feet[1].points.toe;
  for (int f = gap.begin; f < gap.end; ++f) {
    EXPECT_LT((positions.point(f, toe) - positions.point(gap.begin, toe)).norm(), 0.003) << f;
  }
}

// The hermite bump of a velocity v that dies out within T is 4/27 v T at its top.
TEST(ComposeBridge, JointsSwingOnOverABridgeForLittleMoreThanHalfASecond) {
  const Gap gap(1.0, true);
  const auto made = compose(gap.score);
  ASSERT_TRUE(made.has_value());
  const Clip& clip = made->clip;
  const std::vector<bool> lower = lower_body(clip.skeleton(), gap.score[0].motion->map());
  double fastest = 0.0;
  for (JointIndex j = 1; j < clip.joint_count(); ++j) {
    if (lower[j]) continue;
    const Quatf a = clip.rotation(gap.begin, j), b = clip.rotation(gap.end, j);
    const double speed =
        std::max(a.angularDistance(clip.rotation(gap.begin - 2, j)), b.angularDistance(clip.rotation(gap.end + 2, j))) /
        (2.0 * gap.dt);
    fastest = std::max(fastest, speed);
    for (int f = gap.begin; f <= gap.end; ++f) {
      const double x = static_cast<double>(f - gap.begin) / (gap.end - gap.begin), w = x * x * (3.0 - 2.0 * x);
      const Quatf mean = a.slerp(static_cast<float>(w), b);
      ASSERT_LE(mean.angularDistance(clip.rotation(f, j)), 4.0 / 27.0 * speed * 0.62 + 1e-3)
          << clip.skeleton().name(j) << " at " << f;
    }
  }
  EXPECT_GT(fastest, 0.5);
}

TEST(ComposeBridge, AGapWithoutPlacesGoesOnAsTheHipsMoved) {
  const Gap gap(0.6, false);
  const auto made = compose(gap.score);
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->joins[0].report.plan->choice.method, JoinMethod::bridge);
  const Vec3d hips = clip_positions(made->clip).joint(gap.end, 0), truth = clip_positions(gap.walk).joint(gap.end, 0);
  EXPECT_LT(std::hypot(hips.x() - truth.x(), hips.z() - truth.z()), 0.08);
}

TEST(ComposeBridge, ABodyUnderAStillJointDoesNotSpin) {
  // Hips and what carries them turned by the shorter way round each, and together all the way round.
  const Clip walk = scenes::walk({.duration_s = 3.0, .turn_rad_per_m = 0.4}).clip;
  for (double turn_rad = 0.0; turn_rad < 6.28; turn_rad += 0.2) {
    for (const std::optional<double> at_s : {std::optional<double>(), std::optional<double>(3.4)}) {
      SCOPED_TRACE(fmt::format("turned by {} rad, {}", turn_rad, at_s ? "bridged" : "joined"));
      const auto first = prepared(shosa::test::under_still_joint(walk)),
                 second = prepared(shosa::test::under_still_joint(walk, turn_rad));
      const auto made = compose(std::vector<ScoreMotion>{{first, 0.0}, {second, at_s}});
      ASSERT_TRUE(made.has_value());
      const auto studied = analysis::study(made->clip, first->map());
      double turned_rad = 0.0;
      for (int f = 1; f < made->clip.frame_count(); ++f)
        turned_rad += std::abs(studied.heading_rad(f) - studied.heading_rad(f - 1));
      // Both walks turn, and sway.
      EXPECT_LT(turned_rad, 6.0);
    }
  }
}

}  // namespace
}  // namespace shosa::blend
