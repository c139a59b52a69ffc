#include "blend/method.h"

#include <gtest/gtest.h>

namespace shosa::blend {
namespace {

constexpr int kMinMove = 6;

// A motion from frame 0 to `last` of two feet that stand but for the given moves.
MotionTimes motion(int last, FrameInterval core, std::vector<FrameInterval> left, std::vector<FrameInterval> right) {
  MotionTimes times{0, last, core, {}};
  for (const auto& moves : {left, right}) {
    FootTimes foot;
    int from = 0;
    for (const FrameInterval& move : moves) {
      foot.standing.push_back({from, move.begin});
      foot.moving.push_back(move);
      from = move.end;
    }
    foot.standing.push_back({from, last});
    times.feet.push_back(foot);
  }
  return times;
}

MotionTimes shifted(MotionTimes times, int by) {
  times.begin += by;
  times.end += by;
  times.core = times.core.shifted(by);
  for (FootTimes& foot : times.feet) {
    for (auto* list : {&foot.standing, &foot.moving}) {
      for (FrameInterval& interval : *list) interval = interval.shifted(by);
    }
  }
  return times;
}

TEST(ChooseMethod, SameFootAtTheSameTimeIsATransition) {
  const auto previous = motion(100, {0, 50}, {{60, 90}}, {});
  const auto next = motion(100, {60, 100}, {{20, 50}}, {});
  const auto choice = choose_method(previous, shifted(next, 40), kMinMove);
  EXPECT_EQ(choice.method, JoinMethod::transition);
  EXPECT_EQ(choice.foot, 0);
  EXPECT_EQ(choice.previous_move, (FrameInterval{60, 90}));
  EXPECT_EQ(choice.next_move, (FrameInterval{60, 90}));
}

TEST(ChooseMethod, AnotherFootAtTheSameTimeIsAConnection) {
  const auto previous = motion(100, {0, 50}, {{60, 90}}, {});
  const auto next = motion(100, {60, 100}, {}, {{20, 50}});
  const auto choice = choose_method(previous, shifted(next, 40), kMinMove);
  EXPECT_EQ(choice.method, JoinMethod::connection);
  EXPECT_EQ(choice.foot, 0);
  EXPECT_EQ(choice.previous_move, (FrameInterval{60, 90}));
}

TEST(ChooseMethod, SameFootAtAnotherTimeIsAConnection) {
  const auto previous = motion(100, {0, 50}, {{55, 70}}, {});
  const auto next = motion(100, {60, 100}, {{30, 50}}, {});
  // The next motion's move begins as the previous one's ends: they touch, and are not at the same time.
  EXPECT_EQ(choose_method(previous, shifted(next, 40), kMinMove).method, JoinMethod::connection);
  // One frame earlier they share two frames.
  EXPECT_EQ(choose_method(previous, shifted(next, 39), kMinMove).method, JoinMethod::transition);
}

TEST(ChooseMethod, MovesWithinTheCoresDoNotCount) {
  const auto previous = motion(100, {0, 95}, {{60, 90}}, {});
  const auto next = motion(100, {10, 100}, {{20, 50}}, {});
  const auto choice = choose_method(previous, shifted(next, 100), kMinMove);
  EXPECT_EQ(choice.method, JoinMethod::adaptation_with_step);
  EXPECT_EQ(choice.foot, 0);
  EXPECT_EQ(choice.next_move, (FrameInterval{120, 150}));
}

TEST(ChooseMethod, AMoveUnderWayAtTheEndOfTheCoreCountsFromThere) {
  const auto previous = motion(100, {0, 70}, {{60, 90}}, {});
  const auto next = motion(100, {40, 100}, {}, {});
  const auto choice = choose_method(previous, shifted(next, 80), kMinMove);
  EXPECT_EQ(choice.method, JoinMethod::connection);
  EXPECT_EQ(choice.previous_move, (FrameInterval{70, 90}));
  // With less than a least move left it is no longer one.
  const auto late = motion(100, {0, 90 - kMinMove + 1}, {{60, 90}}, {});
  EXPECT_EQ(choose_method(late, shifted(next, 80), kMinMove).method, JoinMethod::adaptation_without_step);
}

TEST(ChooseMethod, NeitherMovesIsAnAdaptationWithoutStep) {
  const auto still = motion(100, {20, 80}, {}, {});
  const auto choice = choose_method(still, shifted(still, 90), kMinMove);
  EXPECT_EQ(choice.method, JoinMethod::adaptation_without_step);
  EXPECT_EQ(choice.foot, -1);
}

TEST(ChooseMethod, OfSeveralMovesTheOneNearestTheCoreIsTaken) {
  const auto previous = motion(200, {0, 50}, {{120, 150}}, {{60, 90}, {160, 190}});
  const auto still = motion(100, {60, 100}, {}, {});
  auto choice = choose_method(previous, shifted(still, 180), kMinMove);
  EXPECT_EQ(choice.method, JoinMethod::connection);
  EXPECT_EQ(choice.foot, 1);
  EXPECT_EQ(choice.previous_move, (FrameInterval{60, 90}));

  const auto standing = motion(100, {20, 80}, {}, {});
  const auto steps = motion(200, {20, 150}, {{100, 130}}, {{60, 90}, {140, 170}});
  choice = choose_method(standing, shifted(steps, 90), kMinMove);
  EXPECT_EQ(choice.method, JoinMethod::adaptation_with_step);
  EXPECT_EQ(choice.foot, 1);
  EXPECT_EQ(choice.next_move, (FrameInterval{150, 180}));
}

TEST(ChooseMethod, OfSeveralMovesBeforeTheNextCoreTheFirstOneLeavesTheStance) {
  const auto standing = motion(100, {20, 80}, {}, {});
  const auto steps = motion(200, {150, 190}, {{20, 40}, {100, 130}}, {{60, 90}});
  auto choice = choose_method(standing, shifted(steps, 75), kMinMove);
  EXPECT_EQ(choice.method, JoinMethod::adaptation_with_step);
  EXPECT_EQ(choice.foot, 0);
  EXPECT_EQ(choice.next_move, (FrameInterval{95, 115}));
  // A move that is under way when the core ends leaves no time to take the stance.
  choice = choose_method(standing, shifted(steps, 50), kMinMove);
  EXPECT_EQ(choice.foot, 1);
  EXPECT_EQ(choice.next_move, (FrameInterval{110, 140}));
}

TEST(ChooseMethod, AMoveThatComesTooLateForTheNextCoreIsNotUsed) {
  const auto previous = motion(200, {0, 50}, {{150, 180}}, {});
  const auto next = motion(100, {20, 80}, {}, {});
  EXPECT_EQ(choose_method(previous, shifted(next, 40), kMinMove).method, JoinMethod::adaptation_without_step);
  // Core 1 must begin a least move after the foot lifts.
  EXPECT_EQ(choose_method(previous, shifted(next, 131 + kMinMove), kMinMove).method, JoinMethod::connection);
  EXPECT_EQ(choose_method(previous, shifted(next, 130 + kMinMove), kMinMove).method,
            JoinMethod::adaptation_without_step);
}

TEST(FootTimes, ShortLiftsAreStandingAndMovesReachFromStanceToStance) {
  const std::vector<TimeInterval> contacts = {{0.0, 0.5}, {0.55, 1.0}, {1.4, 1.8}};
  const FootTimes times = foot_times(contacts, 201, 0.01, 0.1);
  EXPECT_EQ(times.standing, (std::vector<FrameInterval>{{0, 100}, {140, 180}}));
  EXPECT_EQ(times.moving, (std::vector<FrameInterval>{{100, 140}, {180, 200}}));
}

}  // namespace
}  // namespace shosa::blend
