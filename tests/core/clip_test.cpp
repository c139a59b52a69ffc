#include "shosa/core/clip.h"

#include <gtest/gtest.h>

#include <limits>

#include "scenes/scenes.h"

namespace shosa {
namespace {

TEST(Pose, HoldsWhatWasSetInEveryLane) {
  Pose pose(19);
  for (JointIndex j = 0; j < 19; ++j) {
    pose.set_rotation(j, Quatf(Eigen::AngleAxisf(0.1f * float(j), Vec3f::UnitX())));
    pose.set_translation(j, Vec3f(float(j), 2.0f * float(j), -float(j)));
  }
  for (JointIndex j = 0; j < 19; ++j) {
    EXPECT_EQ(pose.rotation(j).coeffs(), Quatf(Eigen::AngleAxisf(0.1f * float(j), Vec3f::UnitX())).coeffs());
    EXPECT_EQ(pose.translation(j), Vec3f(float(j), 2.0f * float(j), -float(j)));
  }
}

TEST(Pose, StartsAtIdentity) {
  const Pose pose(9);
  EXPECT_EQ(pose.rotation(8).coeffs(), Quatf::Identity().coeffs());
  EXPECT_EQ(pose.translation(8), Vec3f::Zero());
}

TEST(Clip, StartsAtRest) {
  const auto skeleton = scenes::random_tree(13, 1);
  const Clip clip(skeleton, 4, 1.0 / 60.0, {0, 5});
  for (JointIndex j = 0; j < 13; ++j) {
    EXPECT_EQ(clip.rotation(3, j).coeffs(), skeleton->joint(j).rest_rotation.coeffs());
    EXPECT_EQ(clip.translation(3, j), skeleton->joint(j).rest_translation_m);
  }
}

TEST(Clip, FramesComeBackBitForBit) {
  const auto skeleton = scenes::random_tree(37, 2);
  const Clip source = scenes::random_clip(skeleton, 12, 3);
  Clip copy(skeleton, 12, source.frame_time_s(), source.translated());
  for (int f = 0; f < 12; ++f) copy.set_frame(f, source.frame(f));
  for (int f = 0; f < 12; ++f) {
    for (JointIndex j = 0; j < 37; ++j) {
      EXPECT_EQ(copy.rotation(f, j).coeffs(), source.rotation(f, j).coeffs());
      EXPECT_EQ(copy.translation(f, j), source.translation(f, j));
    }
  }
}

TEST(Clip, OnlyTranslatedJointsStoreTranslations) {
  const auto skeleton = scenes::chain(5);
  Clip clip(skeleton, 2, 0.1, {0, 3});
  Pose pose = Pose::rest(*skeleton);
  for (JointIndex j = 0; j < 5; ++j) pose.set_translation(j, Vec3f(9, 9, 9));
  clip.set_frame(1, pose);
  EXPECT_EQ(clip.translation(1, 3), Vec3f(9, 9, 9));
  EXPECT_EQ(clip.translation(1, 2), skeleton->joint(2).rest_translation_m);
  EXPECT_FALSE(clip.is_translated(2));
}

TEST(Clip, TimesFollowTheFrameTimeExactly) {
  Clip clip(scenes::chain(2), 344, 0.0083333);
  EXPECT_EQ(clip.frame_time_s(), 0.0083333);
  EXPECT_DOUBLE_EQ(clip.duration_s(), 344 * 0.0083333);
  EXPECT_DOUBLE_EQ(clip.last_time_s(), 343 * 0.0083333);
  EXPECT_EQ(clip.nearest_frame(-5.0), 0);
  EXPECT_EQ(clip.nearest_frame(1e9), 343);
  EXPECT_EQ(clip.nearest_frame(10.4 * 0.0083333), 10);
}

TEST(Clip, NearestFrameOfAnyTimeLiesInTheClip) {
  const Clip clip(scenes::chain(3), 11, 0.1);
  EXPECT_EQ(clip.nearest_frame(0.34), 3);
  EXPECT_EQ(clip.nearest_frame(std::numeric_limits<double>::quiet_NaN()), 0);
  EXPECT_EQ(clip.nearest_frame(-std::numeric_limits<double>::infinity()), 0);
  EXPECT_EQ(clip.nearest_frame(std::numeric_limits<double>::infinity()), 10);
  EXPECT_EQ(clip.nearest_frame(1e300), 10);
}

}  // namespace
}  // namespace shosa
