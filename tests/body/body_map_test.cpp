#include "shosa/body/body_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "body/body_map_support.h"
#include "body/body_map_vocabularies.h"

namespace shosa {
namespace {

using test::all_vocabularies;
using test::build;
using test::describe;

constexpr std::array kCore = {body::Role::hips,
                              body::Role::head,
                              body::Role::left_upper_leg,
                              body::Role::left_lower_leg,
                              body::Role::left_foot,
                              body::Role::right_upper_leg,
                              body::Role::right_lower_leg,
                              body::Role::right_foot,
                              body::Role::left_upper_arm,
                              body::Role::left_lower_arm,
                              body::Role::left_hand,
                              body::Role::right_upper_arm,
                              body::Role::right_lower_arm,
                              body::Role::right_hand};

class BodyMapVocabulary : public testing::TestWithParam<test::Vocabulary> {};
INSTANTIATE_TEST_SUITE_P(Vocabularies, BodyMapVocabulary, testing::ValuesIn(all_vocabularies()),
                         [](const auto& each) { return each.param.name; });

TEST_P(BodyMapVocabulary, NamesGiveExactlyTheExpectedRoles) {
  const auto body = build(GetParam());
  const body::BodyMap map = body::guess_body_map(body.skeleton);
  EXPECT_EQ(describe(body.skeleton, map), describe(body.skeleton, body.expected));
  EXPECT_EQ(map.kind, GetParam().kind);
}

TEST_P(BodyMapVocabulary, ShapeAloneGivesTheLimbsAndHead) {
  const auto body = build(GetParam());
  const body::BodyMap map = body::guess_body_map(test::nameless(body.skeleton));
  EXPECT_EQ(map.kind, GetParam().kind);
  for (const body::Role role : kCore) {
    ASSERT_TRUE(map.has(role)) << role_name(role);
    EXPECT_EQ(body.skeleton.name(map.joint(role)), body.skeleton.name(body.expected.joint(role))) << role_name(role);
  }
}

TEST_P(BodyMapVocabulary, OrderOfJointsAndPrefixesDoNotMatter) {
  const auto body = build(GetParam());
  const std::array<std::string, 4> kPrefixes = {"", "alice:", "group|rig:", "Alice_"};
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const auto other = test::shuffled(body.skeleton, seed);
    std::vector<std::string> names;
    for (const Joint& joint : other.skeleton.joints()) {
      // Blender's helper joints are known by how their names begin.
      names.push_back((joint.name.starts_with("__") ? "" : kPrefixes[seed % 4]) + joint.name);
    }
    for (const bool named : {true, false}) {
      const body::BodyMap map =
          body::guess_body_map(named ? test::renamed(other.skeleton, names) : test::nameless(other.skeleton));
      const body::BodyMap reference = body::guess_body_map(named ? body.skeleton : test::nameless(body.skeleton));
      for (int i = 0; i < body::kRoleCount; ++i) {
        const auto role = static_cast<body::Role>(i);
        const JointIndex at = reference.joint(role);
        EXPECT_EQ(map.joint(role), at == kNoJoint ? at : other.new_from_old[at]) << role_name(role);
      }
    }
  }
}

TEST_P(BodyMapVocabulary, MirrorPartnersExchangeEverySide) {
  const auto body = build(GetParam());
  EXPECT_EQ(mirror_partners(body.skeleton, body::guess_body_map(body.skeleton)), body.twins);
}

TEST(MirrorPartners, FollowTheShapeWhereNamesSayNothing) {
  const auto body = build(all_vocabularies().front());
  const Skeleton skeleton = test::nameless(body.skeleton);
  const auto partner = mirror_partners(skeleton, body::guess_body_map(skeleton));
  for (const char* name : {"LeftUpLeg", "RightLeg", "LeftToeBase", "LeftShoulder", "RightHand", "LeftFingerBase",
                           "LeftHandIndex1", "Spine", "Head"}) {
    const JointIndex joint = body.skeleton.find(name);
    EXPECT_EQ(partner[joint], body.twins[joint]) << name;
  }
}

TEST(Roles, NamesGoBothWays) {
  for (int i = 0; i < body::kRoleCount; ++i) {
    const auto role = static_cast<body::Role>(i);
    EXPECT_EQ(body::find_role(role_name(role)), role);
    EXPECT_EQ(mirrored(mirrored(role)), role);
    EXPECT_EQ(mirrored(role) == role, !role_name(role).starts_with("left_") && !role_name(role).starts_with("right_"));
  }
  EXPECT_EQ(body::find_role("leftThumbMetacarpal"), body::Role::left_thumb_metacarpal);
  EXPECT_EQ(body::find_role("upperChest"), body::Role::upper_chest);
  EXPECT_EQ(body::find_role("left_front_foot"), body::Role::left_hand);
  EXPECT_EQ(body::find_role("rightHindFoot"), body::Role::right_foot);
  EXPECT_EQ(body::find_role("left_wing"), std::nullopt);
  EXPECT_EQ(mirrored(body::Role::left_ring_distal), body::Role::right_ring_distal);
}

test::NamedSkeleton body_named(std::string_view name) {
  for (const auto& vocabulary : all_vocabularies()) {
    if (vocabulary.name == name) return build(vocabulary);
  }
  throw std::runtime_error("no such vocabulary");
}

TEST(ResolveJoint, TakesTheFilesNameThenTheRoleThenAnyCase) {
  const auto body = body_named("lafan1");
  const body::BodyMap map = body::guess_body_map(body.skeleton);
  EXPECT_EQ(resolve_joint(body.skeleton, map, "LeftLeg"), body.skeleton.find("LeftLeg"));
  EXPECT_EQ(resolve_joint(body.skeleton, map, "left_lower_leg"), body.skeleton.find("LeftLeg"));
  EXPECT_EQ(resolve_joint(body.skeleton, map, "leftLowerLeg"), body.skeleton.find("LeftLeg"));
  EXPECT_EQ(resolve_joint(body.skeleton, map, "LEFTLEG"), body.skeleton.find("LeftLeg"));
  EXPECT_EQ(resolve_joint(body.skeleton, map, "upper_chest"), body.skeleton.find("Spine2"));
}

TEST(ResolveJoint, NamesWhatIsNearWhenNothingFits) {
  const auto body = body_named("lafan1");
  const auto result = resolve_joint(body.skeleton, body::guess_body_map(body.skeleton), "LeftFeet");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::not_possible);
  EXPECT_THAT(result.error().message, testing::HasSubstr("'LeftFoot'"));
  EXPECT_THAT(result.error().message, testing::HasSubstr("'LeftFeet'"));
}

TEST(ResolveJoint, SaysThatARoleIsNotPlayed) {
  const auto body = body_named("biovision_arms");
  const auto result = resolve_joint(body.skeleton, body::guess_body_map(body.skeleton), "left_toes");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, testing::HasSubstr("left_toes"));
}

TEST(ResolveJoint, RefusesTwoNamesThatDifferInCaseOnly) {
  const auto skeleton = Skeleton::create({{"a", kNoJoint}, {"Tip", 0}, {"tIP", 0}}).value();
  const auto result = resolve_joint(skeleton, body::BodyMap(), "TIP");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, testing::HasSubstr("'Tip' or 'tIP'"));
}

TEST(LowerBody, HoldsHipsTheirCarriersAndTheLegs) {
  const auto body = body_named("unreal");
  const auto lower = lower_body(body.skeleton, body::guess_body_map(body.skeleton));
  std::vector<std::string> names;
  for (JointIndex j = 0; j < body.skeleton.joint_count(); ++j) {
    if (lower[j]) names.push_back(body.skeleton.name(j));
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre("root", "pelvis", "thigh_l", "thigh_r", "thigh_twist_01_l",
                                                   "thigh_twist_01_r", "calf_l", "calf_r", "foot_l", "foot_r", "ball_l",
                                                   "ball_r"));
}

TEST(LowerBody, IsEmptyWithoutHips) {
  const auto body = body_named("lafan1");
  EXPECT_THAT(lower_body(body.skeleton, body::BodyMap()), testing::Each(false));
}

TEST(GuessBodyMap, ChainsAndSingleJointsAreNoBodies) {
  std::vector<Joint> joints = {{"a", kNoJoint}};
  EXPECT_EQ(body::guess_body_map(Skeleton::create(joints).value()).kind, body::BodyKind::unknown);
  for (int i = 0; i < 30; ++i) joints.push_back({"link" + std::to_string(i), i, Vec3f(0, 0.1f, 0)});
  const body::BodyMap map = body::guess_body_map(Skeleton::create(joints).value());
  EXPECT_EQ(map.kind, body::BodyKind::unknown);
  EXPECT_EQ(describe(Skeleton::create(joints).value(), map), "");
  EXPECT_THAT(map.warnings, testing::ElementsAre(testing::HasSubstr("tell a body")));
}

TEST(GuessBodyMap, RandomTreesDoNotBreakIt) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> offset(-1.0f, 1.0f);
    std::vector<Joint> joints = {{"j", kNoJoint}};
    const int count = 1 + static_cast<int>(random() % 40);
    for (int i = 1; i < count; ++i) {
      const bool zero = random() % 4 == 0;
      joints.push_back({"x" + std::to_string(i), static_cast<JointIndex>(random() % static_cast<unsigned>(i)),
                        zero ? Vec3f::Zero() : Vec3f(offset(random), offset(random), offset(random))});
    }
    const Skeleton skeleton = Skeleton::create(joints).value();
    const body::BodyMap map = body::guess_body_map(skeleton, &skeleton.rest_positions());
    for (int i = 0; i < body::kRoleCount; ++i) EXPECT_LT(map.joint(static_cast<body::Role>(i)), skeleton.joint_count());
  }
}

TEST(GuessBodyMap, HugeTreesAreReadByNameOnly) {
  std::vector<Joint> combs = {{"root", kNoJoint}};
  for (int i = 0; i < 3000; ++i) {
    // Two endless equal limbs and a fan of branches.
    combs.push_back({"LeftLeg" + std::to_string(i), i < 2 ? 0 : 3 * i - 5, Vec3f(0, 1, 0)});
    combs.push_back({"RightLeg" + std::to_string(i), i < 2 ? 0 : 3 * i - 4, Vec3f(0, 1, 0)});
    combs.push_back({"x" + std::to_string(i), 0, Vec3f(1, 0, 0)});
  }
  const Skeleton skeleton = Skeleton::create(combs).value();
  EXPECT_EQ(skeleton.name(body::guess_body_map(skeleton).joint(body::Role::left_upper_leg)), "LeftLeg0");
  EXPECT_EQ(body::guess_body_map(test::nameless(skeleton)).kind, body::BodyKind::unknown);
  EXPECT_EQ(mirror_partners(skeleton, body::BodyMap()).size(), combs.size());
}

TEST(GuessBodyMap, NamesOfManyWordsAreReadFromTheirEnd) {
  // So many words that looking at all their tails would not end within the test's time limit.
  std::string before;
  for (int i = 0; i < 100'000; ++i) before += "Zq";
  const Skeleton skeleton = Skeleton::create({{before + "Hips", kNoJoint},
                                              {before + "LeftUpLeg", 0, Vec3f(0.1f, 0, 0)},
                                              {before + "LeftLeg", 1, Vec3f(0, -0.4f, 0)},
                                              {before + "LeftFoot", 2, Vec3f(0, -0.4f, 0)},
                                              {before + "RightUpLeg", 0, Vec3f(-0.1f, 0, 0)},
                                              {before + "RightLeg", 4, Vec3f(0, -0.4f, 0)},
                                              {before + "RightFoot", 5, Vec3f(0, -0.4f, 0)}})
                                .value();
  const body::BodyMap map = body::guess_body_map(skeleton);
  EXPECT_EQ(map.joint(body::Role::hips), 0);
  EXPECT_EQ(map.joint(body::Role::left_foot), 3);
  EXPECT_EQ(map.joint(body::Role::right_upper_leg), 4);
}

TEST(GuessBodyMap, APostureOfAnotherSizeIsIgnored) {
  const auto body = body_named("lafan1");
  const std::vector<Vec3d> posed(3, Vec3d::Zero());
  EXPECT_EQ(describe(body.skeleton, body::guess_body_map(body.skeleton, &posed)),
            describe(body.skeleton, body.expected));
}

TEST(GuessBodyMap, FillsAnArmWithoutNamesFromTheShape) {
  const auto body = body_named("lafan1");
  std::vector<std::string> names;
  for (const Joint& joint : body.skeleton.joints()) {
    const bool arm = joint.name.ends_with("Arm") || joint.name.ends_with("Hand") || joint.name.ends_with("Shoulder");
    names.push_back(arm ? "x" + std::to_string(names.size()) : joint.name);
  }
  const body::BodyMap map = body::guess_body_map(test::renamed(body.skeleton, names));
  for (const body::Role role : kCore) EXPECT_EQ(map.joint(role), body.expected.joint(role)) << role_name(role);
}

TEST(GuessBodyMap, NamesTheMissingRoles) {
  const auto body = body_named("lafan1");
  std::vector<Joint> joints;
  for (const Joint& joint : body.skeleton.joints()) {
    if (joint.name == "Neck") break;
    joints.push_back(joint);
  }
  const body::BodyMap map = body::guess_body_map(Skeleton::create(joints).value());
  EXPECT_EQ(map.kind, body::BodyKind::humanoid);
  EXPECT_THAT(map.warnings, testing::Contains(testing::HasSubstr("head, left_upper_arm")));
}

TEST(GuessBodyMap, AFootThatDoesNotHangOnItsLegIsNotTakenForTheFoot) {
  auto body = body_named("lafan1");
  std::vector<Joint> joints(body.skeleton.joints().begin(), body.skeleton.joints().end());
  for (const std::string side : {"Left", "Right"}) {
    for (Joint& joint : joints) {
      if (joint.name == side + "Foot") joint.name = side + "Leg_end";
      if (joint.name == side + "Toe") joint.name = side + "Tip";
    }
    joints.push_back({side + "Foot", 0, Vec3f(0, -0.9f, 0)});
  }
  const Skeleton skeleton = Skeleton::create(joints).value();
  const body::BodyMap map = body::guess_body_map(skeleton);
  EXPECT_EQ(skeleton.name(map.joint(body::Role::left_foot)), "LeftLeg_end");
  EXPECT_THAT(map.warnings, testing::Contains(testing::HasSubstr("'LeftFoot' is named a foot")));
}

TEST(GuessBodyMap, ALooseFootIsGivenWithAWarningWhereTheLegEndsAtTheKnee) {
  const auto body = body_named("lafan1");
  std::vector<Joint> joints;
  std::map<JointIndex, JointIndex> new_from_old = {{kNoJoint, kNoJoint}};
  for (JointIndex j = 0; j < body.skeleton.joint_count(); ++j) {
    Joint joint = body.skeleton.joint(j);
    if (joint.name.ends_with("Toe")) continue;
    if (joint.name.ends_with("Foot")) joint.parent = 0;
    joint.parent = new_from_old.at(joint.parent);
    new_from_old[j] = static_cast<JointIndex>(joints.size());
    joints.push_back(joint);
  }
  const Skeleton skeleton = Skeleton::create(joints).value();
  const body::BodyMap map = body::guess_body_map(skeleton);
  EXPECT_EQ(skeleton.name(map.joint(body::Role::right_foot)), "RightFoot");
  EXPECT_THAT(map.warnings, testing::Contains("'RightFoot' is named a foot but does not hang on the leg 'RightLeg'"));
}

}  // namespace
}  // namespace shosa
