#include <gmock/gmock.h>

#include "io/bvh.h"
#include "io/gltf_writing.h"
#include "io/real_bvh.h"
#include "scenes/scenes.h"
#include "support/naive_gltf.h"
#include "support/real_data.h"

namespace shosa::io {
namespace {

using Json = nlohmann::json;
using test::file_of;
using test::GltfFolder;
using test::largest_distance;
using test::write_and_read;

TEST(GltfWrite, AClipComesBackBitForBit) {
  for (const char* name : {"out.glb", "out.gltf"}) {
    const Clip clip = scenes::random_clip(scenes::random_tree(40, 7), 57, 3, 1.0 / 0.0083333);
    const MotionFile back = write_and_read(file_of(clip), name);
    ASSERT_EQ(back.clips.size(), 1u);
    const Clip& read = back.clips[0];
    EXPECT_EQ(read.frame_time_s(), clip.frame_time_s());
    ASSERT_EQ(read.frame_count(), clip.frame_count());
    EXPECT_TRUE(same_skeleton(read.skeleton(), clip.skeleton()));
    EXPECT_EQ(read.skeleton().end_sites().size(), clip.skeleton().end_sites().size());
    for (int frame = 0; frame < clip.frame_count(); ++frame) {
      for (JointIndex joint = 0; joint < clip.joint_count(); ++joint) {
        EXPECT_LT(read.rotation(frame, joint).angularDistance(clip.rotation(frame, joint)), 1e-6f);
        EXPECT_LT((read.translation(frame, joint) - clip.translation(frame, joint)).norm(), 1e-6f);
      }
    }
    EXPECT_LT(largest_distance(read, clip), 1e-5);
    EXPECT_TRUE(back.warnings.empty());
  }
}

TEST(GltfWrite, PosturesAndStillClipsKeepTheirLength) {
  for (int frames : {1, 2, 3, 100}) {
    Clip clip(scenes::humanoid(), frames, 1.0 / 29.97);
    clip.set_name("still");
    const MotionFile back = write_and_read(file_of(clip));
    ASSERT_EQ(back.clips.size(), 1u);
    EXPECT_EQ(back.clips[0].frame_count(), frames);
    EXPECT_EQ(back.clips[0].frame_time_s(), 1.0 / 29.97);
    EXPECT_EQ(back.clips[0].name(), "still");
    EXPECT_LT(largest_distance(back.clips[0], clip), 1e-6);
  }
}

TEST(GltfWrite, OnlyWhatMovesIsWritten) {
  Clip clip(scenes::humanoid(), 10, 0.1);
  const JointIndex arm = clip.skeleton().find("left_upper_arm");
  for (int frame = 0; frame < 10; ++frame) {
    clip.set_rotation(frame, arm, Quatf(Eigen::AngleAxisf(0.1f * static_cast<float>(frame), Vec3f::UnitX())));
  }
  GltfFolder folder;
  ASSERT_TRUE(write_gltf(folder.path() / "arm.glb", file_of(clip)));
  const test::NaiveGltf naive(folder.path() / "arm.glb");
  ASSERT_EQ(naive.json["animations"][0]["channels"].size(), 1u);
  EXPECT_EQ(naive.json["animations"][0]["channels"][0]["target"]["node"], arm);
}

TEST(GltfWrite, ASkeletonWithoutMotionIsWrittenAndRead) {
  MotionFile motion;
  motion.skeleton = scenes::dog();
  const MotionFile back = write_and_read(motion);
  EXPECT_TRUE(back.clips.empty());
  EXPECT_TRUE(same_skeleton(*back.skeleton, *motion.skeleton));
}

TEST(GltfWrite, TheBodyOfBonesMovesWithItsJoints) {
  const Clip clip = scenes::random_clip(scenes::humanoid(), 5, 11);
  GltfFolder folder;
  ASSERT_TRUE(write_gltf(folder.path() / "body.glb", file_of(clip)));
  const test::NaiveGltf naive(folder.path() / "body.glb");
  const Json& attributes = naive.json["meshes"][0]["primitives"][0]["attributes"];
  const auto positions = naive.accessor(attributes["POSITION"]);
  const auto joints = naive.accessor(attributes["JOINTS_0"]);
  const auto bind = naive.accessor(naive.json["skins"][0]["inverseBindMatrices"]);
  // Every third vertex of a bone's upper triangles is the far end: it must lie on the child joint at every time.
  const WorldPose world = forward_kinematics(clip.skeleton(), clip.frame(3));
  std::size_t vertex = 0;
  for (JointIndex joint = 1; joint < clip.joint_count(); ++joint, vertex += 24) {
    const int bone = static_cast<int>(joints[(vertex + 2) * 4]);
    ASSERT_EQ(bone, clip.skeleton().parent(joint));
    Eigen::Affine3d joint_from_world;
    joint_from_world.matrix() = Eigen::Map<const Eigen::Matrix4d>(bind.data() + bone * 16);
    const Vec3d rest(positions[(vertex + 2) * 3], positions[(vertex + 2) * 3 + 1], positions[(vertex + 2) * 3 + 2]);
    const Vec3d moved = naive.world_from_node(bone, 0, 3 * clip.frame_time_s()) * (joint_from_world * rest);
    EXPECT_LT((moved - world.positions[joint]).norm(), 1e-5) << clip.skeleton().name(joint);
  }
}

TEST(GltfWrite, BadPathsAndSkeletonsAreRefused) {
  const MotionFile motion = file_of(Clip(scenes::dog(), 2, 0.1));
  EXPECT_EQ(write_gltf("/nowhere/at/all.glb", motion).error().code, ErrorCode::cannot_write);
  EXPECT_EQ(write_gltf("walk.obj", motion).error().code, ErrorCode::invalid_argument);
  MotionFile mixed = motion;
  mixed.clips.emplace_back(scenes::humanoid(), 2, 0.1);
  EXPECT_EQ(write_gltf("walk.glb", mixed).error().code, ErrorCode::invalid_argument);
}

TEST(GltfWrite, MoreJointsThanAVertexCanNameAreWrittenWithoutAMesh) {
  std::vector<Joint> joints(65537 + 1);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    joints[i] = {.name = std::to_string(i), .parent = i == 0 ? kNoJoint : 0, .rest_translation_m = {0, 1, 0}};
  }
  MotionFile motion;
  motion.skeleton = std::make_shared<const Skeleton>(*Skeleton::create(std::move(joints)));
  GltfFolder folder;
  ASSERT_TRUE(write_gltf(folder.path() / "many.glb", motion));
  const auto back = read_gltf(folder.path() / "many.glb");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->skeleton->joint_count(), 65538);
  EXPECT_FALSE(test::NaiveGltf(folder.path() / "many.glb").json.contains("meshes"));
}

TEST(GltfWrite, EveryRealBvhComesBackWithinATenthOfAMillimetre) {
  for_every_real_bvh([](const std::filesystem::path&, const MotionFile& motion) {
    const MotionFile back = write_and_read(motion);
    ASSERT_EQ(back.clips.size(), 1u);
    EXPECT_EQ(back.clips[0].frame_count(), motion.clips[0].frame_count());
    EXPECT_EQ(back.clips[0].frame_time_s(), motion.clips[0].frame_time_s());
    EXPECT_LT(largest_distance(back.clips[0], motion.clips[0]), 1e-4);
  });
}

}  // namespace
}  // namespace shosa::io
