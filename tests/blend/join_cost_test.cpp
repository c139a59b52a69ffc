#include "shosa/blend/join_cost.h"

#include <gtest/gtest.h>

#include "blend/clips.h"
#include "blend/transition.h"
#include "shosa/blend/compose.h"

namespace shosa::blend {
namespace {

using test::Clips;

TEST(JoinCost, IsOfTheJoinThatTheComposerPlays) {
  const Clips clips;
  // Without momentum a join is played as the search found it.
  ComposeParams params;
  params.plan.momentum = params.plan.bridge = false;
  for (const auto& first : clips.all()) {
    for (const auto& second : clips.all()) {
      const auto cost = join_cost(*first, *second, params.plan);
      ASSERT_TRUE(cost.has_value()) << cost.error().message;
      const auto made = compose(std::vector<ScoreMotion>{{first, 0.0}, {second, std::nullopt}}, params);
      ASSERT_TRUE(made.has_value());
      const AddReport& report = made->joins[0].report;
      ASSERT_EQ(cost->executed, report.executed);
      EXPECT_EQ(cost->method, report.method);
      EXPECT_EQ(cost->cost, report.plan->lower.cost.total + report.plan->upper.cost.total);
      EXPECT_EQ(cost->distance_m, report.plan->lower.cost.distance_m);
      EXPECT_NEAR(cost->enter_s, report.blends[0].time.end_s - report.at_s, 1e-9);
      // Played, the legs may begin earlier, never later.
      EXPECT_GE(cost->leave_s, report.blends[0].time.begin_s);
      EXPECT_GE(cost->leave_s, first->core.end * first->clip().frame_time_s());
    }
  }
}

TEST(JoinCost, RefusesMotionsThatDoNotFit) {
  const Clips clips;
  EXPECT_FALSE(join_cost(*clips.all()[0], *clips.all()[0], {.smoothness = 2.0}).has_value());
}

}  // namespace
}  // namespace shosa::blend
