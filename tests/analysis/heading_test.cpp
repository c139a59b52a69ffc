#include "shosa/analysis/heading.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/scene_bodies.h"
#include "scenes/scenes.h"
#include "shosa/core/rotations.h"

namespace shosa {
namespace {

double heading_of(const Skeleton& skeleton, const Pose& pose) {
  const WorldPose world = forward_kinematics(skeleton, pose);
  return analysis::heading_rad(test::scene_body_map(skeleton), world.positions, world.rotations[0]);
}

TEST(Heading, FollowsATurnAboutTheVertical) {
  for (const auto& skeleton : {scenes::humanoid(), scenes::dog()}) {
    for (double angle = -3.1; angle < 3.14; angle += 0.37) {
      Pose pose = Pose::rest(*skeleton);
      pose.set_rotation(0, Quatf(Eigen::AngleAxisf(static_cast<float>(angle), Vec3f::UnitY())));
      EXPECT_NEAR(heading_of(*skeleton, pose), angle, 1e-5);
    }
  }
}

TEST(Heading, IsTheSameWhenTheBodyBendsForward) {
  const auto skeleton = scenes::humanoid();
  for (double bend = -1.5; bend < 1.6; bend += 0.25) {
    Pose pose = Pose::rest(*skeleton);
    const Quatf turn(Eigen::AngleAxisf(0.8f, Vec3f::UnitY()));
    pose.set_rotation(0, turn * Quatf(Eigen::AngleAxisf(static_cast<float>(bend), Vec3f::UnitX())));
    pose.set_rotation(skeleton->find("spine"), Quatf(Eigen::AngleAxisf(static_cast<float>(bend), Vec3f::UnitX())));
    EXPECT_NEAR(heading_of(*skeleton, pose), 0.8, 1e-4) << bend;
  }
}

TEST(Heading, IsWhereTheChestFacesWhenLyingOnTheSide) {
  const auto skeleton = scenes::humanoid();
  Pose pose = Pose::rest(*skeleton);
  pose.set_rotation(0, Quatf(Eigen::AngleAxisf(1.5707963f, Vec3f::UnitZ())));
  EXPECT_NEAR(heading_of(*skeleton, pose), 0.0, 1e-4);
}

TEST(Heading, OfAClipIsUnwound) {
  const auto scene = scenes::walk({.duration_s = 12.0, .speed_mps = 1.2, .turn_rad_per_m = 0.8});
  const analysis::StudiedClip walk = test::study_scene(scene.clip);
  EXPECT_NEAR(walk.heading_rad(scene.clip.frame_count() - 1) - walk.heading_rad(0), 12.0 * 1.2 * 0.8, 0.2);
  for (int f = 1; f < scene.clip.frame_count(); ++f)
    EXPECT_LT(std::abs(walk.heading_rad(f) - walk.heading_rad(f - 1)), 0.2);
}

}  // namespace
}  // namespace shosa
