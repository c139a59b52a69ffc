#include "shosa/blend/compose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "blend/clips.h"
#include "blend/transition.h"
#include "shosa/analysis/metrics.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::blend {
namespace {

using test::Clips;
using test::prepared;

bool same_bits(const Clip& a, const Clip& b) {
  if (a.frame_count() != b.frame_count()) return false;
  for (int f = 0; f < a.frame_count(); ++f) {
    for (JointIndex j = 0; j < a.joint_count(); ++j) {
      if (a.rotation(f, j).coeffs() != b.rotation(f, j).coeffs()) return false;
      if (a.translation(f, j) != b.translation(f, j)) return false;
    }
  }
  return true;
}

TEST(Compose, StandingFeetStandInEveryPair) {
  const Clips clips;
  for (const auto& first : clips.all()) {
    for (const auto& second : clips.all()) {
      const auto made = compose(std::vector<ScoreMotion>{{first, 0.0}, {second, std::nullopt}});
      ASSERT_TRUE(made.has_value());
      ASSERT_TRUE(made->joins[0].report.executed) << made->joins[0].report.reason;
      const auto own = [](const Motion& m) { return analysis::measure_quality(m.studied); };
      const auto joined = analysis::measure_quality(*analysis::study(made->clip, first->map(), made->contacts));
      const double source = std::max(own(*first).foot_skate_mps, own(*second).foot_skate_mps);
      EXPECT_LE(joined.foot_skate_mps, source + 0.01) << method_name(made->joins[0].report.plan->choice.method);
    }
  }
}

TEST(Compose, ToeTipsStayOverTheGround) {
  const Clips clips;
  for (const auto& first : clips.all()) {
    for (const auto& second : clips.all()) {
      const auto made = compose(std::vector<ScoreMotion>{{first, 0.0}, {second, std::nullopt}});
      ASSERT_TRUE(made.has_value());
      SCOPED_TRACE(method_name(made->joins[0].report.plan->choice.method));
      const ClipPositions positions = clip_positions(made->clip);
      for (const auto& foot : made->contacts.feet) {
        // The sources' tips come down to the ground, at height 0.
        for (int f = 0; f < positions.frame_count(); ++f) {
          ASSERT_GT(positions.point(f, foot.points.tip).y(), -0.005) << f;
        }
      }
    }
  }
}

TEST(Compose, PlantedFeetHoldThroughAnAdaptation) {
  const Clips clips;
  // The same stance, with one foot drawn back by the walk that follows.
  const std::vector<ScoreMotion> score = {{clips.stand, 0.0}, {clips.walk, std::nullopt}};
  const auto made = compose(score, {.plan = {.momentum = false}});
  ASSERT_TRUE(made.has_value());
  const TransitionPlan& plan = *made->joins[0].report.plan;
  ASSERT_EQ(plan.choice.method, JoinMethod::adaptation_with_step);
  const ClipPositions positions = clip_positions(made->clip);
  const auto foot = static_cast<std::size_t>(plan.choice.foot);
  const int toe = made->contacts.feet[foot].points.toe;
  const Vec3d stood = positions.point(plan.lower.frames.begin, toe);
  for (int f = plan.lower.frames.begin; f <= plan.step->frames.begin; ++f) {
    EXPECT_LT((positions.point(f, toe) - stood).norm(), 0.01) << f;
  }
}

TEST(Compose, RangesOfTheIntervalsAreThoseOfTheMethod) {
  const Clips clips;
  for_every_automatic_pair(clips, [](const Motion& first, const Motion& second, const TransitionPlan& plan) {
    const int c0 = first.core.end, c1 = plan.at + second.core.begin;
    SCOPED_TRACE(method_name(plan.choice.method));
    EXPECT_GE(plan.upper.frames.begin, c0 + 1);
    EXPECT_LE(plan.upper.frames.end, c1 - 1);
    EXPECT_LT(plan.upper.frames.begin, plan.upper.frames.end);
    EXPECT_LT(plan.lower.frames.begin, plan.lower.frames.end);
    switch (plan.choice.method) {
      case JoinMethod::transition:
        EXPECT_GT(plan.lower.frames.begin, c0);
        EXPECT_LT(plan.lower.frames.begin, plan.choice.next_move.end);
        EXPECT_GT(plan.lower.frames.end, plan.choice.previous_move.begin);
        EXPECT_LT(plan.lower.frames.end, c1);
        break;
      case JoinMethod::connection:
        EXPECT_EQ(plan.lower.frames.begin, plan.choice.previous_move.begin);
        EXPECT_LT(plan.lower.frames.end, c1);
        break;
      case JoinMethod::adaptation_with_step:
        EXPECT_EQ(plan.step->frames.end, plan.choice.next_move.end);
        EXPECT_GE(plan.step->frames.begin, plan.lower.frames.end);
        EXPECT_EQ(plan.hold->frames, (FrameInterval{plan.lower.frames.end, plan.step->frames.begin}));
        [[fallthrough]];
      case JoinMethod::adaptation_without_step:
        EXPECT_EQ(plan.lower.frames.begin, c0);
        EXPECT_LT(plan.lower.frames.end, plan.at + second.frame_count() - 1);
        break;
      case JoinMethod::bridge:
        EXPECT_EQ(plan.lower.frames, plan.upper.frames);
        break;
    }
  });
}

TEST(Compose, IsWhatThePlayerPlays) {
  const Clips clips;
  const std::vector<ScoreMotion> score = {
      {clips.walk, 0.0}, {clips.run, std::nullopt}, {clips.jump, std::nullopt}, {clips.stand, std::nullopt}};
  const auto made = compose(score);
  ASSERT_TRUE(made.has_value());
  auto player = MotionPlayer::create(clips.walk);
  for (std::size_t i = 1; i < score.size(); ++i) ASSERT_TRUE(player->add(score[i].motion)->executed);
  Pose pose;
  for (int f = 0; f < made->clip.frame_count(); ++f) {
    player->frame(f * player->frame_time_s(), pose);
    for (JointIndex j = 0; j < pose.joint_count(); ++j) {
      ASSERT_EQ(pose.rotation(j).coeffs(), made->clip.rotation(f, j).coeffs());
    }
  }
}

TEST(Compose, SameScoreSameBits) {
  const Clips clips;
  const std::vector<ScoreMotion> score = {{clips.run, 0.0}, {clips.walk, std::nullopt}, {clips.stand, std::nullopt}};
  for (const Technique technique :
       {Technique::optimal, Technique::constraint, Technique::pose, Technique::inertial, Technique::dead}) {
    const auto one = compose(score, {.technique = technique}), other = compose(score, {.technique = technique});
    ASSERT_TRUE(one && other);
    EXPECT_TRUE(same_bits(one->clip, other->clip)) << technique_name(technique);
  }
}

TEST(Compose, TimedMotionsAreTakenInTheOrderOfTheirTimes) {
  const Clips clips;
  const auto made = compose(std::vector<ScoreMotion>{{clips.stand, 5.0}, {clips.walk, 0.0}, {clips.run, 2.0}});
  ASSERT_TRUE(made.has_value());
  ASSERT_EQ(made->joins.size(), 2u);
  EXPECT_EQ(made->joins[0].from, 1);
  EXPECT_EQ(made->joins[0].to, 2);
  EXPECT_EQ(made->joins[1].to, 0);
}

TEST(Compose, NothingJumpsWhateverIsJoinedWhen) {
  const Clips clips;
  const auto all = clips.all();
  std::mt19937 random(11);
  for (int round = 0; round < 40; ++round) {
    SCOPED_TRACE(round);
    auto player = MotionPlayer::create(all[random() % 4], {.smoothness = 0.25 * (round % 5)});
    ASSERT_TRUE(player.has_value());
    double now_s = 0.0;
    Pose pose;
    Clip played(clips.walk->clip().skeleton_ptr(), 600, player->frame_time_s(), clips.walk->clip().translated());
    for (int f = 0; f < played.frame_count(); ++f, now_s = f * player->frame_time_s()) {
      if (random() % 60 == 0) {
        ASSERT_TRUE(player->add(all[random() % 4], {.now_s = now_s, .interrupt = random() % 3 == 0}).has_value());
      }
      player->frame(now_s, pose);
      played.set_frame(f, pose);
    }
    const ClipPositions positions = clip_positions(played);
    for (int f = 1; f < played.frame_count(); ++f) {
      for (JointIndex j = 0; j < played.joint_count(); ++j) {
        ASSERT_TRUE(positions.joint(f, j).allFinite());
        // 25 m/s: the fastest foot of the run made in code moves at 9 m/s.
        ASSERT_LT((positions.joint(f, j) - positions.joint(f - 1, j)).norm() / player->frame_time_s(), 25.0)
            << "frame " << f << " joint " << j;
      }
    }
  }
}

TEST(Compose, UnevenFloorsDoNotAddUp) {
  // A captured floor that rises by 4 cm along the walk.
  Clip walk = scenes::walk({.duration_s = 3.0}).clip;
  for (int f = 0; f < walk.frame_count(); ++f) {
    const float rise_m = 0.04f * static_cast<float>(f) / static_cast<float>(walk.frame_count());
    walk.set_translation(f, 0, walk.translation(f, 0) + Vec3f(0.0f, rise_m, 0.0f));
  }
  const auto motion = prepared(walk, TimeInterval{0.8, 2.0});
  const auto made = compose(std::vector<ScoreMotion>(8, ScoreMotion{motion, std::nullopt}));
  ASSERT_TRUE(made.has_value());
  const auto hips_m = [](const Clip& clip, int from, int to) {
    double sum = 0.0;
    for (int f = from; f < to; ++f) sum += clip.translation(f, 0).y();
    return sum / (to - from);
  };
  const int frames = made->clip.frame_count(), part = frames / 8;
  EXPECT_NEAR(hips_m(made->clip, frames - part, frames), hips_m(made->clip, 0, part), 0.03);
}

TEST(Compose, TheTopOfAJumpSurvivesAConnection) {
  const Clip jump = scenes::jump({.still_s = 0.8}).clip;
  const ClipPositions source = clip_positions(jump);
  int top = 0;
  for (int f = 0; f < jump.frame_count(); ++f) {
    if (source.joint(f, 0).y() > source.joint(top, 0).y()) top = f;
  }
  const auto first = prepared(jump, TimeInterval{0.1, 0.8});
  // With momentum the body flies on over the ground.
  const auto made =
      compose(std::vector<ScoreMotion>{{first, 0.0}, {Clips().stand, std::nullopt}}, {.plan = {.momentum = false}});
  ASSERT_TRUE(made.has_value());
  const TransitionPlan& plan = *made->joins[0].report.plan;
  ASSERT_EQ(plan.choice.method, JoinMethod::connection);
  ASSERT_LT(plan.lower.frames.begin, top);
  ASSERT_GT(plan.lower.frames.end, top);
  const ClipPositions joined = clip_positions(made->clip);
  for (const auto& foot : made->contacts.feet) {
    for (const int point : {0, static_cast<int>(foot.points.knee), foot.points.toe}) {
      EXPECT_LT((joined.point(top, point) - source.point(top, point)).norm(), 0.005) << point;
    }
  }
}

// The poses of both are alike for a moment, where the lower body would change over within 0.1 s, and half a metre
// apart.
TEST(Compose, HipsGoFromASlowRunToAFastOneWithoutAJerk) {
  const auto slow = prepared(
      scenes::run({.duration_s = 3.7, .speed_mps = 2.7, .step_s = 0.3667, .duty = 0.36, .foot_clearance_m = 0.16}).clip,
      TimeInterval{0.7, 2.5});
  const auto fast = prepared(
      scenes::run({.duration_s = 2.7, .speed_mps = 4.5, .step_s = 0.3333, .duty = 0.25, .foot_clearance_m = 0.2}).clip,
      TimeInterval{1.3, 2.0});
  for (const double smoothness : {0.5, 1.0}) {
    SCOPED_TRACE(smoothness);
    const auto made =
        compose(std::vector<ScoreMotion>{{slow, 0.0}, {fast, std::nullopt}}, {.plan = {.smoothness = smoothness}});
    ASSERT_TRUE(made.has_value() && made->joins[0].report.executed);
    const ClipPositions positions = clip_positions(made->clip);
    double most_mps = 0.0;
    for (int f = 1; f + 1 < positions.frame_count(); ++f) {
      const Vec3d change = positions.joint(f + 1, 0) - 2.0 * positions.joint(f, 0) + positions.joint(f - 1, 0);
      most_mps = std::max(most_mps, std::hypot(change.x(), change.z()) / made->clip.frame_time_s());
    }
    EXPECT_LT(most_mps, 0.6);
  }
}

TEST(Compose, BrokenRulesAreNamed) {
  const Clips clips;
  EXPECT_FALSE(compose({}).has_value());
  EXPECT_FALSE(compose(std::vector<ScoreMotion>{{nullptr, 0.0}}).has_value());
  EXPECT_FALSE(compose(std::vector<ScoreMotion>{{clips.walk, -1.0}}).has_value());
  EXPECT_FALSE(compose(std::vector<ScoreMotion>{{clips.walk, 0.0}}, {.plan = {.smoothness = 1.5}}).has_value());
  const auto dog = prepared(scenes::dog_walk().clip);
  const auto mixed = compose(std::vector<ScoreMotion>{{clips.walk, 0.0}, {dog, std::nullopt}});
  ASSERT_FALSE(mixed.has_value());
  EXPECT_NE(mixed.error().message.find("motion 1"), std::string::npos) << mixed.error().message;
  const Clip walk = scenes::walk().clip;
  const body::BodyMap map = body::guess_body_map(walk.skeleton());
  EXPECT_FALSE(prepare_motion(analysis::study(walk, map), {.core = TimeInterval{2.0, 1.0}}).has_value());
  EXPECT_FALSE(prepare_motion(analysis::study(walk, map), {.core = TimeInterval{0.0, 99.0}}).has_value());
}

TEST(Compose, FourLegsAreJoinedToo) {
  const auto slow = prepared(scenes::dog_walk({.speed_mps = 0.7}).clip), fast = prepared(scenes::dog_walk().clip);
  const auto made = compose(std::vector<ScoreMotion>{{slow, 0.0}, {fast, std::nullopt}});
  ASSERT_TRUE(made.has_value());
  EXPECT_TRUE(made->joins[0].report.executed);
  const ClipPositions positions = clip_positions(made->clip);
  for (int f = 1; f < positions.frame_count(); ++f) {
    for (JointIndex j = 0; j < positions.joint_count(); ++j) {
      ASSERT_LT((positions.joint(f, j) - positions.joint(f - 1, j)).norm() / made->clip.frame_time_s(), 12.0) << f;
    }
  }
}

}  // namespace
}  // namespace shosa::blend
