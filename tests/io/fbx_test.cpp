#include "io/fbx.h"

#include <gmock/gmock.h>

#include "shosa/core/forward_kinematics.h"
#include "support/gltf_files.h"
#include "support/real_data.h"

namespace shosa::io {
namespace {

using testing::Contains;

TEST(Fbx, AMissingFileIsAnError) {
  const auto motion = read_fbx("not_there.fbx");
  ASSERT_FALSE(motion);
  EXPECT_EQ(motion.error().code, has_fbx() ? ErrorCode::cannot_read : ErrorCode::not_possible);
}

#ifdef SHOSA_HAS_ASSIMP

TEST(Fbx, RealFilesHoldASkeletonOfHumanSizeAndNoMotion) {
  SHOSA_NEEDS_REAL_DATA();
  int files = 0;
  for (const auto& path : test::real_files("fbx", ".fbx")) {
    SCOPED_TRACE(path.filename());
    const auto motion = read_fbx(path);
    ASSERT_TRUE(motion) << motion.error().message;
    EXPECT_TRUE(motion->clips.empty());
    EXPECT_THAT(motion->warnings, Contains("holds a skeleton but no motion"));
    EXPECT_EQ(motion->body_map.kind, body::BodyKind::humanoid);
    EXPECT_EQ(motion->up, UpAxis::y);
    // Both were made by the same tool: hips 1 m above the ground, in files of different units.
    const JointIndex hips = motion->skeleton->find("Character1_Hips");
    ASSERT_NE(hips, kNoJoint);
    EXPECT_NEAR(motion->skeleton->rest_positions()[hips].y(), 1.0, 1e-4);
    const JointIndex foot = motion->skeleton->find("Character1_LeftFoot");
    EXPECT_NEAR(motion->skeleton->rest_positions()[foot].y(), 0.0815, 1e-3);
    ++files;
  }
  EXPECT_EQ(files, 2);
}

TEST(Fbx, WhatIsNoFbxIsAnError) {
  test::GltfFolder folder;
  std::ofstream(folder.path() / "a.fbx") << "HIERARCHY";
  const auto motion = read_fbx(folder.path() / "a.fbx");
  ASSERT_FALSE(motion);
  EXPECT_EQ(motion.error().code, ErrorCode::bad_file);
}

/// A text FBX of two limbs: the root moves 100 units along X and the child turns 90 degrees about Z, both in one
/// second.
std::string moving_limbs(double unit_cm, int up_axis) {
  const auto property = [](const std::string& name, const std::string& kind, const std::string& values) {
    return fmt::format("\t\tP: \"{}\", \"{}\", \"\", \"A\",{}\n", name, kind, values);
  };
  const auto limb = [&](int id, const std::string& name, const std::string& offset) {
    return fmt::format(
        "\tModel: {}, \"Model::{}\", \"LimbNode\" {{\n\tVersion: 232\n\tProperties70: {{\n{}\t}}\n\t}}\n", id, name,
        property("Lcl Translation", "Lcl Translation", offset));
  };
  const auto curve = [](int id, double from, double to) {
    return fmt::format(
        "\tAnimationCurve: {}, \"AnimCurve::\", \"\" {{\n\tDefault: 0\n\tKeyVer: 4008\n\tKeyTime: *2 {{\n\ta: "
        "0,46186158000\n\t}}\n\tKeyValueFloat: *2 {{\n\ta: {},{}\n\t}}\n\tKeyAttrFlags: *1 {{\n\ta: "
        "260\n\t}}\n\tKeyAttrDataFloat: *4 "
        "{{\n\ta: 0,0,0,0\n\t}}\n\tKeyAttrRefCount: *1 {{\n\ta: 2\n\t}}\n\t}}\n",
        id, from, to);
  };
  const auto curve_node = [&](int id, const std::string& name) {
    return fmt::format(
        "\tAnimationCurveNode: {}, \"AnimCurveNode::{}\", \"\" {{\n\tProperties70: {{\n{}{}{}\t}}\n\t}}\n", id, name,
        property("d|X", "Number", "0"), property("d|Y", "Number", "0"), property("d|Z", "Number", "0"));
  };
  std::string text =
      "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\n";
  text += "GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n" +
          property("UpAxis", "int", std::to_string(up_axis)) + property("UpAxisSign", "int", "1") +
          property("UnitScaleFactor", "double", fmt::format("{}", unit_cm)) + "\t}\n}\n";
  text += "Objects:  {\n" + limb(10, "root", "0,0,0") + limb(11, "child", "0,50,0") + limb(12, "tip", "0,30,0");
  text +=
      "\tAnimationStack: 20, \"AnimStack::wave\", \"\" {\n\t}\n\tAnimationLayer: 21, \"AnimLayer::base\", \"\" "
      "{\n\t}\n";
  text += curve_node(30, "T") + curve_node(31, "R") + curve(40, 0, 100) + curve(41, 0, 90) + "}\n";
  text += "Connections:  {\n";
  for (const auto& [from, to] : {std::pair{10, 0}, {11, 10}, {12, 11}, {21, 20}, {30, 21}, {31, 21}}) {
    text += fmt::format("\tC: \"OO\",{},{}\n", from, to);
  }
  text += "\tC: \"OP\",30,10, \"Lcl Translation\"\n\tC: \"OP\",31,11, \"Lcl Rotation\"\n";
  text += "\tC: \"OP\",40,30, \"d|X\"\n\tC: \"OP\",41,31, \"d|Z\"\n}\n";
  return text;
}

TEST(Fbx, MotionUnitAndUpAxisAreRead) {
  struct Case {
    double unit_cm;
    int up_axis;
  };
  for (const Case& test : {Case{1.0, 1}, Case{2.54, 2}}) {
    test::GltfFolder folder;
    std::ofstream(folder.path() / "a.fbx") << moving_limbs(test.unit_cm, test.up_axis);
    const auto motion = read_fbx(folder.path() / "a.fbx");
    ASSERT_TRUE(motion) << motion.error().message;
    EXPECT_NEAR(motion->unit_m, 0.01 * test.unit_cm, 1e-8);
    EXPECT_EQ(motion->up, test.up_axis == 2 ? UpAxis::z : UpAxis::y);
    ASSERT_EQ(motion->clips.size(), 1u);
    const Clip& clip = motion->clips[0];
    EXPECT_EQ(clip.frame_count(), 25);
    const WorldPose world = forward_kinematics(clip.skeleton(), clip.frame(24));
    // After the turn the tip lies to the left of the child: (100, 50, 0) + (-30, 0, 0).
    const Vec3d in_file(70, 50, 0);
    const Vec3d expected =
        motion->unit_m * (test.up_axis == 2 ? Vec3d(in_file.x(), in_file.z(), -in_file.y()) : in_file);
    EXPECT_LT((world.positions[clip.skeleton().find("tip")] - expected).norm(), 1e-5);
  }
}

TEST(Fbx, AFileThatBreaksAssimpIsAnErrorAndNotTheEnd) {
  // A limb that hangs on itself: Assimp follows the ring until the stack is full.
  std::string text = moving_limbs(1.0, 1);
  const std::string sound = "\"OO\",11,10", ring = "\"OO\",10,10";
  text.replace(text.find(sound), sound.size(), ring);
  test::GltfFolder folder;
  std::ofstream(folder.path() / "ring.fbx") << text;
  const auto motion = read_fbx(folder.path() / "ring.fbx");
  ASSERT_FALSE(motion);
  EXPECT_EQ(motion.error().code, ErrorCode::bad_file);
  EXPECT_THAT(motion.error().message, testing::HasSubstr("ring.fbx"));
}

#endif

}  // namespace
}  // namespace shosa::io
