#include <gtest/gtest.h>

#include <cmath>

#include "blend/clips.h"
#include "blend/transition.h"
#include "shosa/analysis/metrics.h"
#include "shosa/blend/compose.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::blend {
namespace {

using test::Clips;
using test::prepared;

double peak_mps2(const Clip& clip) {
  return analysis::measure_quality(analysis::study(clip, {})).peak_acceleration_mps2;
}

double larger_peak_mps2(const Motion& a, const Motion& b) {
  return std::max(peak_mps2(a.clip()), peak_mps2(b.clip()));
}

TEST(Planning, ACoreAtTheVeryEndOfItsClipKeepsItsOrder) {
  // Stands for long, and bows in its last fifth of a second: that is the core.
  const Clips clips;
  Clip clip = clips.stand->clip();
  const JointIndex hips = root_joint(clips.stand->map());
  const int start = clip.nearest_frame(clip.last_time_s() - 0.2);
  for (int f = start; f < clip.frame_count(); ++f) {
    const double turn = 2.0 * (f - start) / (clip.frame_count() - start);
    const Quatd by(Eigen::AngleAxisd(turn, Vec3d::UnitX()));
    clip.set_rotation(f, hips, (clip.rotation(f, hips).cast<double>() * by).normalized().cast<float>());
  }
  const auto motion = prepare_motion(analysis::study(clip, clips.stand->map()));
  ASSERT_TRUE(motion.has_value()) << motion.error().message;
  EXPECT_GE((*motion)->core.begin, start - 10);
  EXPECT_LE((*motion)->core.begin, (*motion)->core.end);
}

TEST(Planning, AStepBeforeTheNextCoreTakesItsWholeMove) {
  const Clips clips;
  // The walk takes several steps before its core, while the previous motion has stood still for long.
  const auto late = prepared(clips.walk->clip(), TimeInterval{2.2, 2.8});
  const auto made = compose(std::vector<ScoreMotion>{{clips.stand, 0.0}, {late, 1.8}}, {.plan = {.momentum = false}});
  ASSERT_TRUE(made.has_value());
  const TransitionPlan& plan = *made->joins[0].report.plan;
  ASSERT_EQ(plan.choice.method, JoinMethod::adaptation_with_step);
  ASSERT_LT(plan.choice.next_move.end, plan.at + late->core.begin);
  EXPECT_EQ(plan.step->frames, plan.choice.next_move);
  EXPECT_LE(plan.lower.frames.end, plan.step->frames.begin);
  // No step of the next motion is held back.
  for (const FrameInterval& move : late->feet[plan.choice.foot].moving) {
    EXPECT_FALSE(move.begin + plan.at > plan.lower.frames.end && move.begin + plan.at < plan.step->frames.begin);
  }
}

TEST(Planning, TheEarliestTimeToldLeavesRoomForABlend) {
  const Clips clips;
  for (const auto& first : clips.all()) {
    for (const auto& second : clips.all()) {
      const double dt = first->clip().frame_time_s(), touching_s = (first->core.end - second->core.begin) * dt;
      const auto refused = compose(std::vector<ScoreMotion>{{first, 0.0}, {second, touching_s}});
      ASSERT_TRUE(refused.has_value());
      ASSERT_FALSE(refused->joins[0].report.executed);
      const double earliest_s = refused->joins[0].report.earliest_s;
      const auto made = compose(std::vector<ScoreMotion>{{first, 0.0}, {second, earliest_s}});
      const auto before = compose(std::vector<ScoreMotion>{{first, 0.0}, {second, earliest_s - dt}});
      ASSERT_TRUE(made.has_value() && before.has_value());
      EXPECT_TRUE(made->joins[0].report.executed) << made->joins[0].report.reason;
      EXPECT_FALSE(before->joins[0].report.executed);
      EXPECT_GE(made->joins[0].report.plan->upper.frames.length() * dt, 0.1 - 0.5 * dt);
    }
  }
}

TEST(Planning, AnAutomaticTimeLeavesNoGapWhereTheClipsCanOverlap) {
  const Clips clips;
  // A walk that begins and ends in the middle of a move: laid over each other they would not touch.
  // Without momentum: a body that would be thrown takes steps in between.
  for (const auto& first : clips.all()) {
    for (const auto& second : clips.all()) {
      const auto made =
          compose(std::vector<ScoreMotion>{{first, 0.0}, {second, std::nullopt}}, {.plan = {.momentum = false}});
      ASSERT_TRUE(made.has_value());
      const TransitionPlan& plan = *made->joins[0].report.plan;
      EXPECT_NE(plan.choice.method, JoinMethod::bridge);
      EXPECT_EQ(plan.choice.method, plan.by_contacts);
      EXPECT_LT(plan.at, first->frame_count());
    }
  }
}

TEST(Planning, ALongMoveIsNotSqueezedIntoLittleTime) {
  const Clips clips;
  // The jump's flight of the previous motion, with a fraction of its time left.
  const FrameInterval flight = clips.jump->feet[0].moving.front();
  const double dt = clips.jump->clip().frame_time_s();
  const auto jump = prepared(clips.jump->clip(), TimeInterval{0.1, (flight.begin - 2) * dt});
  const auto at_s = (flight.begin + 14) * dt - clips.stand->core.begin * dt;
  const auto made = compose(std::vector<ScoreMotion>{{jump, 1.0}, {clips.stand, 1.0 + at_s}});
  ASSERT_TRUE(made.has_value());
  const TransitionPlan& plan = *made->joins[0].report.plan;
  ASSERT_TRUE(plan.executed);
  ASSERT_EQ(plan.choice.method, JoinMethod::connection);
  ASSERT_GT(plan.choice.previous_move.length(), 2 * plan.lower.frames.length());
  EXPECT_LT(peak_mps2(made->clip), 1.5 * larger_peak_mps2(*jump, *clips.stand));
}

// Over a gap of seconds the body walks on.
TEST(Planning, AGapOfSecondsIsCrossedInStepsWithAFootOnTheGround) {
  const Clips clips;
  for (const double gap_s : {1.2, 2.0, 3.3}) {
    SCOPED_TRACE(gap_s);
    const double at_s = clips.walk->clip().last_time_s() + gap_s;
    const auto made = compose(std::vector<ScoreMotion>{{clips.walk, 0.0}, {clips.walk, at_s}});
    ASSERT_TRUE(made.has_value());
    EXPECT_EQ(made->joins[0].report.plan->choice.method, JoinMethod::bridge);
    const FrameInterval gap = made->joins[0].report.plan->lower.frames;
    const ClipPositions positions = clip_positions(made->clip), own = clip_positions(clips.walk->clip());
    const auto lower_toe_m = [&](const ClipPositions& of, int f) {
      double least = 1e9;
      for (const auto& foot : made->contacts.feet) least = std::min(least, of.point(f, foot.points.toe).y());
      return least;
    };
    double own_m = 0.0;
    for (int f = 0; f < own.frame_count(); ++f) own_m = std::max(own_m, lower_toe_m(own, f));
    for (int f = gap.begin; f <= gap.end; ++f) ASSERT_LT(lower_toe_m(positions, f), own_m + 0.03) << f;
    // The walk made in code is smoother than any captured one: 1.5 there, `pairs_real_test`.
    EXPECT_LT(peak_mps2(made->clip), 2.0 * peak_mps2(clips.walk->clip()));
    // It gets about as far as it would have walked: the shift of what follows costs nothing but its acceleration.
    const auto travel_m = [](const ClipPositions& of, int from, int to) {
      const Vec3d way = of.joint(to, 0) - of.joint(from, 0);
      return std::hypot(way.x(), way.z());
    };
    const double pace = travel_m(own, 0, own.frame_count() - 1) / (own.frame_count() - 1);
    EXPECT_NEAR(travel_m(positions, gap.begin, gap.end), pace * gap.length(), 0.6);
  }
}

TEST(Planning, AMotionThatKeepsAFarPlaceComesWhenTheBodyCanBeThere) {
  const Clips clips;
  // Both walks begin at one place: the body has to walk back.
  const auto made = compose(std::vector<ScoreMotion>{{clips.walk, 0.0}, {clips.walk, std::nullopt, true}});
  ASSERT_TRUE(made.has_value());
  ASSERT_TRUE(made->joins[0].report.executed);
  const FrameInterval way = made->joins[0].report.plan->lower.frames;
  const ClipPositions positions = clip_positions(made->clip);
  const double dt = made->clip.frame_time_s();
  const Vec3d apart = positions.joint(way.end, 0) - positions.joint(way.begin, 0);
  ASSERT_GT(std::hypot(apart.x(), apart.z()), 1.5);
  EXPECT_LT(std::hypot(apart.x(), apart.z()) / (way.length() * dt), 1.5);
  for (int f = way.begin; f < way.end; ++f) {
    ASSERT_LT((positions.joint(f + 1, 0) - positions.joint(f, 0)).norm() / dt, 4.0) << f;
  }
}

TEST(Planning, AStanceIsHeldOverAGapOfSeconds) {
  const Clips clips;
  const double at_s = clips.stand->clip().last_time_s() + 3.0;
  const auto made = compose(std::vector<ScoreMotion>{{clips.stand, 0.0}, {clips.stand, at_s}});
  ASSERT_TRUE(made.has_value());
  const FrameInterval gap = made->joins[0].report.plan->lower.frames;
  const ClipPositions positions = clip_positions(made->clip);
  for (const auto& foot : made->contacts.feet) {
    for (int f = gap.begin; f <= gap.end; ++f) {
      ASSERT_LT((positions.point(f, foot.points.toe) - positions.point(gap.begin, foot.points.toe)).norm(), 0.02) << f;
    }
  }
}

TEST(Planning, BlendsGivenByHandAreTakenWhereTheFeetAllowThem) {
  const Clips clips;
  const auto blends = [&](const GivenBlends& given) {
    const auto made =
        compose(std::vector<ScoreMotion>{{clips.walk, 0.0}, {.motion = clips.run, .at_s = 1.7, .given = given}});
    EXPECT_TRUE(made.has_value());
    return made->joins[0].report;
  };
  const AddReport searched = blends({});
  ASSERT_EQ(searched.blends[1].part, Part::upper);
  const double dt = clips.walk->clip().frame_time_s();

  // Shorter than the one found, and elsewhere; in the next motion's time.
  const TimeInterval upper{searched.blends[1].time.begin_s + 3 * dt, searched.blends[1].time.begin_s + 9 * dt};
  const AddReport hand = blends({.upper = TimeInterval{upper.begin_s - 1.7, upper.end_s - 1.7}});
  EXPECT_NEAR(hand.blends[1].time.begin_s, upper.begin_s, 0.5 * dt);
  EXPECT_NEAR(hand.blends[1].time.end_s, upper.end_s, 0.5 * dt);
  EXPECT_EQ(hand.method, searched.method);
  EXPECT_EQ(hand.blends[0].time, searched.blends[0].time);

  const double end_s = searched.blends[0].time.end_s + 2 * dt;
  const AddReport legs = blends({.lower = TimeInterval{searched.blends[0].time.begin_s - 1.7, end_s - 1.7}});
  EXPECT_NEAR(legs.blends[0].time.end_s, end_s, 0.5 * dt);

  // Cores survive whatever is given.
  const AddReport wild = blends({.lower = TimeInterval{-50.0, 50.0}, .upper = TimeInterval{-50.0, 50.0}});
  for (const BlendSpan& span : {wild.blends[0], wild.blends[1]}) {
    EXPECT_GE(span.time.begin_s, clips.walk->core.end * dt - 1e-9) << part_name(span.part);
    EXPECT_LE(span.time.end_s, 1.7 + clips.run->core.begin * dt + 1e-9) << part_name(span.part);
  }
  EXPECT_GT(wild.blends[1].time.length_s(), hand.blends[1].time.length_s());
}

}  // namespace
}  // namespace shosa::blend
