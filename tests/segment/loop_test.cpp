#include "shosa/segment/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/real_clips.h"
#include "analysis/scene_bodies.h"
#include "scenes/scenes.h"
#include "segment/laid_parts.h"
#include "segment/meeting_segment.h"
#include "segment/slide.h"
#include "shosa/analysis/metrics.h"
#include "tests/support/still_joint.h"

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

double knee_deg(const ClipPositions& p, const body::FootPoints& leg, int f) {
  const Vec3d thigh = p.joint(f, leg.knee) - p.joint(f, leg.limb), shank = p.joint(f, leg.joint) - p.joint(f, leg.knee);
  return 57.29577951308232 * std::atan2(thigh.cross(shank).norm(), thigh.dot(shank));
}

/// Of a loop against its source: the largest change of a knee, and its largest second difference over 1/60 s beyond
/// what the source has there.
struct Knees {
  double change_deg = 0.0, kink_deg = 0.0;
};
Knees knees_of(const Loop& loop, const analysis::StudiedClip& source) {
  const int h = std::max(1, static_cast<int>(std::lround(1.0 / 60.0 / loop.clip.frame_time_s())));
  const ClipPositions p = clip_positions(loop.clip);
  Knees out;
  for (const auto& foot : source.contacts().feet) {
    const auto second = [&](const ClipPositions& of, int f) {
      const auto at = [&](int g) { return knee_deg(of, foot.points, g); };
      return std::abs(at(f + h) - 2.0 * at(f) + at(f - h));
    };
    for (int f = h; f + h < p.frame_count(); ++f) {
      const int g = loop.first + f % loop.frames_per_cycle;
      out.change_deg = std::max(out.change_deg,
                                std::abs(knee_deg(p, foot.points, f) - knee_deg(source.positions(), foot.points, g)));
      if (g < h || g + h >= source.clip().frame_count()) continue;
      out.kink_deg = std::max(out.kink_deg, second(p, f) - second(source.positions(), g));
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

TEST(Loop, IsLevelUnlessEveryFootIsCarriedUp) {
  const auto rise = [](double per_step_m, LoopRise asked) {
    const Clip walk = scenes::walk({.duration_s = 4.0, .speed_mps = 0.7, .rise_per_step_m = per_step_m}).clip;
    const auto loop = make_loop(test::study_scene(walk), {.from_s = 0.5, .to_s = 1.55, .rise = asked});
    return loop ? loop->per_cycle.shift_m.y() : NAN;
  };
  EXPECT_EQ(rise(0.015, LoopRise::as_floor), 0.0);
  EXPECT_NEAR(rise(0.015, LoopRise::climb), 0.03, 0.005);
  EXPECT_NEAR(rise(-0.15, LoopRise::as_floor), -0.30, 0.02);
  EXPECT_EQ(rise(0.15, LoopRise::level), 0.0);
}

// A body led astray slides on its feet; in the loop they stand, also those that the seam cuts.
TEST(Loop, FeetStandAcrossTheSeam) {
  Clip walk = scenes::walk({.duration_s = 4.0}).clip;
  for (int f = 0; f < walk.frame_count(); ++f) {
    const float astray = 0.02f * std::sin(0.05f * static_cast<float>(f));
    walk.set_translation(f, 0, walk.translation(f, 0) + Vec3f(astray, 0.0f, 2.0f * astray));
  }
  const auto studied = test::study_scene(walk);
  for (const bool still : {true, false}) {
    const auto loop = make_loop(studied, {.cycles = 4, .still_feet = still});
    ASSERT_TRUE(loop.has_value()) << loop.error().message;
    const double slide = analysis::measure_quality(analysis::study(loop->clip, studied.map())).foot_skate_mps;
    if (still) {
      EXPECT_LT(slide, 0.005);
    } else {
      EXPECT_GT(slide, 0.03);
    }
  }
}

TEST(LaidParts, AStanceThatASeamCutsIsOneOnTheMeanGround) {
  const Clip walk = scenes::walk({.duration_s = 3.0}).clip;
  const auto studied = test::study_scene(walk);
  const auto& left = studied.contacts().feet[0];
  ASSERT_GE(left.stances.size(), 2u);
  // Cut in the middle of its second stance, and go on there 2 cm higher.
  const int cut = walk.nearest_frame(0.5 * (left.stances[1].time.begin_s + left.stances[1].time.end_s));
  const std::vector<LaidPart> parts = {{studied, 0, cut, 0, {}},
                                       {studied, cut, walk.frame_count() - 1, cut, {0.0, Vec3d(0.0, 0.02, 0.0)}}};
  const auto laid = laid_contacts(parts, studied.positions(), walk.frame_time_s());
  ASSERT_EQ(laid.feet[0].stances.size(), left.stances.size());
  for (std::size_t s = 0; s < left.stances.size(); ++s) {
    EXPECT_NEAR(laid.feet[0].stances[s].time.begin_s, left.stances[s].time.begin_s, 1e-6);
    EXPECT_NEAR(laid.feet[0].stances[s].time.end_s, left.stances[s].time.end_s, 1e-6);
    // The whole is the walk as it was: editing has undone the 2 cm.
    EXPECT_NEAR(laid.feet[0].stances[s].ground_m, left.stances[s].ground_m, 1e-6);
  }
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

TEST(MeetingSegment, WithoutAChangeGivesTheSegmentBackBitForBit) {
  const Clip walk = scenes::walk({.duration_s = 2.0}).clip;
  auto before = MeetingSegment::create(test::study_scene(walk), 10, 70);
  auto after = MeetingSegment::create(test::study_scene(walk), 70, 100);
  ASSERT_TRUE(before.has_value() && after.has_value());
  MeetingSegment::meet(*before, *after, {});
  MeetingSegment::meet_velocity(*before, *after, {});
  Pose pose;
  for (int i = 0; i <= 61; ++i) {
    before->evaluate(i, pose);
    const Pose source = walk.frame(10 + i);
    ASSERT_TRUE(std::ranges::equal(pose.rotation_lanes(), source.rotation_lanes())) << i;
    ASSERT_TRUE(std::ranges::equal(pose.translation_lanes(), source.translation_lanes())) << i;
  }
}

// Both ends take half of what lies between them: no joint is turned further than by half of the largest difference.
TEST(MeetingSegment, NeighboursMeetHalfway) {
  const Clip walk = scenes::walk({.duration_s = 2.0}).clip,
             fast = scenes::walk({.duration_s = 2.0, .speed_mps = 1.7}).clip;
  auto before = MeetingSegment::create(test::study_scene(walk), 10, 70);
  auto after = MeetingSegment::create(test::study_scene(fast), 15, 75);
  ASSERT_TRUE(before.has_value() && after.has_value());
  const GroundMove onto{0.1, Vec3d(0.1, 0.0, 1.0)};
  MeetingSegment::meet(*before, *after, onto);
  MeetingSegment::meet_velocity(*before, *after, onto);
  Pose end, start, beyond, next;
  before->evaluate(60, end), before->evaluate(61, beyond);
  after->evaluate(0, start), after->evaluate(1, next);
  Pose captured = fast.frame(15);
  for (Pose* pose : {&start, &next, &captured}) move_posture(walk.skeleton(), after->carrier(), onto, *pose);
  for (JointIndex j = 0; j < walk.joint_count(); ++j) {
    EXPECT_LT(end.rotation(j).angularDistance(start.rotation(j)), 1e-3);
    EXPECT_LT(beyond.rotation(j).angularDistance(next.rotation(j)), 1e-3);
    const float apart = walk.rotation(70, j).angularDistance(captured.rotation(j));
    EXPECT_NEAR(walk.rotation(70, j).angularDistance(end.rotation(j)), 0.5f * apart, 1e-3);
  }
  EXPECT_LT((end.translation(0) - start.translation(0)).norm(), 1e-5);
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
      EXPECT_LE(fastest_hips_mps(looped, walk.map(), dt), fastest_hips_mps(walk.positions(), walk.map(), dt) + 0.4)
          << name;
      EXPECT_EQ(loop->per_cycle.shift_m.y(), 0.0) << name;
      // 08_07 takes steps of 1 m and overstretches its knees.
      const Knees knees = knees_of(*loop, walk);
      EXPECT_LE(knees.change_deg, name == "08_07" ? 45.0 : 26.0) << name;
      EXPECT_LE(knees.kink_deg, 10.0) << name;
      const auto studied = analysis::study(loop->clip, walk.map());
      EXPECT_LE(analysis::measure_quality(studied).penetration_m, 0.026) << name;
    }
  }
  EXPECT_LT(two_step_slide, linear_slide);
}

TEST(Loop, SaysWhenItsEndsAreNoCycle) {
  const Clip walk = scenes::walk({.duration_s = 3.0}).clip;
  const analysis::StudiedClip studied = analysis::study(walk, body::guess_body_map(walk.skeleton()));
  const auto whole = make_loop(studied);
  ASSERT_TRUE(whole.has_value()) << whole.error().message;
  EXPECT_THAT(whole->warnings, testing::IsEmpty());
  const double half_s = 0.5 * whole->frames_per_cycle * walk.frame_time_s();
  const auto half = make_loop(studied, {.from_s = 1.0, .to_s = 1.0 + half_s});
  ASSERT_TRUE(half.has_value()) << half.error().message;
  EXPECT_THAT(half->warnings, testing::ElementsAre(testing::HasSubstr("cm apart on the mean joint")));
}

TEST(Loop, OfABodyUnderAStillJointIsTheLoopOfTheBody) {
  // What stayed at the origin was taken for what carries the body: its hips lurched.
  const Clip run = scenes::walk({.duration_s = 4.0, .speed_mps = 1.4, .turn_rad_per_m = 0.3}).clip;
  const auto plain = make_loop(test::study_scene(run), {.cycles = 2}),
             hung = make_loop(test::study_scene(shosa::test::under_still_joint(run)), {.cycles = 2});
  ASSERT_TRUE(plain && hung) << (plain ? hung : plain).error().message;
  ASSERT_EQ(plain->clip.frame_count(), hung->clip.frame_count());
  const ClipPositions a = clip_positions(plain->clip), b = clip_positions(hung->clip);
  double apart_m = 0.0;
  for (int f = 0; f < a.frame_count(); ++f)
    for (JointIndex j = 0; j < a.joint_count(); ++j)
      apart_m = std::max(apart_m, (a.joint(f, j) - b.joint(f, j + 1)).norm());
  EXPECT_LT(apart_m, 0.005);
}

}  // namespace
}  // namespace shosa::segment
