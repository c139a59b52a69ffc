// What the target touches: feet on the floor, loose feet of rigs, hands.

#include <gmock/gmock.h>

#include "retarget/onto.h"
#include "scenes/scenes.h"
#include "shosa/analysis/foot_contacts.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/retarget/retarget.h"

namespace shosa::retarget {
namespace {

/// A person with other proportions: long arms and shanks, short thighs, wide hips.
std::shared_ptr<const Skeleton> stranger() {
  const auto human = scenes::humanoid();
  std::vector<Joint> joints(human->joints().begin(), human->joints().end());
  std::vector<EndSite> sites(human->end_sites().begin(), human->end_sites().end());
  for (Joint& joint : joints) {
    if (joint.name.ends_with("lower_leg")) joint.rest_translation_m *= 0.85f;
    if (joint.name.ends_with("foot")) joint.rest_translation_m *= 1.2f;
    if (joint.name.ends_with("upper_leg")) joint.rest_translation_m.x() *= 1.5f;
    if (joint.name.ends_with("lower_arm") || joint.name.ends_with("hand")) joint.rest_translation_m *= 1.25f;
  }
  return std::make_shared<const Skeleton>(*Skeleton::create(joints, sites));
}

TEST(RetargetContacts, FeetOfAnotherBodyNeitherSlideNorSink) {
  for (const auto& [name, scene] :
       {std::pair{"walk", scenes::walk()}, std::pair{"run", scenes::run()}, std::pair{"jump", scenes::jump()},
        std::pair{"turn", scenes::walk({.turn_rad_per_m = 0.7})},
        std::pair{"stairs", scenes::walk({.rise_per_step_m = 0.15})}}) {
    SCOPED_TRACE(name);
    const RetargetResult kept = onto(scene.clip, stranger());
    EXPECT_GT(kept.held_stances, 1);
    EXPECT_LT(kept.quality.foot_skate_mps, 0.01);
    EXPECT_LT(kept.quality.penetration_m, 0.01);
    const RetargetResult turns = onto(scene.clip, stranger(), {.keep_feet = false, .keep_hands = false});
    EXPECT_GT(turns.quality.foot_skate_mps + turns.quality.penetration_m, 0.02) << "a bad baseline, or none at all";
  }
}

TEST(RetargetContacts, ArmsThatReachBelowTheFloorAreDrawnInSmoothly) {
  const auto human = scenes::humanoid();
  std::vector<Joint> joints(human->joints().begin(), human->joints().end());
  std::vector<EndSite> sites(human->end_sites().begin(), human->end_sites().end());
  for (Joint& joint : joints) {
    if (joint.name.ends_with("lower_arm") || joint.name.ends_with("hand")) joint.rest_translation_m *= 3.2f;
  }
  const auto ape = std::make_shared<const Skeleton>(*Skeleton::create(joints, sites));
  const Clip walk = scenes::walk().clip;
  const ClipPositions kept = clip_positions(onto(walk, ape).clip);
  const ClipPositions free = clip_positions(onto(walk, ape, {.keep_hands = false}).clip);
  const JointIndex hand = ape->find("left_hand");
  double lowest = 1.0, lowest_free = 1.0, step = 0.0, step_free = 0.0;
  for (int f = 0; f < kept.frame_count(); ++f) {
    lowest = std::min(lowest, kept.joint(f, hand).y());
    lowest_free = std::min(lowest_free, free.joint(f, hand).y());
    if (f == 0) continue;
    step = std::max(step, (kept.joint(f, hand) - kept.joint(f - 1, hand)).norm());
    step_free = std::max(step_free, (free.joint(f, hand) - free.joint(f - 1, hand)).norm());
  }
  EXPECT_LT(lowest_free, -0.1) << "hands that would reach below";
  EXPECT_GE(lowest, -1e-3);
  EXPECT_LT(step, 1.5 * step_free) << "no hand jumps";
}

TEST(RetargetContacts, StairsKeepTheirRiseInTheTargetsSize) {
  const auto scene = scenes::walk({.rise_per_step_m = 0.15});
  const RetargetResult result = onto(scene.clip, stranger());
  const auto source = analysis::study(scene.clip, body::guess_body_map(scene.clip.skeleton())).contacts();
  ASSERT_EQ(result.contacts.feet.size(), source.feet.size());
  for (std::size_t i = 0; i < source.feet.size(); ++i) {
    const auto &from = source.feet[i].stances, &to = result.contacts.feet[i].stances;
    ASSERT_EQ(from.size(), to.size());
    for (std::size_t k = 1; k < from.size(); ++k)
      EXPECT_NEAR(to[k].ground_m - to[k - 1].ground_m, result.scale * (from[k].ground_m - from[k - 1].ground_m), 1e-9);
  }
}

TEST(RetargetContacts, FeetThatHangOnTheRootFollowTheirLegs) {
  // A rig for animators: root, hips and both feet beside each other.
  const auto human = scenes::humanoid();
  std::vector<Joint> joints = {{.name = "rig"}};
  for (JointIndex j = 0; j < human->joint_count(); ++j) {
    Joint joint = human->joint(j);
    joint.parent = joint.parent == kNoJoint ? 0 : joint.parent + 1;
    if (joint.name == "left_foot" || joint.name == "right_foot") {
      joint.parent = 0;
      joint.rest_translation_m = human->rest_positions()[j].cast<float>();
    }
    joints.push_back(joint);
  }
  const auto rig = std::make_shared<const Skeleton>(*Skeleton::create(joints));
  const auto scene = scenes::walk();
  const RetargetResult result = onto(scene.clip, rig);
  EXPECT_LT(result.quality.foot_skate_mps, 0.01);
  EXPECT_LT(result.quality.penetration_m, 0.01);

  const ClipPositions rigged = clip_positions(result.clip), source = clip_positions(scene.clip);
  for (const char* side : {"left", "right"}) {
    const JointIndex knee = rig->find(std::string(side) + "_lower_leg"), foot = rig->find(std::string(side) + "_foot");
    const double shank = (rig->rest_positions()[knee] - rig->rest_positions()[foot]).norm();
    for (int f = 0; f < rigged.frame_count(); f += 5) {
      EXPECT_NEAR((rigged.joint(f, knee) - rigged.joint(f, foot)).norm(), shank, 1e-4);
      EXPECT_LT((rigged.joint(f, foot) - source.joint(f, human->find(std::string(side) + "_foot"))).norm(), 0.05);
    }
  }
  EXPECT_EQ(result.clip.translation(7, 0), rig->joint(0).rest_translation_m) << "the rig's root stays";
}

TEST(RetargetContacts, DogsWalkAsDogs) {
  const auto scene = scenes::dog_walk();
  std::vector<Joint> joints(scene.clip.skeleton().joints().begin(), scene.clip.skeleton().joints().end());
  for (Joint& joint : joints) {
    if (joint.name.ends_with("upper_arm") || joint.name.ends_with("upper_leg")) joint.rest_translation_m.x() *= 1.4f;
    if (joint.name == "chest") joint.rest_translation_m *= 1.2f;
  }
  const auto& sites = scene.clip.skeleton().end_sites();
  const auto dachshund = std::make_shared<const Skeleton>(*Skeleton::create(joints, {sites.begin(), sites.end()}));
  const RetargetResult result = onto(scene.clip, dachshund);
  EXPECT_EQ(result.contacts.feet.size(), 4u);
  EXPECT_LT(result.quality.foot_skate_mps, 0.01);
  EXPECT_LT(result.quality.penetration_m, 0.01);
}

TEST(RetargetContacts, HandsThatMeetStillMeetOnLongerArms) {
  // Arms stretched ahead, hands together; then apart.
  const auto human = scenes::humanoid();
  Clip clap = scenes::stand(1.0).clip;
  const auto at = [&](const Clip& clip, int f, const char* joint) {
    return forward_kinematics(clip.skeleton(), clip.frame(f)).positions[clip.skeleton().find(joint)];
  };
  for (int f = 0; f < clap.frame_count(); ++f) {
    const float inward = f < 30 ? 1.9f : 1.2f;
    clap.set_rotation(f, human->find("left_upper_arm"), Quatf(Eigen::AngleAxisf(-inward, Vec3f::UnitY())));
    clap.set_rotation(f, human->find("right_upper_arm"), Quatf(Eigen::AngleAxisf(inward, Vec3f::UnitY())));
    clap.set_rotation(f, human->find("left_lower_arm"), Quatf::Identity());
    clap.set_rotation(f, human->find("right_lower_arm"), Quatf::Identity());
  }
  const double apart = (at(clap, 10, "left_hand") - at(clap, 10, "right_hand")).norm();
  ASSERT_LT(apart, 0.10);

  const RetargetResult loose = onto(clap, stranger(), {.keep_hands = false});
  const RetargetResult kept = onto(clap, stranger());
  EXPECT_EQ(loose.held_touches, 0);
  EXPECT_EQ(kept.held_touches, 2);
  const auto gap = [&](const Clip& clip, int f) {
    return (at(clip, f, "left_hand") - at(clip, f, "right_hand")).norm();
  };
  EXPECT_GT(std::abs(gap(loose.clip, 10) - kept.scale * apart), 0.05) << "nothing to keep";
  EXPECT_NEAR(gap(kept.clip, 10), kept.scale * apart, 0.005);
  EXPECT_NEAR(gap(kept.clip, 50), gap(loose.clip, 50), 1e-4) << "hands apart are left alone";
}

}  // namespace
}  // namespace shosa::retarget
