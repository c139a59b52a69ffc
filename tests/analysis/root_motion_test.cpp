#include "shosa/analysis/root_motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/scene_bodies.h"
#include "scenes/scenes.h"

namespace shosa {
namespace {

using analysis::RootMotion;

struct Subject {
  Clip clip;
  body::BodyMap map;
  ClipPositions positions;
};
Subject subject(const Clip& clip) {
  return {clip, test::scene_body_map(clip.skeleton()), clip_positions(clip)};
}

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
    const Subject s = subject(clip);
    const RootMotion motion = analysis::root_motion_from_hips(s.clip, s.positions, s.map);
    const auto in_place = analysis::without_root_motion(clip, motion);
    ASSERT_TRUE(in_place.has_value());
    const auto back = analysis::with_root_motion(*in_place, motion);
    ASSERT_TRUE(back.has_value());
    EXPECT_LT(largest_difference(clip, *back), 5e-6) << clip.name();
  }
}

TEST(RootMotion, InPlaceFormKeepsTheHipsOverTheOriginFacingZ) {
  const Subject s = subject(scenes::walk({.turn_rad_per_m = 0.5}).clip);
  const auto in_place =
      analysis::without_root_motion(s.clip, analysis::root_motion_from_hips(s.clip, s.positions, s.map));
  ASSERT_TRUE(in_place.has_value());
  const Subject still = subject(*in_place);
  for (const auto& place : analysis::root_motion_from_hips(still.clip, still.positions, still.map).places) {
    EXPECT_NEAR(place.x_m, 0.0, 1e-6);
    EXPECT_NEAR(place.z_m, 0.0, 1e-6);
    EXPECT_NEAR(place.heading_rad, 0.0, 1e-5);
  }
}

TEST(RootMotion, SpeedOfAWalkIsTheAskedSpeed) {
  const Subject s = subject(scenes::walk({.duration_s = 6.0, .speed_mps = 1.4}).clip);
  EXPECT_NEAR(analysis::root_speed_mps(analysis::root_motion_from_hips(s.clip, s.positions, s.map)), 1.4, 0.01);
  const Subject idle = subject(scenes::stand().clip);
  EXPECT_LT(analysis::root_speed_mps(analysis::root_motion_from_hips(idle.clip, idle.positions, idle.map)), 0.03);
}

TEST(RootMotion, FeetGiveATreadmillWalkItsWayBack) {
  const auto scene = scenes::walk({.duration_s = 4.0, .speed_mps = 1.3});
  const Subject walk = subject(scene.clip);
  const auto contacts = analysis::find_foot_contacts(walk.clip, walk.map);
  ASSERT_TRUE(contacts.has_value());
  Clip treadmill = scene.clip;
  for (int f = 0; f < treadmill.frame_count(); ++f) {
    Vec3f p = treadmill.translation(f, 0);
    p.z() -= static_cast<float>(1.3 * f * treadmill.frame_time_s());
    treadmill.set_translation(f, 0, p);
  }
  const Subject s = subject(treadmill);
  const auto motion = analysis::root_motion_from_feet(s.clip, s.positions, s.map, *contacts);
  ASSERT_TRUE(motion.has_value());
  EXPECT_NEAR(motion->places.back().z_m - motion->places.front().z_m, 1.3 * 4.0, 0.1);
  EXPECT_LT(analysis::root_speed_mps(analysis::root_motion_from_hips(s.clip, s.positions, s.map)), 0.1);
}

TEST(RootMotion, OfAnotherLengthIsRefused) {
  const Subject s = subject(scenes::stand(1.0).clip);
  RootMotion motion = analysis::root_motion_from_hips(s.clip, s.positions, s.map);
  motion.places.pop_back();
  EXPECT_FALSE(analysis::without_root_motion(s.clip, motion).has_value());
  EXPECT_FALSE(analysis::with_root_motion(s.clip, motion).has_value());
}

}  // namespace
}  // namespace shosa
