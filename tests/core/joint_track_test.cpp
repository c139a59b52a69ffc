#include "shosa/core/joint_track.h"

#include <gtest/gtest.h>

#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa {
namespace {

TEST(JointTrack, IsTheJointInTheWorldAndInItsParent) {
  const Clip clip = scenes::walk({.duration_s = 0.5}).clip;
  const JointIndex hand = clip.skeleton().find("right_hand");
  const JointTrack world = joint_track(clip, hand), parent = joint_track(clip, hand, JointSpace::parent);
  ASSERT_EQ(world.positions_m.size(), static_cast<std::size_t>(clip.frame_count()));
  ASSERT_EQ(parent.rotations.size(), static_cast<std::size_t>(clip.frame_count()));
  for (int f = 0; f < clip.frame_count(); ++f) {
    const WorldPose pose = forward_kinematics(clip.skeleton(), clip.frame(f));
    EXPECT_EQ(world.positions_m[f], pose.positions[hand]);
    const Quatd& up = pose.rotations[clip.skeleton().parent(hand)];
    EXPECT_LT((up * parent.rotations[f]).angularDistance(world.rotations[f]), 1e-6);
    EXPECT_LT((pose.positions[clip.skeleton().parent(hand)] + up * parent.positions_m[f] - world.positions_m[f]).norm(),
              1e-6);
  }
}

}  // namespace
}  // namespace shosa
