#include <gmock/gmock.h>

#include <algorithm>
#include <numbers>

#include "shipped_character.h"

namespace shosa::character {
namespace {

TEST(Push, IsCaughtWithAStepAndSaysWhenItCannot) {
  auto character = shipped_character();
  Watcher watcher(character);
  watcher.play(0.5);
  const auto before = character.place();
  const auto pushed = character.command(Push{{0.7, 0.0, 0.4}});
  ASSERT_TRUE(pushed);
  EXPECT_EQ(character.outcome(*pushed).status, Status::active);
  int steps = 0, steps_after = 0, caught = 0;
  for (int f = 0; f < 180; ++f) {
    watcher.play(1.0 / 60.0);
    for (const Event& event : character.events()) {
      (caught > 0 ? steps_after : steps) += event.kind == EventKind::foot_up;
      caught += event.kind == EventKind::goal_met && event.handle == *pushed;
    }
    ASSERT_EQ(character.outcome(*pushed).status, caught > 0 ? Status::done : Status::active) << f;
  }
  EXPECT_EQ(caught, 1);
  EXPECT_EQ(steps_after, 0) << "it stands";
  EXPECT_GE(steps, 1);
  EXPECT_GT(character.place().x_m - before.x_m, 0.1);
  EXPECT_LT(watcher.largest_step_m, 0.15);
  EXPECT_LT(character.speed_mps(), 0.1);
  const auto hard = character.command(Push{{6.0, 0.0, 0.0}});
  ASSERT_TRUE(hard);
  EXPECT_EQ(character.outcome(*hard).status, Status::given_up);
  EXPECT_EQ(character.outcome(*hard).reason, Reason::out_of_balance);
  watcher.play(3.0);
  EXPECT_TRUE(watcher.finite);
}

TEST(Push, TellsInTheNextUpdateWhatACommandTold) {
  auto character = shipped_character();
  character.update(0.5);
  const auto told = [&] {
    std::vector<EventKind> kinds;
    for (const Event& event : character.events())
      if (event.handle != kNoHandle) kinds.push_back(event.kind);
    return kinds;
  };
  const auto push = character.command(Push{{6.0, 0.0, 0.0}});
  ASSERT_TRUE(push);
  EXPECT_TRUE(told().empty()) << "events are those of the last update";
  const auto bytes = character.snapshot();
  const std::vector<EventKind> expected{EventKind::out_of_balance, EventKind::given_up};
  character.update(1.0 / 60.0);
  EXPECT_EQ(told(), expected);
  EXPECT_EQ(character.events().front().handle, *push);
  character.update(1.0 / 60.0);
  EXPECT_TRUE(told().empty());
  ASSERT_TRUE(character.restore(bytes));
  EXPECT_TRUE(told().empty());
  character.update(0.0);
  EXPECT_EQ(told(), expected) << "brought back with what was not yet told";
}

TEST(Push, EndsHoweverTheBodyGoes) {
  for (const double speed_mps : {0.0, 1.3, 2.7}) {
    for (int way = 0; way < 8; ++way) {
      SCOPED_TRACE(testing::Message() << speed_mps << " m/s, way " << way);
      auto character = shipped_character();
      if (speed_mps > 0.0) {
        ASSERT_TRUE(character.command(GoDirection{0.0, speed_mps}));
      }
      character.update(1.0), character.update(0.1 * way);
      const double angle = way * std::numbers::pi / 4.0;
      const auto first = character.command(Push{1.2 * Vec3d(std::sin(angle), 0.0, std::cos(angle))});
      character.update(0.2);
      const auto second = character.command(Push{0.8 * Vec3d(std::sin(angle), 0.0, std::cos(angle))});
      ASSERT_TRUE(first && second);
      EXPECT_EQ(character.outcome(*first).status, Status::replaced);
      int ends = 0;
      for (int f = 0; f < 300; ++f) {
        character.update(1.0 / 60.0);
        for (const Event& event : character.events()) ends += event.handle == *second;
      }
      EXPECT_EQ(character.outcome(*second).status, Status::done);
      EXPECT_EQ(ends, 1);
    }
  }
}

TEST(Push, IsSteppedAfterWhereItIsCaughtAndNoFarther) {
  const CharacterData& data = *shipped_data();
  const JointIndex hips = data.set().body_map.joint(body::Role::hips);
  for (const double heading_rad : {0.0, 1.57, 3.14, 4.71}) {
    SCOPED_TRACE(heading_rad);
    const Vec3d along(std::sin(heading_rad), 0.0, std::cos(heading_rad));
    auto character = shipped_character();
    ASSERT_TRUE(character.command(Push{1.5 * along}));
    std::vector<double> heights_m;
    double farthest_m = 0.0;
    WorldPose world;
    for (int f = 0; f < 180; ++f) {
      character.update(1.0 / 60.0);
      forward_kinematics(data.skeleton(), character.pose(), world);
      heights_m.push_back(world.positions[hips].y());
      for (const Event& event : character.events()) {
        if (event.kind != EventKind::foot_down) continue;
        const Vec3d& ball = world.positions[static_cast<std::size_t>(data.set().feet[event.index].toe)];
        farthest_m = std::max(farthest_m, along.dot(ball - world.positions[hips]));
      }
    }
    // v sqrt(h / g) is 0.46 m; a foot is up to 0.13 m beside the hips where nobody is pushed.
    EXPECT_GT(farthest_m, 0.25);
    EXPECT_LT(farthest_m, 0.62);
    EXPECT_GT(*std::ranges::min_element(heights_m), heights_m.back() - 0.15);
    for (std::size_t f = 6; f + 6 < heights_m.size(); ++f)
      ASSERT_GT((heights_m[f - 6] - 2.0 * heights_m[f] + heights_m[f + 6]) / 0.01, -9.81) << f;
    EXPECT_LT(character.speed_mps(), 0.1);
  }
}

TEST(Push, IsCaughtWithSomeStepsWhereItIsHard) {
  auto character = shipped_character();
  const auto pushed = character.command(Push{{0.0, 0.0, 2.2}});
  ASSERT_TRUE(pushed);
  int steps = 0, late_steps = 0;
  for (int f = 0; f < 300; ++f) {
    character.update(1.0 / 60.0);
    for (const Event& event : character.events()) (f < 240 ? steps : late_steps) += event.kind == EventKind::foot_down;
  }
  EXPECT_GE(steps, 3);
  EXPECT_EQ(late_steps, 0) << "it stands";
  EXPECT_EQ(character.outcome(*pushed).status, Status::done);
  const auto harder = character.command(Push{{0.0, 0.0, 2.5}});
  ASSERT_TRUE(harder);
  EXPECT_EQ(character.outcome(*harder).reason, Reason::out_of_balance);
}

}  // namespace
}  // namespace shosa::character
