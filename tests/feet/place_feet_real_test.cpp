// What `fix` promises on captured motion: every walk, run, stairs, fight and dance clip.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "shosa/analysis/metrics.h"
#include "shosa/core/angles.h"
#include "shosa/feet/place_feet.h"
#include "shosa/io/motion_file.h"
#include "support/real_data.h"

namespace shosa::feet {
namespace {

constexpr const char* kClips[] = {
    // walks
    "cmu-bvh/02_01", "cmu-bvh/07_01", "cmu-bvh/07_04", "cmu-bvh/07_12", "cmu-bvh/08_07", "cmu-bvh/16_15",
    "cmu-bvh/16_21", "cmu-bvh/35_01", "cmu-bvh/16_11", "cmu-bvh/16_17", "cmu-bvh/16_19", "cmu-bvh/82_10",
    "cmu-bvh/82_12", "cmu-bvh/104_11", "cmu-bvh/111_01", "cmu-bvh/77_24", "bandai-NC/dataset-1_walk_normal_001",
    "bandai-NC/dataset-1_walk-left_happy_001", "bandai-NC/dataset-1_walk_old_001", "other-exporters/bvhtoolbox_walk01",
    // runs
    "cmu-bvh/02_03", "cmu-bvh/09_01", "cmu-bvh/16_35", "cmu-bvh/16_37", "cmu-bvh/16_41", "cmu-bvh/35_17",
    "cmu-bvh/127_03", "bandai-NC/dataset-1_run_normal_001",
    // stairs and uneven ground
    "cmu-bvh/13_35", "cmu-bvh/83_08", "cmu-bvh/83_06", "cmu-bvh/83_27", "cmu-bvh/113_19", "cmu-bvh/141_08",
    "cmu-bvh/03_01", "cmu-bvh/74_14",
    // fights
    "cmu-bvh/02_05", "cmu-bvh/74_03", "cmu-bvh/76_01", "cmu-bvh/79_08", "cmu-bvh/135_07", "cmu-bvh/141_14",
    "cmu-bvh/143_23", "cmu-bvh/143_24", "cmu-bvh/10_01", "bandai-NC/dataset-1_kick_normal_001",
    "other-exporters/Boxing_Toes",
    // dances
    "cmu-bvh/05_02", "cmu-bvh/05_06", "cmu-bvh/05_11", "cmu-bvh/05_16", "cmu-bvh/49_18", "cmu-bvh/49_19",
    "cmu-bvh/60_10", "cmu-bvh/61_10", "cmu-bvh/93_03", "cmu-bvh/111_05", "other-exporters/pirouette",
    // what kept feet made the knees of jump
    "quality/104_10", "quality/33_02", "quality/108_06",
    // four feet
    "dog-mann-NC/D1_001_KAN01_001", "dog-mann-NC/D1_009_KAN01_001"};

std::vector<double> knee_deg(const ClipPositions& positions, const body::FootPoints& leg) {
  std::vector<double> out;
  for (int f = 0; f < positions.frame_count(); ++f) {
    const Vec3d thigh = positions.joint(f, leg.knee) - positions.joint(f, leg.limb),
                shank = positions.joint(f, leg.joint) - positions.joint(f, leg.knee);
    out.push_back(std::atan2(thigh.cross(shank).norm(), thigh.dot(shank)) * 180.0 / M_PI);
  }
  return out;
}

/// Largest second difference of a knee beyond what the capture has there, taken to steps of 1/60 s.
double kink_deg(const ClipPositions& before, const ClipPositions& after, const StancePlan& plan, double frame_time_s) {
  const auto step = static_cast<std::size_t>(std::max(1L, std::lround(1.0 / 60.0 / frame_time_s)));
  double most = 0.0;
  for (const FootPlan& foot : plan.feet) {
    const std::vector<double> a = knee_deg(before, foot.points), b = knee_deg(after, foot.points);
    const auto second = [&](const std::vector<double>& angle, std::size_t f) {
      return std::abs(angle[f + step] - 2.0 * angle[f] + angle[f - step]);
    };
    for (std::size_t f = step + 3; f + step + 3 < a.size(); ++f) most = std::max(most, second(b, f) - second(a, f));
  }
  const double per_step = 1.0 / 60.0 / (static_cast<double>(step) * frame_time_s);
  return most * per_step * per_step;
}

/// A captured clip, its own stances, and its feet placed there.
struct PlacedCapture {
  analysis::StudiedClip studied;
  StancePlan plan;
  PlacedFeet placed;
};
Result<PlacedCapture> place_capture(const std::string& name) {
  const auto motion = io::read_motion(test::real_data_dir() / (name + ".bvh"), {.drop_tpose = true});
  if (!motion) return std::unexpected(motion.error());
  const analysis::StudiedClip studied = analysis::study(motion->clips[0], motion->body_map);
  const auto plan = captured_stances(studied.clip(), studied.positions(), studied.contacts());
  if (!plan) return std::unexpected(plan.error());
  auto placed = place_feet(studied.clip(), studied.map(), *plan);
  if (!placed) return std::unexpected(placed.error());
  return PlacedCapture{studied, *plan, std::move(*placed)};
}

class PlaceFeetReal : public testing::TestWithParam<const char*> {};

TEST_P(PlaceFeetReal, FeetStandKneesDoNotPopJointsMoveThreeCentimetresJerkStays) {
  SHOSA_NEEDS_REAL_DATA();
  const auto capture = place_capture(GetParam());
  ASSERT_TRUE(capture.has_value()) << capture.error().message;
  const auto& [studied, plan, placed] = *capture;

  const auto studied_after = analysis::study(placed.clip, studied.map(), studied.contacts());
  ASSERT_TRUE(studied_after.has_value());
  const auto before = analysis::measure_quality(studied), after = analysis::measure_quality(*studied_after);
  EXPECT_LE(after.foot_skate_mps, std::min(0.2 * before.foot_skate_mps, 0.003));
  EXPECT_LE(placed.max_foot_error_m, 0.001);
  EXPECT_LE(placed.mean_joint_change_m, 0.03);
  EXPECT_LE(after.mean_jerk_mps3, 1.15 * before.mean_jerk_mps3);
  // Straight or overstretched legs and feet that tremble in the capture miss it; docs/methods/feet.md.
  static const std::map<std::string, double> kMissed_deg = {{"cmu-bvh/141_14", 21.0},
                                                            {"cmu-bvh/16_17", 16.0},
                                                            {"cmu-bvh/05_02", 15.0},
                                                            {"cmu-bvh/111_05", 17.0},
                                                            {"bandai-NC/dataset-1_walk_normal_001", 13.0}};
  const auto missed = kMissed_deg.find(GetParam());
  EXPECT_LE(kink_deg(studied.positions(), studied_after->positions(), plan, studied.clip().frame_time_s()),
            missed != kMissed_deg.end() ? missed->second : 10.0);
  // The third frame of 07_12 is broken in the file: a foot 0.9 m below the ground is left there.
  if (std::string(GetParam()) != "cmu-bvh/07_12") {
    EXPECT_LE(after.penetration_m, 0.002);
  }
}

// At 0.75 s the right toes of 16_17 point straight down, where they have no side to be turned up to.
TEST(PlaceFeetRealToes, ThatHangStraightDownDoNotFlip) {
  SHOSA_NEEDS_REAL_DATA();
  const auto capture = place_capture("cmu-bvh/16_17");
  ASSERT_TRUE(capture.has_value()) << capture.error().message;
  const Clip& clip = capture->studied.clip();
  const JointIndex toes = capture->studied.map().joint(body::Role::right_toes);
  for (int f = 1; f < clip.frame_count(); ++f) {
    const auto turn = [&](const Clip& c) { return c.rotation(f - 1, toes).angularDistance(c.rotation(f, toes)); };
    EXPECT_LT(turn(capture->placed.clip), turn(clip) + 0.25f) << f;
  }
}

// The feet of this jog are captured upside down in its swings, with the toes far above the ground.
TEST(PlaceFeetRealToes, InTheAirGoWithTheFoot) {
  SHOSA_NEEDS_REAL_DATA();
  const auto capture = place_capture("cmu-bvh/104_06");
  ASSERT_TRUE(capture.has_value()) << capture.error().message;
  const analysis::StudiedClip& studied = capture->studied;
  const Clip& clip = studied.clip();
  const double ground_m = studied.contacts().ground_m;
  for (const body::Role role : {body::Role::left_toes, body::Role::right_toes}) {
    const JointIndex toes = studied.map().joint(role);
    for (int f = 0; f < clip.frame_count(); ++f) {
      if (studied.positions().joint(f, toes).y() < ground_m + 0.15) continue;
      EXPECT_LT(clip.rotation(f, toes).angularDistance(capture->placed.clip.rotation(f, toes)), 0.5f) << f;
    }
  }
}

// Feet on their instep, and toes that would be bent over backwards to keep their tip out of the ground.
TEST(PlaceFeetRealToes, BendNoFartherThanToesDo) {
  SHOSA_NEEDS_REAL_DATA();
  for (const char* name : {"quality/138_08", "cmu-bvh/08_07", "cmu-bvh/05_06"}) {
    const auto capture = place_capture(name);
    ASSERT_TRUE(capture.has_value()) << capture.error().message;
    const ClipPositions after = clip_positions(capture->placed.clip);
    for (const FootPlan& foot : capture->plan.feet) {
      const auto bend = [&](const ClipPositions& p, int f) {
        const Vec3d ball = p.point(f, foot.points.toe);
        return angle_between(ball - p.joint(f, foot.points.joint), p.point(f, foot.points.tip) - ball) * kDegPerRad;
      };
      double before = 0.0, most = 0.0;
      for (int f = 0; f < after.frame_count(); ++f) {
        before = std::max(before, bend(capture->studied.positions(), f));
        most = std::max(most, bend(after, f));
      }
      EXPECT_LE(most, before + 45.0) << name << " " << foot.points.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryClip, PlaceFeetReal, testing::ValuesIn(kClips), test::clip_test_name);

}  // namespace
}  // namespace shosa::feet
