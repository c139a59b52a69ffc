#include "shosa/core/clip_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "scenes/scenes.h"
#include "shosa/body/body_map.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa {
namespace {

using testing::HasSubstr;

TEST(Resample, KeepsTheMotionAndTheLastSample) {
  const Clip clip = scenes::random_clip(scenes::random_tree(9, 1), 121, 2, 120.0);
  const auto half = resample(clip, 60.0);
  ASSERT_TRUE(half.has_value());
  EXPECT_EQ(half->frame_count(), 61);
  EXPECT_DOUBLE_EQ(half->fps(), 60.0);
  for (JointIndex j = 0; j < 9; ++j) {
    EXPECT_LT(half->rotation(60, j).angularDistance(clip.rotation(120, j)), 1e-3f);
    EXPECT_LT(half->rotation(20, j).angularDistance(clip.rotation(40, j)), 1e-3f);
  }
}

TEST(Resample, UpAndDownAgainIsTheSameClip) {
  const Clip clip = scenes::random_clip(scenes::random_tree(9, 1), 31, 2, 30.0);
  const auto up = resample(clip, 120.0);
  const auto down = resample(*up, 30.0);
  ASSERT_EQ(down->frame_count(), 31);
  for (int f = 0; f < 31; ++f) {
    for (JointIndex j = 0; j < 9; ++j) {
      EXPECT_LT(down->rotation(f, j).angularDistance(clip.rotation(f, j)), 1e-3f);
      EXPECT_LT((down->translation(f, j) - clip.translation(f, j)).norm(), 1e-4f);
    }
  }
}

TEST(Resample, RefusesRatesThatMakeNoSense) {
  const Clip clip = scenes::random_clip(scenes::chain(3), 10, 2);
  for (const double fps : {0.0, -30.0, std::nan(""), 1e300}) EXPECT_FALSE(resample(clip, fps).has_value()) << fps;
}

TEST(Resample, RefusesMoreMemoryThanAClipMayTake) {
  // 1000 joints are 125 blocks of 128 bytes: 3 million frames are 48 GB, far fewer frames than kMaxFrames.
  const Clip clip = scenes::random_clip(scenes::random_tree(1000, 1), 10, 2, 30.0);
  const auto result = resample(clip, 1e7);
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message, HasSubstr("8 GiB"));
}

TEST(Cut, KeepsBothEnds) {
  const Clip clip = scenes::random_clip(scenes::chain(3), 61, 2, 60.0);
  const auto part = cut(clip, 0.25, 0.5);
  ASSERT_TRUE(part.has_value());
  EXPECT_EQ(part->frame_count(), 16);
  EXPECT_EQ(part->frame_time_s(), clip.frame_time_s());
  EXPECT_EQ(part->rotation(0, 1).coeffs(), clip.rotation(15, 1).coeffs());
  EXPECT_EQ(part->rotation(15, 1).coeffs(), clip.rotation(30, 1).coeffs());
  EXPECT_EQ(part->translation(15, 0), clip.translation(30, 0));
}

TEST(Cut, WholeClipMayBeNamedByItsDuration) {
  const Clip clip = scenes::random_clip(scenes::chain(3), 61, 2, 60.0);
  EXPECT_EQ(cut(clip, 0.0, clip.duration_s())->frame_count(), 61);
}

TEST(Cut, RefusesIntervalsOutsideTheClip) {
  const Clip clip = scenes::random_clip(scenes::chain(3), 61, 2, 60.0);
  EXPECT_THAT(cut(clip, 0.5, 0.2).error().message, HasSubstr("from 0.5 s to 0.2 s"));
  EXPECT_FALSE(cut(clip, 0.5, 3.0).has_value());
  EXPECT_FALSE(cut(clip, -0.5, 0.5).has_value());
  EXPECT_FALSE(cut(clip, std::nan(""), 0.5).has_value());
  EXPECT_FALSE(cut_frames(clip, 0, 0).has_value());
  EXPECT_FALSE(cut_frames(clip, 60, 2).has_value());
  EXPECT_FALSE(cut_frames(clip, 1, std::numeric_limits<int>::max()).has_value());
}

Clip walk_clip() {
  return scenes::walk({.duration_s = 1.0, .turn_rad_per_m = 0.3}).clip;
}

TEST(Mirror, ReflectsEveryJointOntoItsPartner) {
  const Clip clip = walk_clip();
  const auto partner = mirror_partners(clip.skeleton(), body::guess_body_map(clip.skeleton()));
  const auto image = mirror(clip, partner);
  ASSERT_TRUE(image.has_value());
  const ClipPositions before = clip_positions(clip), after = clip_positions(*image);
  int exchanged = 0;
  for (JointIndex j = 0; j < clip.joint_count(); ++j) {
    const JointIndex other = partner[j];
    exchanged += other != j;
    for (int f = 0; f < clip.frame_count(); f += 7) {
      const Vec3d expected = before.joint(f, other).cwiseProduct(Vec3d(-1, 1, 1));
      EXPECT_LT((after.joint(f, j) - expected).norm(), 1e-5) << clip.skeleton().name(j) << " frame " << f;
    }
  }
  EXPECT_GE(exchanged, 14);
}

TEST(Mirror, TwiceIsTheSameMotionWhateverTheRestRotations) {
  const auto skeleton = scenes::random_tree(12, 5);
  const Clip clip = scenes::random_clip(skeleton, 10, 6);
  std::vector<JointIndex> partner(12);
  std::iota(partner.begin(), partner.end(), 0);
  const auto twice = mirror(*mirror(clip, partner), partner);
  ASSERT_TRUE(twice.has_value());
  for (int f = 0; f < 10; ++f) {
    for (JointIndex j = 0; j < 12; ++j) {
      EXPECT_LT(twice->rotation(f, j).angularDistance(clip.rotation(f, j)), 2e-3f);
      EXPECT_LT((twice->translation(f, j) - clip.translation(f, j)).norm(), 1e-5f);
    }
  }
}

TEST(Mirror, RefusesPartnersThatAreNoPairs) {
  const Clip clip = scenes::random_clip(scenes::chain(3), 2, 1);
  EXPECT_FALSE(mirror(clip, std::vector<JointIndex>{0, 1}).has_value());
  EXPECT_FALSE(mirror(clip, std::vector<JointIndex>{0, 2, 2}).has_value());
  EXPECT_FALSE(mirror(clip, std::vector<JointIndex>{1, 0, 2}).has_value());
  EXPECT_FALSE(mirror(clip, std::vector<JointIndex>{0, -1, 9}).has_value());
}

}  // namespace
}  // namespace shosa
