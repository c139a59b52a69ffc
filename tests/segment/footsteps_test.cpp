#include "shosa/segment/footsteps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "analysis/real_clips.h"
#include "analysis/scene_bodies.h"
#include "scenes/scenes.h"
#include "segment/footstep_motion.h"
#include "shosa/analysis/metrics.h"
#include "shosa/posing/human_ranges.h"
#include "shosa/segment/loop.h"

namespace shosa::segment {
namespace {

/// How far each knee and ankle leaves its human range in any frame, degrees.
std::map<JointIndex, double> range_violations_deg(const Clip& clip, const body::BodyMap& map) {
  std::map<JointIndex, double> worst;
  const auto ranges = posing::human_ranges(clip.skeleton(), map);
  if (!ranges) return worst;
  for (const auto& range : *ranges) {
    const auto role = map.role_of(range.joint);
    if (role != body::Role::left_lower_leg && role != body::Role::right_lower_leg && role != body::Role::left_foot &&
        role != body::Role::right_foot) {
      continue;
    }
    double& most = worst[range.joint];
    for (int f = 0; f < clip.frame_count(); ++f) {
      const Quatd rotation = clip.rotation(f, range.joint).cast<double>();
      most = std::max(most, 57.29577951308232 * range.range.nearest(rotation).correction_rad.norm());
    }
  }
  return worst;
}

// A made walk has feet that stand still; what is left is around toe-off, whose frame is found to a frame.
constexpr double kBack_m = 6e-3, kBack_deg = 1.3;

struct Worst {
  double error_m = 0.0, slide_mps = 0.0, float_m = 0.0;
};
Worst worst_of(const Footsteps& result) {
  Worst out;
  for (const auto& s : result.steps) {
    out.error_m = std::max(out.error_m, s.error_m);
    out.slide_mps = std::max(out.slide_mps, s.slide_mps);
    out.float_m = std::max(out.float_m, s.float_m);
  }
  return out;
}

/// What the eye sees of a walk, from frames a 60th of a second apart: how fast the hips rise or sink, and how sharply a
/// knee changes its speed. The first frames of a capture may belong to a T-pose and do not count.
struct Smoothness {
  double hips_mps = 0.0, knee_deg = 0.0, deepest_deg = 0.0;  ///< The last: the most that a knee bends.
};
Smoothness smoothness_of(const Clip& clip, const body::BodyMap& map) {
  const ClipPositions p = clip_positions(clip);
  const double dt = clip.frame_time_s();
  const int h = std::max(1, static_cast<int>(std::lround(1.0 / 60.0 / dt)));
  const JointIndex hips = map.joint(body::Role::hips);
  Smoothness out;
  for (int f = 4; f + h < p.frame_count(); ++f)
    out.hips_mps = std::max(out.hips_mps, std::abs(p.joint(f + h, hips).y() - p.joint(f, hips).y()) / (h * dt));
  for (const bool left : {true, false}) {
    const JointIndex upper = map.joint(left ? body::Role::left_upper_leg : body::Role::right_upper_leg),
                     knee = map.joint(left ? body::Role::left_lower_leg : body::Role::right_lower_leg),
                     foot = map.joint(left ? body::Role::left_foot : body::Role::right_foot);
    const auto bend = [&](int f) {
      const Vec3d a = p.joint(f, knee) - p.joint(f, upper), b = p.joint(f, foot) - p.joint(f, knee);
      return 57.29577951308232 * std::atan2(a.cross(b).norm(), a.dot(b));
    };
    for (int f = 4 + h; f + h < p.frame_count(); ++f) {
      out.knee_deg = std::max(out.knee_deg, std::abs(bend(f + h) - 2.0 * bend(f) + bend(f - h)));
      out.deepest_deg = std::max(out.deepest_deg, bend(f));
    }
  }
  return out;
}

class FootstepsTest : public testing::Test {
 protected:
  Clip walk_ = scenes::walk({.duration_s = 4.0}).clip;
  body::BodyMap map_ = test::scene_body_map(walk_.skeleton());
  std::shared_ptr<const FootstepSource> source_ = *footstep_source(analysis::study(walk_, map_));
};

TEST_F(FootstepsTest, TheClipsOwnPlanGivesTheClipBack) {
  const auto plan = stride_plan(source_, std::vector<double>{1.0});
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  EXPECT_GE(plan->steps.size(), 6u);
  const auto result = walk_footsteps(*plan);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  const Worst worst = worst_of(*result);
  EXPECT_LT(worst.error_m, 1e-4);
  EXPECT_LT(worst.slide_mps, 1e-3);
  const ClipPositions a = clip_positions(walk_), b = clip_positions(result->clip);
  for (int f = 0; f < a.frame_count(); ++f) {
    for (JointIndex j = 0; j < walk_.joint_count(); ++j) {
      EXPECT_LT((a.joint(f, j) - b.joint(f, j)).norm(), kBack_m) << walk_.skeleton().name(j) << ' ' << f;
      EXPECT_LT(57.3 * walk_.rotation(f, j).angularDistance(result->clip.rotation(f, j)), kBack_deg)
          << walk_.skeleton().name(j) << ' ' << f;
    }
  }
}

// No switch between the clip's own stride and another: twice the change, about twice the difference.
TEST_F(FootstepsTest, TheDifferenceGrowsWithTheStride) {
  const auto knees = [&](double share) {
    const auto plan = stride_plan(source_, std::vector<double>{share});
    const auto result = walk_footsteps(*plan);
    std::vector<double> off;
    for (int f = 0; f < walk_.frame_count(); ++f) {
      for (const body::Role role : {body::Role::left_lower_leg, body::Role::right_lower_leg}) {
        const JointIndex j = map_.joint(role);
        off.push_back(57.3 * walk_.rotation(f, j).angularDistance(result->clip.rotation(f, j)));
      }
    }
    return *std::ranges::max_element(off);
  };
  for (const double way : {-1.0, 1.0}) {
    EXPECT_LT(knees(1.0 + 0.005 * way), 3.0) << way;
    EXPECT_LT(knees(1.0 + 0.01 * way), 5.0) << way;
    EXPECT_GT(knees(1.0 + 0.05 * way), knees(1.0 + 0.01 * way)) << way;
  }
}

TEST_F(FootstepsTest, HipsAndKneesGoSmoothlyOverStridesAndStairs) {
  const Smoothness own = smoothness_of(walk_, map_);
  for (const double share : {0.4, 0.7, 1.3}) {
    const auto plan = stride_plan(source_, std::vector<double>{share});
    const auto result = walk_footsteps(*plan);
    ASSERT_TRUE(result.has_value()) << result.error().message;
    const Smoothness now = smoothness_of(result->clip, map_);
    EXPECT_LE(now.hips_mps, 1.5 * own.hips_mps + 0.2) << share;
    EXPECT_LE(now.knee_deg, 3.0 * own.knee_deg) << share;
  }
  for (const double rise : {0.2, -0.2}) {
    const auto plan = stairs_plan(source_, {.rise_m = rise});
    const auto result = walk_footsteps(*plan);
    ASSERT_TRUE(result.has_value()) << result.error().message;
    const Smoothness now = smoothness_of(result->clip, map_);
    EXPECT_LE(now.hips_mps, 1.0) << rise;
    EXPECT_LE(now.knee_deg, 3.0 * own.knee_deg) << rise;
  }
}

// The body sinks ahead of the foot that comes after.
TEST_F(FootstepsTest, LegsDownAStairAreNotFoldedUnderTheBody) {
  const auto deepest = [&](double rise) {
    const auto plan = stairs_plan(source_, {.rise_m = rise});
    const auto result = plan ? walk_footsteps(*plan) : std::unexpected(plan.error());
    return result ? smoothness_of(result->clip, map_).deepest_deg : NAN;
  };
  EXPECT_LT(deepest(-0.1), 88.0);
  EXPECT_LT(deepest(-0.2), 112.0);
}

TEST_F(FootstepsTest, LandsWhereThePlanSaysAlongACurveAndUpAStep) {
  auto plan = stride_plan(source_, std::vector<double>{0.9});
  ASSERT_TRUE(plan.has_value());
  for (std::size_t i = 2; i < plan->steps.size(); ++i) {
    const double turn = 0.12 * static_cast<double>(i - 1);
    plan->steps[i].position_m += Vec3d(0.05 * static_cast<double>((i - 1) * (i - 1)), 0.04, 0.0);
    plan->steps[i].heading_rad = *plan->steps[i].heading_rad + turn;
  }
  const auto result = walk_footsteps(*plan);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  const Worst worst = worst_of(*result);
  EXPECT_LE(worst.error_m, 1e-3);
  EXPECT_LE(worst.slide_mps, 0.01);
  EXPECT_LE(worst.float_m, 0.005);
}

TEST_F(FootstepsTest, ALongerPlanIsWalkedOnLoops) {
  StairsPlanParams stairs{.rise_m = 0.12, .tread_m = 0.3, .count = 8, .before = 2, .after = 4};
  const auto plan = stairs_plan(source_, stairs);
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  EXPECT_EQ(plan->steps.size(), 14u);
  const auto result = walk_footsteps(*plan);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->steps.size(), 14u);
  EXPECT_FALSE(result->warnings.empty());
  EXPECT_NEAR(result->steps.back().position_m.y() - result->steps.front().position_m.y(), 8 * 0.12, 1e-9);
  EXPECT_LE(worst_of(*result).error_m, 1e-3);
}

TEST_F(FootstepsTest, FeetLieOnASlopeAndOnRoughGround) {
  for (const Terrain& terrain : {slope_terrain(Vec3d::Zero(), 0.0, 0.15), slope_terrain(Vec3d::Zero(), 0.0, -0.15),
                                 rough_terrain(0.0, 0.06, 1.7, 5)}) {
    const auto plan = terrain_plan(source_, terrain);
    ASSERT_TRUE(plan.has_value());
    const auto result = walk_footsteps(*plan);
    ASSERT_TRUE(result.has_value()) << result.error().message;
    const Worst worst = worst_of(*result);
    EXPECT_LE(worst.error_m, 1e-3);
    EXPECT_LE(worst.slide_mps, 0.01);
    EXPECT_LE(result->max_unreached_m, 1e-3);
  }
}

TEST_F(FootstepsTest, AStepCanBeMovedUntilItIsDecidedWithoutAJump) {
  FootstepMotion motion(source_);
  const int count = static_cast<int>(source_->steps().size());
  Reconstructor reconstructor(source_->body());
  int tried = 0;
  for (int s = 3; s < count; ++s) {
    const int until = motion.frame_to_decide(s);
    if (until < 1) continue;
    ++tried;
    motion.reset();
    const Vec3d hips = motion.hips(until), foot = motion.foot(source_->steps()[s].foot, until).place_m;
    StepPlace place = motion.place(s);
    place.place_m += Vec3d(0.1, 0.05, 0.1);
    const Vec3d speed = motion.hips(until + 1) - hips;
    motion.set_place(s, place);
    motion.update(nullptr, 0.03, until);
    for (int f = 0; f <= until; ++f) {
      const Vec3d again = motion.hips(f);
      EXPECT_TRUE(again.allFinite());
    }
    // The path of the hips bends by no more than a frame's part of what is still to come.
    EXPECT_LT((motion.hips(until + 1) - motion.hips(until) - speed).norm(), 1e-3) << s;
    EXPECT_LT((motion.hips(until) - hips).norm(), 1e-12) << s;
    EXPECT_LT((motion.foot(source_->steps()[s].foot, until).place_m - foot).norm(), 1e-12) << s;
  }
  EXPECT_GE(tried, 3);
}

// A walk on a circle goes straight up the flight, and its body with it.
TEST_F(FootstepsTest, StairsDoNotWindWithTheClip) {
  const Clip circle = scenes::walk({.duration_s = 8.0, .turn_rad_per_m = 0.5}).clip;
  const analysis::StudiedClip studied = analysis::study(circle, map_);
  const auto source = footstep_source(studied);
  ASSERT_TRUE(source.has_value());
  const auto plan = stairs_plan(*source, {.rise_m = 0.15, .count = 5});
  ASSERT_TRUE(plan.has_value()) << plan.error().message;
  const auto result = walk_footsteps(*plan);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  const analysis::StudiedClip walked = analysis::study(result->clip, map_);
  const double heading = plan->terrain->edges.front().heading_rad;
  const int first = result->clip.nearest_frame(result->steps[2].time_s + 0.3),
            last = result->clip.nearest_frame(result->steps[7].time_s);
  ASSERT_GT(std::abs(studied.heading_rad(last) - studied.heading_rad(first)), 1.0);
  for (int f = first; f < last; ++f) EXPECT_NEAR(walked.heading_rad(f), heading, 0.25) << f;
  EXPECT_LE(result->max_penetration_m, 0.005);
  EXPECT_LE(worst_of(*result).error_m, 1e-3);
}

TEST_F(FootstepsTest, WhatLegsCannotDoIsSaid) {
  const auto plan = stairs_plan(source_, {.rise_m = -0.6});
  ASSERT_TRUE(plan.has_value());
  const auto result = walk_footsteps(*plan);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  for (const char* said : {"asks more than legs do", "the hips sink"})
    EXPECT_THAT(result->warnings, testing::Contains(testing::Field(&Note::text, testing::HasSubstr(said))));
}

TEST_F(FootstepsTest, RefusesPlansThatMakeNoSense) {
  const auto error = [&](std::vector<Footstep> steps) {
    const auto result = walk_footsteps({.source = source_, .steps = std::move(steps), .terrain = {}});
    return result ? std::string() : result.error().message;
  };
  EXPECT_THAT(error({}), testing::HasSubstr("without steps"));
  EXPECT_THAT(error({{"third", Vec3d::Zero()}}), testing::HasSubstr("the body has left, right"));
  EXPECT_THAT(error({{"left", Vec3d(NAN, 0, 0)}}), testing::HasSubstr("not finite"));
  EXPECT_THAT(error({{"left", Vec3d(0.1, 0, 1)}, {"left", Vec3d(0.1, 0, 2)}}), testing::HasSubstr("lands"));
}

// On every straight walk of the data set.
TEST(FootstepsReal, StridesFrom40To130PercentLandWithoutSliding) {
  SHOSA_NEEDS_REAL_DATA();
  // Walks whose captured ankles are outside their range somewhere: there, no farther than the capture at its worst.
  // Everywhere else, and every knee: inside.
  const std::set<std::string> captured_outside = {"07_01", "07_04", "07_12", "08_07", "35_01", "82_10", "82_12"};
  constexpr double kMeasured_deg = 0.2;
  const std::map<std::string, double> kSharpKnees = {{"35_01 120 %", 3.6}, {"35_01 130 %", 4.8}};
  for (const std::string& name : test::kStraightWalks) {
    SHOSA_READ_CMU(walk, name);
    const auto source = footstep_source(walk);
    ASSERT_TRUE(source.has_value()) << source.error().message;
    const auto own = range_violations_deg(walk.clip(), walk.map());
    ASSERT_EQ(own.size(), 4u);
    const Smoothness captured = smoothness_of(walk.clip(), walk.map());
    for (int percent = 40; percent <= 130; percent += 10) {
      const std::string what = fmt::format("{} {} %", name, percent);
      const auto plan = stride_plan(*source, std::vector<double>{percent / 100.0});
      ASSERT_TRUE(plan.has_value()) << plan.error().message;
      const auto result = walk_footsteps(*plan);
      ASSERT_TRUE(result.has_value()) << result.error().message;
      const Worst worst = worst_of(*result);
      EXPECT_LE(worst.error_m, 1e-3) << what;
      EXPECT_LE(worst.slide_mps, 0.01) << what;
      // The hips in every stride; knees by name where they are sharper than three times the capture's.
      const Smoothness now = smoothness_of(result->clip, walk.map());
      EXPECT_LE(now.hips_mps, 1.5 * captured.hips_mps + 0.25) << what;
      const auto sharp = kSharpKnees.find(what);
      EXPECT_LE(now.knee_deg, (sharp == kSharpKnees.end() ? 3.0 : sharp->second) * captured.knee_deg) << what;
      for (const auto& [joint, violation] : range_violations_deg(result->clip, walk.map())) {
        const double allowed = captured_outside.contains(name) ? own.at(joint) : 0.0;
        EXPECT_LE(violation, allowed + kMeasured_deg) << what << ' ' << walk.clip().skeleton().name(joint);
      }
    }
  }
}

TEST(FootstepsReal, StairsUpAndDownFromALevelWalk) {
  SHOSA_NEEDS_REAL_DATA();
  constexpr double kStance_s = 0.7;  // of a step at a walk
  for (const std::string& name : test::kStraightWalks) {
    SHOSA_READ_CMU(walk, name);
    const auto source = footstep_source(walk);
    ASSERT_TRUE(source.has_value()) << source.error().message;
    std::optional<Smoothness> walked;
    for (const double rise : {0.1, 0.2, -0.1, -0.2}) {
      const std::string what = fmt::format("{} {}", name, rise);
      const auto plan = stairs_plan(*source, {.rise_m = rise});
      ASSERT_TRUE(plan.has_value()) << plan.error().message;
      const auto result = walk_footsteps(*plan);
      ASSERT_TRUE(result.has_value()) << result.error().message;
      const Worst worst = worst_of(*result);
      EXPECT_LE(worst.error_m, 1e-3) << what;
      EXPECT_LE(worst.slide_mps, 0.011) << what;
      EXPECT_LE(worst.float_m, 0.005) << what;
      EXPECT_LE(result->max_penetration_m, name == "08_07" ? 0.011 : 0.005) << what;
      EXPECT_LE(result->max_unreached_m, 1e-3) << what;
      // Against the level walk it is made from, which is a loop of the capture.
      if (!walked) {
        const int cycles = static_cast<int>(plan->steps.size()) / 2 + 3;
        const auto loop = make_loop(walk, {.cycles = cycles});
        ASSERT_TRUE(loop.has_value());
        ASSERT_EQ(loop->clip.frame_count(), result->clip.frame_count()) << what;
        walked = smoothness_of(loop->clip, walk.map());
      }
      const Smoothness now = smoothness_of(result->clip, walk.map());
      EXPECT_LE(now.hips_mps, 1.5 * (walked->hips_mps + std::abs(rise) / kStance_s)) << what;
      EXPECT_LE(now.knee_deg, 3.7 * walked->knee_deg) << what;
      if (rise < 0.0) {
        EXPECT_LE(now.deepest_deg, rise < -0.15 ? 127.0 : 110.0) << what;
      }
    }
  }
}

}  // namespace
}  // namespace shosa::segment
