#include <gtest/gtest.h>

#include <cmath>

#include "blend/clips.h"
#include "shosa/analysis/metrics.h"
#include "shosa/blend/compose.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::blending {
namespace {

using test::Clips;
using test::prepared;

double peak_mps2(const Clip& clip) {
  return analysis::measure_quality(clip, clip_positions(clip), nullptr).peak_acceleration_mps2;
}

double larger_peak_mps2(const Motion& a, const Motion& b) {
  return std::max(peak_mps2(a.clip), peak_mps2(b.clip));
}

TEST(Planning, AStepBeforeTheNextCoreTakesItsWholeMove) {
  const Clips clips;
  // The walk takes several steps before its core, while the previous motion has stood still for long.
  const auto late = prepared(clips.walk->clip, TimeInterval{2.2, 2.8});
  const auto made = compose(std::vector<ScoreMotion>{{clips.stand, 0.0}, {late, 1.8}});
  ASSERT_TRUE(made.has_value());
  const TransitionPlan& plan = made->joins[0].report.plan;
  ASSERT_EQ(plan.choice.method, Method::adaptation_with_step);
  ASSERT_LT(plan.choice.next_move.end, plan.at + late->core.begin);
  EXPECT_EQ(plan.step->frames, plan.choice.next_move);
  EXPECT_LE(plan.lower.frames.end, plan.step->frames.begin);
  // No step of the next motion is held back.
  for (const FrameInterval& move : late->feet[static_cast<std::size_t>(plan.choice.foot)].moving) {
    EXPECT_FALSE(move.begin + plan.at > plan.lower.frames.end && move.begin + plan.at < plan.step->frames.begin);
  }
}

TEST(Planning, TheEarliestTimeToldLeavesRoomForABlend) {
  const Clips clips;
  for (const auto& first : clips.all()) {
    for (const auto& second : clips.all()) {
      const auto refused = compose(std::vector<ScoreMotion>{{first, 0.0}, {second, 0.0}});
      ASSERT_TRUE(refused.has_value());
      ASSERT_FALSE(refused->joins[0].report.executed);
      const double earliest_s = refused->joins[0].report.earliest_s, dt = first->clip.frame_time_s();
      const auto made = compose(std::vector<ScoreMotion>{{first, 0.0}, {second, earliest_s}});
      const auto before = compose(std::vector<ScoreMotion>{{first, 0.0}, {second, earliest_s - dt}});
      ASSERT_TRUE(made.has_value() && before.has_value());
      EXPECT_TRUE(made->joins[0].report.executed);
      EXPECT_FALSE(before->joins[0].report.executed);
      EXPECT_GE(made->joins[0].report.plan.upper.frames.length() * dt, 0.1 - 0.5 * dt);
    }
  }
}

}  // namespace
}  // namespace shosa::blending
