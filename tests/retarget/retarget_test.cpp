#include "shosa/retarget/retarget.h"

#include <gmock/gmock.h>

#include "retarget/onto.h"
#include "retarget/other_body.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::retarget {
namespace {

using test::OtherBody;
using testing::HasSubstr;

constexpr RetargetParams kTurnsOnly = {.keep_feet = false, .keep_hands = false};

/// Largest distance of any joint over all frames.
double distance_m(const Clip& a, const Clip& b) {
  const ClipPositions p = clip_positions(a), q = clip_positions(b);
  double largest = 0.0;
  for (int f = 0; f < p.frame_count(); ++f) {
    for (JointIndex j = 0; j < p.joint_count(); ++j)
      largest = std::max(largest, (p.joint(f, j) - q.joint(f, j)).norm());
  }
  return largest;
}

/// Largest angle between the same bone of two motions whose joints have the names of roles.
double bone_angle_rad(const Clip& a, const Clip& b, const char* from, const char* to) {
  const ClipPositions p = clip_positions(a), q = clip_positions(b);
  const auto bone = [&](const Clip& clip, const ClipPositions& positions, int f) {
    return Vec3d(positions.joint(f, clip.skeleton().find(to)) - positions.joint(f, clip.skeleton().find(from)))
        .normalized();
  };
  double largest = 0.0;
  for (int f = 0; f < p.frame_count(); ++f)
    largest = std::max(largest, std::acos(std::clamp(bone(a, p, f).dot(bone(b, q, f)), -1.0, 1.0)));
  return largest;
}

/// Old local rotations of a rest pose with the arms swung down from the T-pose.
std::vector<Quatd> arms_down(const Skeleton& skeleton, double angle_rad) {
  std::vector<Quatd> rest = test::no_turns(skeleton);
  const auto turn = [&](const char* joint, double angle) {
    rest[skeleton.find(joint)] = Quatd(Eigen::AngleAxisd(angle, Vec3d::UnitZ()));
  };
  turn("left_upper_arm", -angle_rad);
  turn("right_upper_arm", angle_rad);
  return rest;
}

TEST(Retarget, OntoTheSameBodyNothingChanges) {
  const Clip walk = scenes::walk().clip;
  EXPECT_LT(distance_m(onto(walk, walk.skeleton_ptr(), kTurnsOnly).clip, walk), 2e-3);
  // Feet that roll over heel and toe are planned anew.
  EXPECT_LT(distance_m(onto(walk, walk.skeleton_ptr()).clip, walk), 4e-2);
}

TEST(Retarget, JointAxesDoNotMatter) {
  const Clip walk = scenes::walk().clip;
  const auto old = walk.skeleton_ptr();
  for (const unsigned seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    const OtherBody body = OtherBody::make(old, test::random_turns(*old, seed), test::no_turns(*old));
    EXPECT_LT(distance_m(onto(walk, body.skeleton, kTurnsOnly).clip, body.on_it(walk)), 2e-3);
    EXPECT_LT(distance_m(onto(body.on_it(walk), old, kTurnsOnly).clip, walk), 2e-3);
  }
}

TEST(Retarget, ArmsOfTheRestPoseMayBeUpOrDown) {
  const Clip walk = scenes::walk().clip;
  const auto old = walk.skeleton_ptr();
  for (const double angle : {0.3, 0.8, 1.4}) {
    SCOPED_TRACE(angle);
    const OtherBody body = OtherBody::make(old, test::random_turns(*old, 7), arms_down(*old, angle));
    EXPECT_LT(distance_m(onto(walk, body.skeleton, kTurnsOnly).clip, body.on_it(walk)), 2e-3);
    EXPECT_LT(distance_m(onto(body.on_it(walk), old, kTurnsOnly).clip, walk), 2e-3);
  }
}

TEST(Retarget, ARestPoseThatIsNoPostureIsLearntFromItsMotion) {
  const Clip walk = scenes::walk().clip, jump = scenes::jump().clip;
  const OtherBody body = test::zero_direction_body(walk.skeleton_ptr());
  const body::BodyMap map = body::guess_body_map(*walk.skeleton_ptr());  // the joints are the same
  const analysis::StudiedClip source = analysis::study(jump, map), shown = analysis::study(body.on_it(walk), map);
  const auto result =
      retarget_motion(source, body.skeleton, map, {.keep_feet = false, .keep_hands = false, .target_motion = shown});
  ASSERT_TRUE(result.has_value());
  EXPECT_TRUE(result->warnings.empty());
  for (const auto& [from, to] :
       {std::pair{"left_upper_leg", "left_lower_leg"}, std::pair{"left_lower_leg", "left_foot"},
        std::pair{"right_upper_arm", "right_lower_arm"}, std::pair{"right_lower_arm", "right_hand"}})
    EXPECT_LT(bone_angle_rad(result->clip, jump, from, to), 2e-3) << from;
  // The walk leans and sways about its mean, which is taken for upright.
  EXPECT_LT(distance_m(result->clip, body.on_it(jump)), 0.10);

  const auto blind = retarget_motion(source, body.skeleton, map, kTurnsOnly);
  ASSERT_TRUE(blind.has_value());
  EXPECT_THAT(blind->warnings, testing::ElementsAre(HasSubstr("no standing one")));
}

TEST(Retarget, ABodyTwiceAsLargeGoesTwiceAsFar) {
  const Clip walk = scenes::walk().clip;
  std::vector<Joint> joints(walk.skeleton().joints().begin(), walk.skeleton().joints().end());
  std::vector<EndSite> sites(walk.skeleton().end_sites().begin(), walk.skeleton().end_sites().end());
  for (Joint& joint : joints) joint.rest_translation_m *= 2.0f;
  for (EndSite& site : sites) site.offset_m *= 2.0f;
  const auto giant = std::make_shared<const Skeleton>(*Skeleton::create(joints, sites));
  const RetargetResult result = onto(walk, giant, kTurnsOnly);
  EXPECT_NEAR(result.scale, 2.0, 1e-5);
  const ClipPositions small = clip_positions(walk), large = clip_positions(result.clip);
  for (int f = 0; f < small.frame_count(); f += 10) {
    for (JointIndex j = 0; j < small.joint_count(); ++j)
      EXPECT_LT((large.joint(f, j) - 2.0 * small.joint(f, j)).norm(), 5e-3);
  }
  EXPECT_NEAR(onto(walk, giant, {.keep_feet = false, .keep_hands = false, .scale = 0.5}).scale, 0.5, 0.0);
}

TEST(Retarget, SpinesOfOtherLengthShareTheTurn) {
  // Three joints of the spine bend by 20 degrees each; a body with one takes all of it there.
  const auto body = scenes::humanoid();
  Clip bow(body, 1, 1.0 / 30.0);
  const Quatf bend(Eigen::AngleAxisf(0.35f, Vec3f::UnitX()));
  for (const char* joint : {"spine", "chest", "upper_chest"}) {
    ASSERT_NE(body->find(joint), kNoJoint) << joint;
    bow.set_rotation(0, body->find(joint), bend);
  }
  std::vector<Joint> joints;
  std::vector<JointIndex> now(static_cast<std::size_t>(body->joint_count()));
  const std::vector<std::string> gone = {"chest", "upper_chest"};
  for (JointIndex j = 0; j < body->joint_count(); ++j) {
    Joint joint = body->joint(j);
    while (joint.parent != kNoJoint && std::ranges::count(gone, body->name(joint.parent)) > 0) {
      joint.rest_translation_m += body->joint(joint.parent).rest_translation_m;
      joint.parent = body->parent(joint.parent);
    }
    if (joint.parent != kNoJoint) joint.parent = now[joint.parent];
    if (std::ranges::count(gone, joint.name) > 0) continue;
    now[j] = static_cast<JointIndex>(joints.size());
    joints.push_back(joint);
  }
  const auto stiff = std::make_shared<const Skeleton>(*Skeleton::create(joints));
  const RetargetResult one = onto(bow, stiff, kTurnsOnly);
  const WorldPose world = forward_kinematics(*stiff, one.clip.frame(0));
  const Quatd spine = world.rotations[stiff->find("spine")];
  EXPECT_NEAR(Eigen::AngleAxisd(spine).angle(), 3 * 0.35, 1e-3);
  EXPECT_NEAR(spine.angularDistance(world.rotations[stiff->find("head")]), 0.0, 1e-3);

  // And back: the three take a third each.
  const RetargetResult three = onto(one.clip, body, kTurnsOnly);
  for (const char* joint : {"spine", "chest", "upper_chest"})
    EXPECT_NEAR(three.clip.rotation(0, body->find(joint)).angularDistance(Quatf::Identity()), 0.35f, 2e-3f) << joint;
}

TEST(Retarget, RefusesABodyOfAnotherKindAndSaysWhy) {
  const Clip walk = scenes::walk({.duration_s = 0.2}).clip;
  const auto dog = scenes::dog();
  const auto result =
      retarget_motion(analysis::study(walk, body::guess_body_map(walk.skeleton())), dog, body::guess_body_map(*dog));
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::not_possible);
  EXPECT_THAT(result.error().message, HasSubstr("humanoid, the target is a quadruped"));
}

TEST(Retarget, NamesTheRuleThatIsBroken) {
  const Clip walk = scenes::walk({.duration_s = 0.2}).clip;
  const body::BodyMap map = body::guess_body_map(walk.skeleton());
  const auto message = [&](const body::BodyMap& from, const RetargetParams& params, const body::BodyMap& onto) {
    const auto result = retarget_motion(analysis::study(walk, from), walk.skeleton_ptr(), onto, params);
    return result ? std::string() : result.error().message;
  };
  EXPECT_THAT(message(map, {.scale = 0.0}, map), HasSubstr("scale 0"));
  EXPECT_THAT(message(map, {.scale = std::nan("")}, map), HasSubstr("scale nan"));
  EXPECT_THAT(message(map, {.hand_touch_m = -1.0}, map), HasSubstr("hand_touch_m -1"));
  const analysis::StudiedClip other = analysis::study(scenes::random_clip(scenes::chain(3), 2, 1), {});
  EXPECT_THAT(message(map, {.target_motion = other}, map), HasSubstr("another skeleton"));
  EXPECT_THAT(message(map, {.source_motion = other}, map), HasSubstr("another skeleton than the clip"));
  body::BodyMap no_legs = map;
  no_legs.set(body::Role::left_lower_leg, kNoJoint);
  EXPECT_THAT(message(no_legs, {}, map), HasSubstr("source lacks left_lower_leg"));
  body::BodyMap wrong = map;
  wrong.set(body::Role::head, 1000);
  EXPECT_THAT(message(map, {}, wrong), HasSubstr("role head"));
  EXPECT_THAT(message(body::BodyMap(), {}, map), HasSubstr("no body that is known"));
}

TEST(Retarget, SameInputSameBits) {
  const Clip walk = scenes::walk({.duration_s = 1.5}).clip;
  const OtherBody body =
      OtherBody::make(walk.skeleton_ptr(), test::random_turns(walk.skeleton(), 3), arms_down(walk.skeleton(), 1.0));
  const Clip a = onto(walk, body.skeleton).clip, b = onto(walk, body.skeleton).clip;
  for (int f = 0; f < a.frame_count(); ++f) {
    for (JointIndex j = 0; j < a.joint_count(); ++j)
      ASSERT_EQ(a.rotation(f, j).coeffs(), b.rotation(f, j).coeffs()) << f << " " << j;
  }
}

}  // namespace
}  // namespace shosa::retarget
