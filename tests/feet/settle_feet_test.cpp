#include "feet/settle_feet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenes/scenes.h"
#include "shosa/feet/clean_captured.h"
#include "shosa/io/motion_file.h"
#include "support/real_data.h"

namespace shosa::feet {
namespace {

Result<SettledFeet> settled(const std::string& name, const SettleFeetParams& params) {
  auto motion = io::read_motion(test::real_data_dir() / "cmu-bvh" / (name + ".bvh"), {.drop_tpose = true});
  if (!motion) return std::unexpected(motion.error());
  return settle_feet(analysis::study(motion->clips[0], motion->body_map), params);
}

TEST(SettleFeet, RunsAndWalksStandWhereContactsAreFoundInTheResult) {
  SHOSA_NEEDS_REAL_DATA();
  for (const char* name : {"09_01", "16_35", "16_37", "35_17", "02_01", "16_15", "35_01", "111_01"}) {
    const auto once = settled(name, {.max_rounds = 1}), result = settled(name, {});
    ASSERT_TRUE(once.has_value() && result.has_value()) << name;
    EXPECT_GT(result->slide_before_mps, 0.03) << name;
    EXPECT_LE(result->slide_mps, once->slide_mps) << name;
    EXPECT_LE(result->slide_mps, 0.025) << name;
  }
}

TEST(SettleFeet, AClipWhoseFeetStandIsLeftAsItIs) {
  const Clip stand = scenes::stand(1.0).clip;
  const auto result = settle_feet(analysis::study(stand, body::guess_body_map(stand.skeleton())));
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->rounds, 0);
}

TEST(SettleFeet, FeetOnGroundThatMovesUnderThemAreLeftAsTheyAre) {
  SHOSA_NEEDS_REAL_DATA();
  const auto motion = io::read_motion(test::real_data_dir() / "gltf/CesiumMan.glb");
  ASSERT_TRUE(motion.has_value());
  const CleanedCapture cleaned = clean_captured(motion->clips[0], motion->body_map);
  EXPECT_FALSE(cleaned.kept);
  ASSERT_TRUE(cleaned.not_kept.has_value());
  EXPECT_THAT(cleaned.not_kept->message, testing::HasSubstr("steps on the spot"));
}

TEST(SettleFeet, WrongParametersAreRefused) {
  const Clip stand = scenes::stand(1.0).clip;
  const auto studied = analysis::study(stand, body::guess_body_map(stand.skeleton()));
  EXPECT_FALSE(settle_feet(studied, {.slide_mps = 0.0}).has_value());
  EXPECT_FALSE(settle_feet(studied, {.max_rounds = 0}).has_value());
}

}  // namespace
}  // namespace shosa::feet
