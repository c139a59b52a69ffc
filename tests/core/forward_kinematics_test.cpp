#include "shosa/core/forward_kinematics.h"

#include <gtest/gtest.h>

#include <cstring>

#include "scenes/scenes.h"

namespace shosa {
namespace {

// The slow, obvious way: 4x4 matrices in double precision, multiplied up to the root.
Eigen::Matrix4d naive_world(const Skeleton& skeleton, const Pose& pose, JointIndex joint) {
  Eigen::Matrix4d local = Eigen::Matrix4d::Identity();
  local.topLeftCorner<3, 3>() = pose.rotation(joint).cast<double>().normalized().toRotationMatrix();
  local.topRightCorner<3, 1>() = pose.translation(joint).cast<double>();
  const JointIndex parent = skeleton.parent(joint);
  return parent == kNoJoint ? local : naive_world(skeleton, pose, parent) * local;
}

TEST(ForwardKinematics, EqualsMatrixProductsOnRandomTrees) {
  for (const int joints : {1, 7, 8, 9, 31, 61, 200}) {
    const auto skeleton = scenes::random_tree(joints, std::uint64_t(joints));
    const Pose pose = scenes::random_clip(skeleton, 3, 5).frame(2);
    const WorldPose world = forward_kinematics(*skeleton, pose);
    std::vector<Eigen::Matrix4f> matrices(static_cast<std::size_t>(joints));
    world_matrices(*skeleton, pose, matrices);
    for (JointIndex j = 0; j < joints; ++j) {
      const auto index = static_cast<std::size_t>(j);
      const Eigen::Matrix4d expected = naive_world(*skeleton, pose, j);
      const Vec3d position = expected.topRightCorner<3, 1>();
      EXPECT_LT((world.positions[index] - position).norm(), 1e-12) << joints << " joints, joint " << j;
      EXPECT_LT((world.rotations[index].toRotationMatrix() - expected.topLeftCorner<3, 3>()).norm(), 1e-12);
      EXPECT_LT((matrices[index].cast<double>() - expected).norm(), 2e-5) << joints << " joints, joint " << j;
      EXPECT_EQ(matrices[index].row(3), Eigen::RowVector4f(0, 0, 0, 1));
    }
  }
}

TEST(ForwardKinematics, RestPoseGivesRestPositions) {
  const auto skeleton = scenes::humanoid();
  const WorldPose world = forward_kinematics(*skeleton, Pose::rest(*skeleton));
  for (std::size_t j = 0; j < world.positions.size(); ++j) {
    EXPECT_LT((world.positions[j] - skeleton->rest_positions()[j]).norm(), 1e-12);
  }
}

TEST(ForwardKinematics, ManyCharactersEqualOneByOneToTheBit) {
  const auto skeleton = scenes::random_tree(31, 11);
  const Clip clip = scenes::random_clip(skeleton, 1000, 12);
  std::vector<Pose> poses;
  for (int f = 0; f < clip.frame_count(); ++f) poses.push_back(clip.frame(f));
  std::vector<Eigen::Matrix4f> together(31u * 1000u), alone(31u);
  world_matrices(*skeleton, poses, together);
  for (std::size_t c = 0; c < poses.size(); ++c) {
    world_matrices(*skeleton, poses[c], alone);
    ASSERT_EQ(std::memcmp(alone.data(), &together[c * 31], 31 * sizeof(Eigen::Matrix4f)), 0) << "character " << c;
  }
}

TEST(ForwardKinematics, ClipPositionsHoldJointsThenEndSites) {
  const auto skeleton = scenes::humanoid();
  const Clip clip = scenes::random_clip(skeleton, 200, 4);
  const ClipPositions positions = clip_positions(clip);
  ASSERT_EQ(positions.frame_count(), 200);
  ASSERT_EQ(positions.point_count(), skeleton->joint_count() + int(skeleton->end_sites().size()));
  for (const int f : {0, 77, 199}) {
    const WorldPose world = forward_kinematics(*skeleton, clip.frame(f));
    for (JointIndex j = 0; j < skeleton->joint_count(); ++j) {
      EXPECT_EQ(positions.joint(f, j), world.positions[j]);
    }
    for (int s = 0; s < int(skeleton->end_sites().size()); ++s) {
      EXPECT_EQ(positions.end_site(f, s), world.end_site(skeleton->end_sites()[s]));
    }
  }
}

}  // namespace
}  // namespace shosa
