#include "shosa/core/skeleton.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "shosa/core/tree_paths.h"

namespace shosa {
namespace {

using testing::HasSubstr;

std::vector<Joint> three_joints() {
  return {{"hips", kNoJoint, {0, 1, 0}, Quatf::Identity()},
          {"chest", 0, {0, 0.5f, 0}, Quatf(Eigen::AngleAxisf(float(M_PI / 2), Vec3f::UnitZ()))},
          {"head", 1, {0, 0.25f, 0}, Quatf::Identity()}};
}

std::string error_of(std::vector<Joint> joints, std::vector<EndSite> sites = {}) {
  const auto result = Skeleton::create(std::move(joints), std::move(sites));
  return result ? "no error" : result.error().message;
}

TEST(Skeleton, RestPositionsFollowRestRotations) {
  const auto skeleton = Skeleton::create(three_joints());
  ASSERT_TRUE(skeleton.has_value());
  EXPECT_LT((skeleton->rest_positions()[1] - Vec3d(0, 1.5, 0)).norm(), 1e-7);
  // The chest's rest turns +Y into -X.
  EXPECT_LT((skeleton->rest_positions()[2] - Vec3d(-0.25, 1.5, 0)).norm(), 1e-7);
}

TEST(Skeleton, FindsByExactNameOnly) {
  const auto skeleton = Skeleton::create(three_joints(), {{"head_end", 2, {0, 0.1f, 0}}});
  ASSERT_TRUE(skeleton.has_value());
  EXPECT_EQ(skeleton->find("chest"), 1);
  EXPECT_EQ(skeleton->find("Chest"), kNoJoint);
  EXPECT_EQ(skeleton->find("head_end"), kNoJoint);
}

TEST(Skeleton, ListsChildren) {
  const auto skeleton = Skeleton::create(three_joints());
  EXPECT_THAT(skeleton->children(0), testing::ElementsAre(1));
  EXPECT_THAT(skeleton->children(2), testing::IsEmpty());
}

TEST(Skeleton, RefusesNoJoints) {
  EXPECT_THAT(error_of({}), HasSubstr("at least one"));
}

TEST(Skeleton, RefusesSecondRoot) {
  auto joints = three_joints();
  joints[2].parent = kNoJoint;
  EXPECT_THAT(error_of(joints), HasSubstr("'head' has parent -1"));
}

TEST(Skeleton, RefusesParentAfterChild) {
  auto joints = three_joints();
  joints[1].parent = 2;
  EXPECT_THAT(error_of(joints), HasSubstr("'chest' has parent 2, expected 0 to 0"));
}

TEST(Skeleton, RefusesRootWithParent) {
  auto joints = three_joints();
  joints[0].parent = 0;
  EXPECT_THAT(error_of(joints), HasSubstr("expected the root"));
}

TEST(Skeleton, RefusesSharedAndEmptyNames) {
  auto joints = three_joints();
  joints[2].name = "hips";
  EXPECT_THAT(error_of(joints), HasSubstr("'hips'"));
  joints[2].name = "";
  EXPECT_THAT(error_of(joints), HasSubstr("non-empty"));
  EXPECT_THAT(error_of(three_joints(), {{"chest", 2, Vec3f::Zero()}}), HasSubstr("taken"));
}

TEST(Skeleton, RefusesWhatIsNotFinite) {
  auto joints = three_joints();
  joints[1].rest_translation_m.x() = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(error_of(joints), HasSubstr("'chest'"));
  joints = three_joints();
  joints[1].rest_rotation.coeffs().setZero();
  EXPECT_THAT(error_of(joints), HasSubstr("not finite"));
  EXPECT_THAT(error_of(three_joints(), {{"tip", 7, Vec3f::Zero()}}), HasSubstr("parent 7"));
}

TEST(Skeleton, NormalisesRestRotations) {
  auto joints = three_joints();
  joints[1].rest_rotation.coeffs() *= 3.0f;
  const auto skeleton = Skeleton::create(joints);
  ASSERT_TRUE(skeleton.has_value());
  EXPECT_NEAR(skeleton->joint(1).rest_rotation.norm(), 1.0f, 1e-6f);
}

TEST(Skeleton, SameSkeletonSeesNamesParentsAndRest) {
  const auto a = Skeleton::create(three_joints());
  auto joints = three_joints();
  EXPECT_TRUE(same_skeleton(*a, *Skeleton::create(joints)));
  joints[2].rest_translation_m.x() += 0.001f;
  EXPECT_FALSE(same_skeleton(*a, *Skeleton::create(joints)));
  joints = three_joints();
  joints[2].name = "skull";
  EXPECT_FALSE(same_skeleton(*a, *Skeleton::create(joints)));
}

TEST(Skeleton, SameSkeletonSeesEndSites) {
  const EndSite tip{"tip", 2, Vec3f(0.0f, 0.1f, 0.0f)};
  const auto a = Skeleton::create(three_joints(), {tip});
  EXPECT_TRUE(same_skeleton(*a, *Skeleton::create(three_joints(), {tip})));
  EXPECT_FALSE(same_skeleton(*a, *Skeleton::create(three_joints())));
  for (const EndSite& other : {EndSite{"top", 2, tip.offset_m}, EndSite{"tip", 1, tip.offset_m},
                               EndSite{"tip", 2, Vec3f(0.0f, 0.101f, 0.0f)}}) {
    EXPECT_FALSE(same_skeleton(*a, *Skeleton::create(three_joints(), {other}))) << other.name << other.parent;
  }
}

TEST(TreePaths, ChainsRunFromTheAncestorDownAndHaveTheLengthOfTheirBones) {
  const auto tree = Skeleton::create({{"hips", kNoJoint, Vec3f(5.0f, 5.0f, 5.0f)},
                                      {"spine", 0, Vec3f(0.0f, 0.5f, 0.0f)},
                                      {"leg", 0, Vec3f(0.3f, 0.0f, 0.4f)},
                                      {"head", 1, Vec3f(0.0f, 0.0f, 0.25f)}});
  ASSERT_TRUE(tree.has_value());
  const auto& rest = tree->rest_positions();
  EXPECT_EQ(joint_chain(*tree, 0, 3), (std::vector<JointIndex>{0, 1, 3}));
  EXPECT_EQ(joint_chain(*tree, 3, 3), std::vector<JointIndex>{3});
  EXPECT_TRUE(joint_chain(*tree, 2, 3).empty());
  EXPECT_TRUE(joint_chain(*tree, 3, 0).empty());
  EXPECT_NEAR(chain_length_m(*tree, rest, 0, 3), 0.75, 1e-6);
  EXPECT_NEAR(chain_length_m(*tree, rest, 0, 2), 0.5, 1e-6);
  EXPECT_EQ(chain_length_m(*tree, rest, 2, 3), 0.0);
}

}  // namespace
}  // namespace shosa
