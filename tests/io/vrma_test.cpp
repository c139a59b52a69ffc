#include <gmock/gmock.h>

#include "io/gltf.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "support/gltf_files.h"
#include "support/naive_gltf.h"
#include "support/real_data.h"

namespace shosa::io {
namespace {

using Json = nlohmann::json;
using test::GltfFolder;
using test::GltfMaker;

/// Three joints with names that say nothing.
GltfMaker plain_chain() {
  GltfMaker maker;
  const int a = maker.node("a", {{"translation", {0, 1, 0}}});
  const int b = maker.node("b", {{"translation", {0, 0.3, 0}}}, a);
  maker.node("c", {{"translation", {0, 0.3, 0}}}, b);
  maker.node("prop", {{"translation", {0, 0.1, 0}}}, b);
  return maker;
}

TEST(Vrma, RolesComeFromTheAnimationExtension) {
  GltfMaker maker = plain_chain();
  maker.json["extensions"]["VRMC_vrm_animation"] = {
      {"specVersion", "1.0"},
      {"humanoid",
       {{"humanBones", {{"hips", {{"node", 0}}}, {"upperChest", {{"node", 1}}}, {"head", {{"node", 2}}}}}}}};
  const auto motion = parse_gltf(maker.glb(), "a.vrma", {});
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_EQ(motion->format, "vrma");
  EXPECT_EQ(motion->body_map.kind, body::BodyKind::humanoid);
  EXPECT_EQ(motion->body_map.joint(body::Role::hips), 0);
  EXPECT_EQ(motion->body_map.joint(body::Role::upper_chest), 1);
  EXPECT_EQ(motion->body_map.joint(body::Role::head), 2);
  EXPECT_EQ(motion->skeleton->joint_count(), 3) << "the prop is no bone";
}

TEST(Vrma, RolesComeFromVrm1AndVrm0Models) {
  GltfMaker one = plain_chain();
  one.json["extensions"]["VRMC_vrm"] = {
      {"humanoid", {{"humanBones", {{"hips", {{"node", 0}}}, {"head", {{"node", 2}}}}}}}};
  GltfMaker zero = plain_chain();
  zero.json["extensions"]["VRM"] = {{"humanoid",
                                     {{"humanBones",
                                       {{{"bone", "hips"}, {"node", 0}},
                                        {{"bone", "leftThumbProximal"}, {"node", 1}},
                                        {{"bone", "head"}, {"node", 2}}}}}}};
  for (const GltfMaker& maker : {one, zero}) {
    const auto motion = parse_gltf(maker.glb(), "a.vrm", {});
    ASSERT_TRUE(motion) << motion.error().message;
    EXPECT_EQ(motion->body_map.joint(body::Role::hips), 0);
    EXPECT_EQ(motion->body_map.joint(body::Role::head), 2);
  }
  // VRM 0.x called the metacarpal "proximal".
  EXPECT_EQ(parse_gltf(zero.glb(), "a.vrm", {})->body_map.joint(body::Role::left_thumb_metacarpal), 1);
}

MotionFile humanoid_motion() {
  MotionFile motion;
  Clip clip = scenes::random_clip(scenes::humanoid(), 30, 5, 30.0);
  motion.skeleton = clip.skeleton_ptr();
  motion.body_map = body::guess_body_map(*motion.skeleton);
  motion.clips.push_back(std::move(clip));
  return motion;
}

TEST(Vrma, AWrittenAnimationHoldsHumanBonesAndMovesOnlyTheHips) {
  const MotionFile motion = humanoid_motion();
  GltfFolder folder;
  const auto path = folder.path() / "walk.vrma";
  const auto written = write_gltf(path, motion);
  ASSERT_TRUE(written) << written.error().message;
  const test::NaiveGltf naive(path);
  const Json& extension = naive.json["extensions"]["VRMC_vrm_animation"];
  EXPECT_EQ(extension["specVersion"], "1.0");
  EXPECT_EQ(extension["humanoid"]["humanBones"]["leftUpperLeg"]["node"], motion.skeleton->find("left_upper_leg"));
  EXPECT_FALSE(naive.json.contains("meshes"));
  for (const Json& channel : naive.json["animations"][0]["channels"]) {
    if (channel["target"]["path"] == "translation") {
      EXPECT_EQ(channel["target"]["node"], motion.body_map.joint(body::Role::hips));
    }
    EXPECT_NE(channel["target"]["path"], "scale");
  }
  const auto back = read_gltf(path);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->body_map.joint(body::Role::left_foot), motion.body_map.joint(body::Role::left_foot));
  const ClipPositions p = clip_positions(motion.clips[0]), q = clip_positions(back->clips[0]);
  ASSERT_EQ(p.frame_count(), q.frame_count());
  ASSERT_EQ(p.point_count(), q.point_count());
  for (int frame = 0; frame < p.frame_count(); ++frame) {
    for (int i = 0; i < p.point_count(); ++i) EXPECT_LT((p.point(frame, i) - q.point(frame, i)).norm(), 1e-5);
  }
}

TEST(Vrma, MotionAboveTheHipsIsCarriedByThem) {
  auto skeleton = Skeleton::create({{"world", kNoJoint, {0, 0, 0}, Quatf::Identity()},
                                    {"pelvis", 0, {0, 1, 0}, Quatf::Identity()},
                                    {"chest", 1, {0, 0.4f, 0}, Quatf::Identity()}});
  ASSERT_TRUE(skeleton);
  auto shared = std::make_shared<const Skeleton>(std::move(*skeleton));
  Clip clip(shared, 4, 0.1);
  for (int frame = 0; frame < 4; ++frame) {
    clip.set_translation(frame, 0, Vec3f(static_cast<float>(frame), 0, 0));
    clip.set_rotation(frame, 0, Quatf(Eigen::AngleAxisf(0.2f * static_cast<float>(frame), Vec3f::UnitZ())));
  }
  MotionFile motion;
  motion.skeleton = shared;
  motion.body_map.set(body::Role::hips, 1);
  motion.clips.push_back(clip);
  GltfFolder folder;
  ASSERT_TRUE(write_gltf(folder.path() / "a.vrma", motion));
  const test::NaiveGltf naive(folder.path() / "a.vrma");
  for (int frame = 0; frame < 4; ++frame) {
    const WorldPose world = forward_kinematics(*shared, clip.frame(frame));
    for (int joint : {1, 2}) {
      EXPECT_LT((naive.world_from_node(joint, 0, frame * 0.1).translation() - world.positions[joint]).norm(), 1e-5);
    }
    EXPECT_LT(naive.world_from_node(0, 0, frame * 0.1).translation().norm(), 1e-9);
  }
}

TEST(Vrma, NeedsHips) {
  MotionFile motion = humanoid_motion();
  motion.body_map = body::BodyMap();
  const auto written = write_gltf("never_written.vrma", motion);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, testing::HasSubstr("no hips"));
  EXPECT_FALSE(std::filesystem::exists("never_written.vrma"));
}

TEST(Vrma, TheRealFileKnowsItsBody) {
  SHOSA_NEEDS_REAL_DATA();
  const auto motion = read_gltf(test::real_data_dir() / "gltf" / "test.vrma");
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_EQ(motion->skeleton->joint_count(), 51);
  EXPECT_EQ(motion->skeleton->name(motion->body_map.joint(body::Role::left_lower_arm)), "leftLowerArm");
  EXPECT_THAT(motion->warnings, testing::ElementsAre(testing::HasSubstr("expressions or the gaze")));
}

}  // namespace
}  // namespace shosa::io
