#include "shosa/analysis/root_motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/scene_bodies.h"
#include "scenes/scenes.h"

namespace shosa {
namespace {

using analysis::RootMotion;
using analysis::StudiedClip;

double largest_difference(const Clip& a, const Clip& b) {
  const ClipPositions pa = clip_positions(a), pb = clip_positions(b);
  double most = 0.0;
  for (int f = 0; f < a.frame_count(); ++f) {
    for (int p = 0; p < pa.point_count(); ++p) most = std::max(most, (pa.point(f, p) - pb.point(f, p)).norm());
  }
  return most;
}

TEST(RootMotion, PuttingItBackIsTheInverseOfTakingItOut) {
  std::vector<Clip> clips = {scenes::walk({.turn_rad_per_m = 0.5}).clip, scenes::dog_walk().clip};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) clips.push_back(scenes::random_clip(scenes::humanoid(), 50, seed));
  for (const Clip& clip : clips) {
    const RootMotion motion = test::study_scene(clip).root();
    const auto in_place = analysis::without_root_motion(clip, motion);
    ASSERT_TRUE(in_place.has_value());
    const auto back = analysis::with_root_motion(*in_place, motion);
    ASSERT_TRUE(back.has_value());
    EXPECT_LT(largest_difference(clip, *back), 5e-6) << clip.name();
  }
}

TEST(RootMotion, InPlaceFormKeepsTheHipsOverTheOriginFacingZ) {
  const StudiedClip walk = test::study_scene(scenes::walk({.turn_rad_per_m = 0.5}).clip);
  const auto in_place = analysis::without_root_motion(walk.clip(), walk.root());
  ASSERT_TRUE(in_place.has_value());
  const StudiedClip still = test::study_scene(*in_place);
  for (const auto& place : still.root().places) {
    EXPECT_NEAR(place.x_m, 0.0, 1e-6);
    EXPECT_NEAR(place.z_m, 0.0, 1e-6);
    EXPECT_NEAR(place.heading_rad, 0.0, 1e-5);
  }
}

TEST(RootMotion, SpeedOfAWalkIsTheAskedSpeed) {
  const StudiedClip walk = test::study_scene(scenes::walk({.duration_s = 6.0, .speed_mps = 1.4}).clip);
  EXPECT_NEAR(analysis::root_speed_mps(walk.root()), 1.4, 0.01);
  EXPECT_LT(analysis::root_speed_mps(test::study_scene(scenes::stand().clip).root()), 0.03);
}

TEST(RootMotion, FeetGiveATreadmillWalkItsWayBack) {
  const auto scene = scenes::walk({.duration_s = 4.0, .speed_mps = 1.3});
  const StudiedClip walk = test::study_scene(scene.clip);
  Clip treadmill = scene.clip;
  for (int f = 0; f < treadmill.frame_count(); ++f) {
    Vec3f p = treadmill.translation(f, 0);
    p.z() -= static_cast<float>(1.3 * f * treadmill.frame_time_s());
    treadmill.set_translation(f, 0, p);
  }
  const auto on_the_spot = analysis::study(treadmill, walk.map(), walk.contacts());
  ASSERT_TRUE(on_the_spot.has_value());
  const auto motion = analysis::root_motion_from_feet(*on_the_spot);
  ASSERT_TRUE(motion.has_value());
  EXPECT_NEAR(motion->places.back().z_m - motion->places.front().z_m, 1.3 * 4.0, 0.1);
  EXPECT_LT(analysis::root_speed_mps(on_the_spot->root()), 0.1);
}

TEST(RootMotion, OfAnotherLengthIsRefused) {
  const StudiedClip s = test::study_scene(scenes::stand(1.0).clip);
  RootMotion motion = s.root();
  motion.places.pop_back();
  EXPECT_FALSE(analysis::without_root_motion(s.clip(), motion).has_value());
  EXPECT_FALSE(analysis::with_root_motion(s.clip(), motion).has_value());
}

}  // namespace
}  // namespace shosa
