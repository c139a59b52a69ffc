#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "body/body_map_support.h"
#include "support/real_data.h"

namespace shosa {
namespace {

using test::PlainBvh;
using test::read_plain_bvh;
using test::real_files;

/// Joints written by hand from the files: hips spine head | upper leg, lower leg, foot, toes | shoulder, upper arm,
/// lower arm, hand; `{}` stands for the side as the family writes it, an empty string for none.
struct Family {
  std::string left, right;
  std::array<std::string, 3> middle;
  std::array<std::string, 4> leg;
  std::array<std::string, 4> arm;
  body::BodyKind kind = body::BodyKind::humanoid;
};

const Family kMixamoLike = {"Left",
                            "Right",
                            {"Hips", "Spine", "Head"},
                            {"{}UpLeg", "{}Leg", "{}Foot", "{}ToeBase"},
                            {"{}Shoulder", "{}Arm", "{}ForeArm", "{}Hand"}};

Family with(Family family, std::array<std::string, 3> middle, std::string toes,
            body::BodyKind kind = body::BodyKind::humanoid) {
  family.middle = std::move(middle);
  family.leg[3] = std::move(toes);
  family.kind = kind;
  return family;
}

const Family kCmu = with(kMixamoLike, {"Hips", "LowerBack", "Head"}, "{}ToeBase");
const Family kDogMann = with(kMixamoLike, {"Hips", "Spine", "Head"}, "", body::BodyKind::quadruped);
const Family kLabrador = {"Left",
                          "Right",
                          {"b_Hips", "b_Spine", "b_Head"},
                          {"b_{}LegUpper", "b_{}Leg", "b_{}Ankle", "b_{}Toe"},
                          {"b_{}Clav", "b_{}Arm", "b_{}ForeArm", "b_{}Hand"},
                          body::BodyKind::quadruped};
const Family kBandai = {"L",
                        "R",
                        {"Hips", "Spine", "Head"},
                        {"UpperLeg_{}", "LowerLeg_{}", "Foot_{}", "Toes_{}"},
                        {"Shoulder_{}", "UpperArm_{}", "LowerArm_{}", "Hand_{}"}};
const Family kMakeHuman = {"L",
                           "R",
                           {"root", "spine05", "head"},
                           {"upperleg01.{}", "lowerleg01.{}", "foot.{}", "toe1-1.{}"},
                           {"clavicle.{}", "upperarm01.{}", "lowerarm01.{}", "wrist.{}"}};
const Family kMakeHumanWalk = {"L",
                               "R",
                               {"Root", "Spine1", "Head"},
                               {"UpLeg_{}", "LoLeg_{}", "Foot_{}", "Toe_{}"},
                               {"Clavicle_{}", "UpArm_{}", "LoArm_{}", "Hand_{}"}};
const Family kPoser = {"l",
                       "r",
                       {"hip", "abdomen", "head"},
                       {"{}Thigh", "{}Shin", "{}Foot", ""},
                       {"{}Collar", "{}Shldr", "{}ForeArm", "{}Hand"}};
const Family kBiovision = {"Left",
                           "Right",
                           {"Hips", "Ab", "Head"},
                           {"{}Hip", "{}Knee", "{}Ankle", "{}Toes"},
                           {"{}Collar", "{}Shoulder", "{}Elbow", "{}Wrist"}};
const Family kJumpingJacks = with(kBiovision, {"Hips", "lowerback", "Head"}, "{}Toe");
const Family kClassic = {"Left",
                         "Right",
                         {"Hips", "Chest", "Head"},
                         {"{}UpLeg", "{}LowLeg", "{}Foot", ""},
                         {"{}Collar", "{}UpArm", "{}LowArm", "{}Hand"}};

const std::map<std::string, Family> kOthers = {
    {"Boxing_Toes.bvh", kBiovision},
    {"animdraw_cmu1_jumping_jacks.bvh", kJumpingJacks},
    {"animdraw_fair1_dab.bvh", kMixamoLike},
    {"bvhio_example.bvh", kClassic},
    {"bvhtoolbox_walk01.bvh", with(kMixamoLike, {"Hips", "Spine", "Head"}, "")},
    {"makehuman_face-poseunits.bvh", kMakeHuman},
    {"makehuman_tpose.bvh", kMakeHuman},
    {"makehuman_walk1.bvh", kMakeHumanWalk},
    {"pfnn_hierarchy.bvh", kCmu},
    {"pirouette.bvh", kPoser}};

const Family* family_of(const std::filesystem::path& file) {
  const std::string folder = file.parent_path().filename().string();
  if (folder == "cmu-bvh") return &kCmu;
  if (folder == "dog-labrador") return &kLabrador;
  if (folder == "dog-mann-NC") return &kDogMann;
  if (folder == "bandai-NC") return &kBandai;
  const auto found = kOthers.find(file.filename().string());
  return found == kOthers.end() ? nullptr : &found->second;
}

std::map<body::Role, std::string> expected_roles(const Family& family) {
  using enum body::Role;
  std::map<body::Role, std::string> roles = {
      {hips, family.middle[0]}, {spine, family.middle[1]}, {head, family.middle[2]}};
  const std::array kLeg = {left_upper_leg, left_lower_leg, left_foot, left_toes};
  const std::array kArm = {left_shoulder, left_upper_arm, left_lower_arm, left_hand};
  const auto add = [&](body::Role left_role, const std::string& pattern) {
    for (const bool left : {true, false}) {
      std::string name = pattern;
      if (const auto at = name.find("{}"); at != std::string::npos)
        name.replace(at, 2, left ? family.left : family.right);
      roles[left ? left_role : mirrored(left_role)] = name;
    }
  };
  for (std::size_t i = 0; i < 4; ++i) {
    add(kLeg[i], family.leg[i]);
    add(kArm[i], family.arm[i]);
  }
  return roles;
}

std::string name_of(const Skeleton& skeleton, JointIndex joint) {
  return joint == kNoJoint ? "" : skeleton.name(joint);
}

TEST(RealBodyMap, EveryBvhFamilyGetsTheRolesReadFromItsNames) {
  SHOSA_NEEDS_REAL_DATA();
  int files = 0;
  for (const auto& file : real_files("", ".bvh")) {
    const Family* family = family_of(file);
    if (family == nullptr) continue;
    SCOPED_TRACE(file.string());
    const PlainBvh bvh = read_plain_bvh(file);
    for (const bool with_posture : {true, false}) {
      const body::BodyMap map = body::guess_body_map(bvh.skeleton, with_posture ? &bvh.posed : nullptr);
      for (const auto& [role, name] : expected_roles(*family)) {
        EXPECT_EQ(name_of(bvh.skeleton, map.joint(role)), name) << role_name(role);
      }
      EXPECT_EQ(map.kind, family->kind);
    }
    ++files;
  }
  EXPECT_GE(files, 100);
}

TEST(RealBodyMap, ShapeAndPostureAloneFindLimbsAndHeadOfEveryBvh) {
  SHOSA_NEEDS_REAL_DATA();
  using enum body::Role;
  const std::set<body::Role> kHumanoid = {
      hips,       head,           left_upper_leg,  right_upper_leg, left_lower_leg,  right_lower_leg, left_foot,
      right_foot, left_upper_arm, right_upper_arm, left_lower_arm,  right_lower_arm, left_hand,       right_hand};
  int same = 0;
  int named = 0;
  for (const auto& file : real_files("", ".bvh")) {
    const Family* family = family_of(file);
    if (family == nullptr) continue;
    SCOPED_TRACE(file.string());
    const PlainBvh bvh = read_plain_bvh(file);
    const body::BodyMap map = body::guess_body_map(test::nameless(bvh.skeleton), &bvh.posed);
    EXPECT_EQ(map.kind, family->kind);
    for (const auto& [role, name] : expected_roles(*family)) {
      if (name.empty()) continue;
      const std::string found = name_of(bvh.skeleton, map.joint(role));
      ++named;
      same += found == name ? 1 : 0;
      // Which of a dog's links is the ankle is a matter of naming.
      const bool hind_foot = family->kind == body::BodyKind::quadruped && (role == left_foot || role == right_foot);
      if (kHumanoid.contains(role) && !hind_foot) {
        EXPECT_EQ(found, name) << role_name(role);
      }
    }
  }
  RecordProperty("roles_named", named);
  RecordProperty("roles_same_without_names", same);
  EXPECT_GE(same, named * 98 / 100);
}

TEST(RealBodyMap, RestPoseAloneIsEnoughForBodiesThatStandInIt) {
  SHOSA_NEEDS_REAL_DATA();
  for (const auto& file : real_files("", ".bvh")) {
    const Family* family = family_of(file);
    // Dogs and the Bandai skeleton lay their bones along one axis at rest.
    if (family == nullptr || family->kind == body::BodyKind::quadruped || family == &kBandai) continue;
    SCOPED_TRACE(file.string());
    const PlainBvh bvh = read_plain_bvh(file);
    const body::BodyMap map = body::guess_body_map(test::nameless(bvh.skeleton));
    const auto expected = expected_roles(*family);
    for (const body::Role role : {body::Role::hips, body::Role::head, body::Role::left_foot, body::Role::right_foot,
                                  body::Role::left_hand, body::Role::right_hand}) {
      EXPECT_EQ(name_of(bvh.skeleton, map.joint(role)), expected.at(role)) << role_name(role);
    }
  }
}

TEST(RealBodyMap, MirrorPartnersOfCapturedSkeletonsPairTheirSides) {
  SHOSA_NEEDS_REAL_DATA();
  for (const auto& file : real_files("", ".bvh")) {
    if (family_of(file) == nullptr) continue;
    SCOPED_TRACE(file.string());
    const PlainBvh bvh = read_plain_bvh(file);
    const auto partner = mirror_partners(bvh.skeleton, body::guess_body_map(bvh.skeleton, &bvh.posed));
    for (JointIndex j = 0; j < bvh.skeleton.joint_count(); ++j) {
      EXPECT_EQ(partner[partner[static_cast<std::size_t>(j)]], j);
      const std::string& name = bvh.skeleton.name(j);
      // The labrador has a tail of its own on the left that has no twin.
      if (name.find("Left") == std::string::npos || name.starts_with("Dog_LeftTail")) continue;
      std::string twin = name;
      twin.replace(twin.find("Left"), 4, "Right");
      if (twin == "b__RightFinger") twin = "b_RightFinger";
      EXPECT_EQ(bvh.skeleton.name(partner[j]), twin);
    }
  }
}

}  // namespace
}  // namespace shosa
