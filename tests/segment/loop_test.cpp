#include "shosa/segment/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/real_clips.h"
#include "analysis/scene_bodies.h"
#include "scenes/scenes.h"
#include "segment/meeting_segment.h"
#include "segment/slide.h"
#include "shosa/analysis/metrics.h"

namespace shosa::segment {
namespace {

/// Largest jump of any joint at the seams of a looped clip, from what the clip itself holds.
struct Seams {
  double bend_mps = 0.0;       ///< Change of velocity from the step before a seam to the step after it.
  double elsewhere_mps = 0.0;  ///< The largest such change anywhere else.
};
Seams seams_of(const Loop& loop) {
  const ClipPositions p = clip_positions(loop.clip);
  Seams out;
  for (int f = 1; f + 1 < p.frame_count(); ++f) {
    for (JointIndex j = 0; j < p.joint_count(); ++j) {
      const double bend =
          (p.joint(f + 1, j) - 2.0 * p.joint(f, j) + p.joint(f - 1, j)).norm() / loop.clip.frame_time_s();
      double& worst = f % loop.frames_per_cycle == 0 ? out.bend_mps : out.elsewhere_mps;
      worst = std::max(worst, bend);
    }
  }
  return out;
}

/// Up or down, over a sixtieth of a second.
double fastest_hips_mps(const ClipPositions& p, const body::BodyMap& map, double dt) {
  const int step = std::max(1, static_cast<int>(std::lround(1.0 / 60.0 / dt)));
  double fastest = 0.0;
  for (int f = step; f < p.frame_count(); ++f) {
    const double way = p.joint(f, root_joint(map)).y() - p.joint(f - step, root_joint(map)).y();
    fastest = std::max(fastest, std::abs(way) / (step * dt));
  }
  return fastest;
}

TEST(Loop, OfAPerfectCycleIsTheCycle) {
  const Clip walk = scenes::walk({.duration_s = 4.0}).clip;
  const auto loop = make_loop(test::study_scene(walk), {.cycles = 3});
  ASSERT_TRUE(loop.has_value()) << loop.error().message;
  EXPECT_NEAR(loop->frames_per_cycle / 60.0, 1.04, 0.02);
  EXPECT_EQ(loop->clip.frame_count(), 3 * loop->frames_per_cycle);
  EXPECT_LT(loop->seam_position_m, 1e-5);
  EXPECT_LT(loop->seam_velocity_mps, 1e-3);
  // It walks on where the long walk does.
  const ClipPositions p = clip_positions(loop->clip), source = clip_positions(walk);
  const int last = std::min(walk.frame_count() - loop->first, loop->clip.frame_count()) - 1;
  for (JointIndex j = 0; j < walk.joint_count(); ++j) {
    EXPECT_LT((p.joint(last, j) - source.joint(last + loop->first, j)).norm(), 0.05) << walk.skeleton().name(j);
  }
}

TEST(Loop, AWalkAlongAnArcGoesOnAlongTheArc) {
  const Clip walk = scenes::walk({.duration_s = 4.0, .turn_rad_per_m = 0.5}).clip;
  const auto loop = make_loop(test::study_scene(walk), {.cycles = 10});
  ASSERT_TRUE(loop.has_value()) << loop.error().message;
  EXPECT_NEAR(loop->per_cycle.yaw_rad, 0.5 * 1.25 * loop->frames_per_cycle / 60.0, 0.02);
  EXPECT_LT(loop->seam_position_m, 1e-5);
  // Hips stay on a circle of 2 m.
  const ClipPositions p = clip_positions(loop->clip), source = clip_positions(walk);
  for (int f = 0; f < p.frame_count(); f += 7) {
    const Vec3d hips = p.joint(f, 0) - Vec3d(2.0, 0.0, 0.0);
    EXPECT_NEAR(std::hypot(hips.x(), hips.z()), 2.0, 0.06) << f;
  }
  const auto straight = make_loop(test::study_scene(walk), {.cycles = 10, .straight = true});
  ASSERT_TRUE(straight.has_value());
  EXPECT_EQ(straight->per_cycle.yaw_rad, 0.0);
  EXPECT_LT(straight->seam_position_m, 1e-4);
  EXPECT_LT(straight->seam_velocity_mps, 0.01);
}

TEST(Loop, StairsGoOnClimbing) {
  const Clip walk = scenes::walk({.duration_s = 4.0, .speed_mps = 0.7, .rise_per_step_m = 0.15}).clip;
  const auto loop = make_loop(test::study_scene(walk), {.from_s = 0.5, .to_s = 1.55, .cycles = 4});
  ASSERT_TRUE(loop.has_value()) << loop.error().message;
  EXPECT_NEAR(loop->per_cycle.shift_m.y(), 0.30, 0.02);
  EXPECT_LT(loop->seam_position_m, 1e-4);
}

TEST(Loop, OfADogAndOfARun) {
  const Clip dog = scenes::dog_walk({.duration_s = 3.0}).clip;
  const auto walk = make_loop(test::study_scene(dog), {.cycles = 2});
  ASSERT_TRUE(walk.has_value()) << walk.error().message;
  EXPECT_LT(walk->seam_position_m, 1e-4);
  const Clip fast = scenes::run().clip;
  const auto run = make_loop(test::study_scene(fast), {.cycles = 2});
  ASSERT_TRUE(run.has_value()) << run.error().message;
  EXPECT_LT(run->seam_position_m, 1e-4);
}

TEST(Loop, InPlaceStaysWhereItIs) {
  const Clip walk = scenes::walk({.duration_s = 4.0}).clip;
  const auto loop = make_loop(test::study_scene(walk), {.cycles = 5, .in_place = true});
  ASSERT_TRUE(loop.has_value());
  const ClipPositions p = clip_positions(loop->clip);
  EXPECT_LT((p.joint(p.frame_count() - 1, 0) - p.joint(0, 0)).norm(), 0.1);
}

TEST(Loop, RefusesWhatHasNoCycle) {
  const auto jump = test::study_scene(scenes::jump().clip);
  const auto none = make_loop(jump);
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code, ErrorCode::not_possible);
  EXPECT_FALSE(make_loop(jump, {.cycles = 0}).has_value());
  EXPECT_FALSE(make_loop(jump, {.from_s = 1.0}).has_value());
  EXPECT_FALSE(make_loop(jump, {.from_s = 1.0, .to_s = 0.5}).has_value());
  EXPECT_FALSE(make_loop(jump, {.from_s = 0.0, .to_s = 99.0}).has_value());
  // Given by hand, anything loops.
  EXPECT_TRUE(make_loop(jump, {.from_s = 0.2, .to_s = 1.2}).has_value());
}

TEST(Meeting, WithoutAChangeGivesTheSegmentBackBitForBit) {
  const Clip walk = scenes::walk({.duration_s = 2.0}).clip;
  const auto segment = MeetingSegment::create(test::study_scene(walk), 10, 70);
  ASSERT_TRUE(segment.has_value());
  Meeting meeting(*segment);
  Pose pose;
  meeting.set_end(MotionStart::of(*(*segment)->body(), walk.frame(70), walk.frame(71)));
  for (int i = 0; i <= 61; ++i) {
    meeting.evaluate(i, pose);
    const Pose source = walk.frame(10 + i);
    ASSERT_TRUE(std::ranges::equal(pose.rotation_lanes(), source.rotation_lanes())) << i;
    ASSERT_TRUE(std::ranges::equal(pose.translation_lanes(), source.translation_lanes())) << i;
  }
}

// Every straight walk of the data set, one cycle ten times.
TEST(LoopReal, StraightWalksLoopWithoutASeamAndSlideNoMoreThanTheirSource) {
  SHOSA_NEEDS_REAL_DATA();
  double two_step_slide = 0.0, linear_slide = 0.0;
  for (const std::string& name : test::kStraightWalks) {
    SHOSA_READ_CMU(walk, name);
    const double dt = walk.clip().frame_time_s();
    for (const EditMethod method : {EditMethod::two_step, EditMethod::linear}) {
      const auto loop = make_loop(walk, {.cycles = 10, .method = method});
      ASSERT_TRUE(loop.has_value()) << name << loop.error().message;
      const int n = loop->frames_per_cycle, b = loop->first;
      const ClipPositions looped = clip_positions(loop->clip);
      const auto source_slide =
          test::planted_slide_mps(walk.positions(), walk.contacts(), dt, b, b + n, [](int f) { return f; });
      double slide = 0.0;
      for (int c = 0; c < 9; ++c) {
        slide +=
            test::planted_slide_mps(looped, walk.contacts(), dt, b, b + n, [&](int f) { return c * n + f - b; }) / 9.0;
      }
      const Seams seams = seams_of(*loop);
      if (method == EditMethod::linear) {
        linear_slide += slide;
        continue;
      }
      two_step_slide += slide;
      EXPECT_LE(loop->seam_position_m, 1e-4) << name;
      EXPECT_LE(loop->seam_velocity_mps, 0.01) << name;
      EXPECT_LE(slide, source_slide * 1.0001) << name;
      EXPECT_LE(seams.bend_mps, seams.elsewhere_mps) << name;
      // Feet that no longer slide draw the hips down, smoothly.
      EXPECT_LE(fastest_hips_mps(looped, walk.map(), dt), fastest_hips_mps(walk.positions(), walk.map(), dt) + 0.55)
          << name;
      // Toe tips of captures dip at push-off, by up to 2.6 cm below the level at which they then stood.
      const auto studied = analysis::study(loop->clip, walk.map());
      EXPECT_LE(analysis::measure_quality(studied).penetration_m, 0.026) << name;
    }
  }
  EXPECT_LT(two_step_slide, linear_slide);
}

}  // namespace
}  // namespace shosa::segment
