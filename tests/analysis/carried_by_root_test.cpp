#include "shosa/analysis/carried_by_root.h"

#include <gtest/gtest.h>

#include "scenes/random.h"
#include "scenes/scenes.h"
#include "shosa/analysis/heading.h"
#include "shosa/core/tree_paths.h"

namespace shosa {
namespace {

/// Joints that hang on the root by other joints than the hips move in every way that a file can say.
Clip wild_clip(std::uint64_t seed) {
  const auto skeleton = scenes::random_tree(20, seed);
  std::vector<JointIndex> all;
  for (JointIndex j = 0; j < skeleton->joint_count(); ++j) all.push_back(j);
  Clip clip(skeleton, 12, 1.0 / 30.0, all);
  scenes::Random random(seed);
  for (int f = 0; f < clip.frame_count(); ++f) {
    for (const JointIndex j : all) {
      clip.set_rotation(f, j, random.rotation().cast<float>());
      clip.set_translation(f, j, (random.uniform(-2.0, 2.0) * random.direction()).cast<float>());
    }
  }
  return clip;
}

TEST(CarriedByRoot, LeavesEveryJointBelowAndBesideTheHipsWhereItIs) {
  int deep = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Clip clip = wild_clip(seed);
    body::BodyMap map;
    const JointIndex hips = clip.joint_count() / 2;
    map.set(body::Role::hips, hips);
    const auto chain = joint_chain(clip.skeleton(), 0, hips);
    deep += chain.size() > 2;
    const Clip carried = analysis::carried_by_root(clip, map);
    for (int f = 0; f < clip.frame_count(); ++f) {
      const WorldPose before = forward_kinematics(clip.skeleton(), clip.frame(f));
      const WorldPose after = forward_kinematics(clip.skeleton(), carried.frame(f));
      for (JointIndex j = 0; j < clip.joint_count(); ++j) {
        if (j != hips && std::ranges::find(chain, j) != chain.end()) continue;
        EXPECT_LT((before.positions[j] - after.positions[j]).norm(), 1e-5) << j;
        EXPECT_LT(before.rotations[j].angularDistance(after.rotations[j]), 1e-5) << j;
      }
      const double facing = analysis::heading_rad(map, before.positions, before.rotations[0]);
      EXPECT_LT(after.rotations[0].angularDistance(Quatd(Eigen::AngleAxisd(facing, Vec3d::UnitY()))), 1e-5);
    }
    // Between root and hips all rests, so that whoever moves joint 0 moves the hips alike.
    const Pose rest = Pose::rest(clip.skeleton());
    for (std::size_t i = 1; i < chain.size(); ++i) {
      EXPECT_EQ(carried.translation(5, chain[i]), rest.translation(chain[i]));
      EXPECT_FALSE(carried.is_translated(chain[i]));
    }
  }
  EXPECT_GT(deep, 5);
}

TEST(CarriedByRoot, AClipWhoseHipsAreJoint0ComesBackAsItIs) {
  const Clip clip = wild_clip(3);
  body::BodyMap map;
  map.set(body::Role::hips, 0);
  const Clip carried = analysis::carried_by_root(clip, map);
  for (int f = 0; f < clip.frame_count(); ++f)
    EXPECT_TRUE(std::ranges::equal(clip.frame(f).rotation_lanes(), carried.frame(f).rotation_lanes()));
  EXPECT_EQ(carried.translated(), clip.translated());
}

}  // namespace
}  // namespace shosa
