// What `fix` promises on captured motion: every walk, run, stairs, fight and dance clip.

#include <gtest/gtest.h>

#include <map>

#include "shosa/analysis/metrics.h"
#include "shosa/io/motion_file.h"
#include "shosa/posing/keep_feet.h"
#include "shosa/posing/settle_feet.h"
#include "support/real_data.h"

namespace shosa::posing {
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
    "cmu-bvh/60_10", "cmu-bvh/61_10", "cmu-bvh/93_03", "cmu-bvh/111_05", "other-exporters/pirouette"};

/// Largest turn of a knee between frames, degrees.
double quickest_knee_deg(const Clip& clip, const body::BodyMap& map) {
  double most = 0.0;
  for (const body::Role role : {body::Role::left_lower_leg, body::Role::right_lower_leg}) {
    for (int f = 2; f < clip.frame_count() && map.has(role); ++f) {
      const Quatd a = clip.rotation(f - 1, map.joint(role)).cast<double>(),
                  b = clip.rotation(f, map.joint(role)).cast<double>();
      most = std::max(most, a.angularDistance(b) * 180.0 / M_PI);
    }
  }
  return most;
}

class KeepFeetReal : public testing::TestWithParam<const char*> {};

TEST_P(KeepFeetReal, SlideFallsByFourFifthsJointsMoveThreeCentimetresJerkStays) {
  SHOSA_NEEDS_REAL_DATA();
  const auto file = test::real_data_dir() / (std::string(GetParam()) + ".bvh");
  const auto motion = io::read_motion(file, {.drop_tpose = true});
  ASSERT_TRUE(motion.has_value()) << motion.error().message;
  const Clip& clip = motion->clips[0];
  const ClipPositions positions = clip_positions(clip);
  const auto contacts = analysis::find_foot_contacts(clip, positions, motion->body_map);
  ASSERT_TRUE(contacts.has_value()) << contacts.error().message;
  const auto kept = keep_feet(clip, motion->body_map, *contacts);
  ASSERT_TRUE(kept.has_value()) << kept.error().message;

  const auto before = analysis::measure_quality(analysis::study(clip, motion->body_map));
  const auto after = analysis::measure_quality(*analysis::study(kept->clip, motion->body_map, *contacts));
  EXPECT_LE(after.foot_skate_mps, 0.2 * before.foot_skate_mps);
  EXPECT_LE(kept->mean_joint_change_m, 0.03);
  EXPECT_LE(after.mean_jerk_mps3, 1.1 * before.mean_jerk_mps3);
  // Straight legs (83_08, 16_41), and feet that tremble in the capture, miss it; docs/methods/keep_feet.md.
  static const std::map<std::string, double> kMissed_deg = {
      {"cmu-bvh/16_11", 7.5}, {"cmu-bvh/104_11", 6.3}, {"cmu-bvh/16_41", 7.0}, {"cmu-bvh/83_08", 6.5},
      {"cmu-bvh/83_06", 6.8}, {"cmu-bvh/02_05", 4.2},  {"cmu-bvh/76_01", 4.7}, {"cmu-bvh/141_14", 33.0},
      {"cmu-bvh/05_02", 8.5}, {"cmu-bvh/05_11", 7.4}};
  const auto missed = kMissed_deg.find(GetParam());
  EXPECT_LE(quickest_knee_deg(kept->clip, motion->body_map),
            missed != kMissed_deg.end() ? missed->second : 1.3 * quickest_knee_deg(clip, motion->body_map) + 1.0);
  // The third frame of 07_12 is broken in the file: a foot 0.9 m below the ground is left there.
  if (std::string(GetParam()) != "cmu-bvh/07_12") {
    EXPECT_LE(after.penetration_m, 0.005);
  }
}

Result<SettledFeet> settled(const std::string& name, const SettleFeetParams& params) {
  auto motion = io::read_motion(test::real_data_dir() / "cmu-bvh" / (name + ".bvh"), {.drop_tpose = true});
  if (!motion) return std::unexpected(motion.error());
  return settle_feet(analysis::study(motion->clips[0], motion->body_map), params);
}

TEST(SettleFeet, RunsStandWhereContactsAreFoundInTheResult) {
  SHOSA_NEEDS_REAL_DATA();
  for (const char* name : {"09_01", "16_35", "16_37", "35_17"}) {
    const auto once = settled(name, {.max_rounds = 1}), result = settled(name, {});
    ASSERT_TRUE(once.has_value() && result.has_value()) << name;
    EXPECT_GT(result->slide_before_mps, 0.2) << name;
    EXPECT_LE(result->slide_mps, once->slide_mps) << name;
    EXPECT_LE(result->slide_mps, 0.025) << name;
  }
  EXPECT_FALSE(settled("09_01", {.max_rounds = 0}).has_value());
}

TEST(SettleFeet, FeetComeDownAndLeaveHardlyMoreHastilyThanInTheCapture) {
  SHOSA_NEEDS_REAL_DATA();
  // In the last three stances that are not eased at their ends would be twice as hasty.
  for (const auto& [name, most_m] :
       {std::pair{"02_01", 0.015}, std::pair{"16_15", 0.018}, std::pair{"35_01", 0.018}, std::pair{"111_01", 0.018},
        std::pair{"10_01", 0.003}, std::pair{"13_11", 0.004}, std::pair{"77_24", 0.008}}) {
    const auto result = settled(name, {});
    ASSERT_TRUE(result.has_value()) << name;
    EXPECT_GT(result->rounds, 0) << name;
    EXPECT_LE(result->slide_mps, 0.0225) << name;
    EXPECT_LE(result->haste_m, most_m) << name;
  }
}

// At 0.75 s the right toes of 16_17 point straight down, where they have no side to be turned up to.
TEST(KeepFeetRealToes, ThatHangStraightDownDoNotFlip) {
  SHOSA_NEEDS_REAL_DATA();
  const auto motion = io::read_motion(test::real_data_dir() / "cmu-bvh" / "16_17.bvh", {.drop_tpose = true});
  ASSERT_TRUE(motion.has_value()) << motion.error().message;
  const Clip& clip = motion->clips[0];
  const auto contacts = analysis::find_foot_contacts(clip, clip_positions(clip), motion->body_map);
  ASSERT_TRUE(contacts.has_value()) << contacts.error().message;
  const auto kept = keep_feet(clip, motion->body_map, *contacts);
  ASSERT_TRUE(kept.has_value()) << kept.error().message;
  const JointIndex toes = motion->body_map.joint(body::Role::right_toes);
  for (int f = 1; f < clip.frame_count(); ++f) {
    const auto turn = [&](const Clip& c) { return c.rotation(f - 1, toes).angularDistance(c.rotation(f, toes)); };
    EXPECT_LT(turn(kept->clip), turn(clip) + 0.25f) << f;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryClip, KeepFeetReal, testing::ValuesIn(kClips),
                         [](const testing::TestParamInfo<const char*>& one) {
                           std::string name = one.param;
                           for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           return name;
                         });

}  // namespace
}  // namespace shosa::posing
