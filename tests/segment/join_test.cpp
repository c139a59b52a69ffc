#include "shosa/segment/join.h"

#include <gtest/gtest.h>

#include "analysis/real_clips.h"
#include "analysis/scene_bodies.h"
#include "scenes/scenes.h"

namespace shosa::segment {
namespace {

TEST(JoinedSegments, WalkStepDownWalkHasNoSeams) {
  const Clip walk = scenes::walk({.duration_s = 3.0}).clip;
  const Clip down = scenes::walk({.duration_s = 3.0, .speed_mps = 0.8, .rise_per_step_m = -0.12}).clip;
  const auto level = test::study_scene(walk), stepping = test::study_scene(down);
  // Cut where the left foot strikes: 62.4 frames a cycle.
  const auto join = join_segments({.parts = {{level, 0, 62}, {stepping, 62, 125}, {level, 62, 125}}});
  ASSERT_TRUE(join.has_value()) << join.error().message;
  EXPECT_EQ(join->clip.frame_count(), 62 + 63 + 63 + 1);
  ASSERT_EQ(join->seams.size(), 2u);
  for (const JoinSeam& seam : join->seams) {
    EXPECT_LE(seam.position_m, 1e-4);
    EXPECT_LE(seam.velocity_mps, 0.01);
    EXPECT_GT(seam.apart_m, 0.0);
  }
  const ClipPositions p = clip_positions(join->clip);
  const double fall = p.joint(0, 0).y() - p.joint(p.frame_count() - 1, 0).y();
  EXPECT_NEAR(fall, 0.24, 0.06);
  EXPECT_GT(p.joint(p.frame_count() - 1, 0).z() - p.joint(0, 0).z(), 2.5);
}

TEST(JoinedSegments, OnePartIsItself) {
  const Clip walk = scenes::walk({.duration_s = 1.5}).clip;
  const auto join = join_segments({.parts = {{test::study_scene(walk), 5, 60}}, .still_feet = false});
  ASSERT_TRUE(join.has_value());
  for (int f = 0; f <= 55; ++f) {
    const Pose a = join->clip.frame(f), b = walk.frame(5 + f);
    ASSERT_TRUE(std::ranges::equal(a.rotation_lanes(), b.rotation_lanes()));
  }
}

TEST(JoinedSegments, RefusesWhatDoesNotFit) {
  const auto walk = test::study_scene(scenes::walk({.duration_s = 1.5}).clip);
  const auto slow = test::study_scene(scenes::walk({.duration_s = 1.5, .fps = 30.0}).clip);
  const auto dog = test::study_scene(scenes::dog_walk({.duration_s = 1.0}).clip);
  EXPECT_FALSE(join_segments({}).has_value());
  EXPECT_FALSE(join_segments({.parts = {{walk, 0, 60}, {slow, 0, 30}}}).has_value());
  EXPECT_FALSE(join_segments({.parts = {{walk, 0, 60}, {dog, 0, 30}}}).has_value());
  EXPECT_FALSE(join_segments({.parts = {{walk, 0, 2}}}).has_value());
}

TEST(JoinReal, CapturedWalksOfOneSubjectJoin) {
  SHOSA_NEEDS_REAL_DATA();
  SHOSA_READ_CMU(walk, "16_15");
  SHOSA_READ_CMU(other, "16_21");
  const auto join = join_segments({.parts = {{walk, 20, 200}, {other, 40, 200}, {walk, 100, 300}}});
  ASSERT_TRUE(join.has_value()) << join.error().message;
  for (const JoinSeam& seam : join->seams) {
    EXPECT_LE(seam.position_m, 1e-4);
    EXPECT_LE(seam.velocity_mps, 0.01);
  }
}

}  // namespace
}  // namespace shosa::segment
