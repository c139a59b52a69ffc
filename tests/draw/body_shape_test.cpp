#include "draw/body_shape.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "draw/figure.h"
#include "scenes/scenes.h"

namespace shosa::draw {
namespace {

BodyShape rest_shape(const Skeleton& skeleton) {
  return make_body_shape(skeleton, body::guess_body_map(skeleton), forward_kinematics(skeleton, Pose::rest(skeleton)));
}

std::ptrdiff_t count(const BodyShape& shape, Side side) {
  return std::ranges::count_if(shape.parts, [side](const BodyPart& part) { return part.side == side; });
}

const BodyPart& part_of(const BodyShape& shape, JointIndex joint) {
  return *std::ranges::find_if(shape.parts, [joint](const BodyPart& part) { return part.joint == joint; });
}

TEST(BodyShape, HumanoidHasAsManyPartsLeftAsRight) {
  const BodyShape shape = rest_shape(*scenes::humanoid());
  EXPECT_GE(count(shape, Side::left), 6);
  EXPECT_EQ(count(shape, Side::left), count(shape, Side::right));
  EXPECT_GE(count(shape, Side::middle), 3);
}

TEST(BodyShape, StatureFollowsTheLegs) {
  EXPECT_NEAR(rest_shape(*scenes::humanoid()).size_m, 1.75, 0.12);
}

TEST(BodyShape, LeftAndRightOfASymmetricBodyAreMirrored) {
  const auto skeleton = scenes::humanoid();
  const BodyShape shape = rest_shape(*skeleton);
  const WorldPose world = forward_kinematics(*skeleton, Pose::rest(*skeleton));
  for (const BodyPart& part : shape.parts) {
    for (const Ball& ball : part.balls) {
      const Vec3d at = ball.centre(world);
      const Vec3d mirrored(-at.x(), at.y(), at.z());
      const bool found = std::ranges::any_of(shape.parts, [&](const BodyPart& other) {
        return std::ranges::any_of(other.balls, [&](const Ball& twin) {
          return (twin.centre(world) - mirrored).norm() < 1e-5 && std::abs(twin.radius_m - ball.radius_m) < 1e-9;
        });
      });
      EXPECT_TRUE(found) << skeleton->name(part.joint);
    }
  }
}

TEST(BodyShape, StandingBodyTouchesTheGroundWithItsSoles) {
  const auto skeleton = scenes::humanoid();
  EXPECT_NEAR(lowest_m(rest_shape(*skeleton), forward_kinematics(*skeleton, Pose::rest(*skeleton))), 0.0, 0.025);
}

TEST(BodyShape, HeelLiesBehindAndBelowTheAnkle) {
  const auto skeleton = scenes::humanoid();
  const BodyShape shape = rest_shape(*skeleton);
  const WorldPose world = forward_kinematics(*skeleton, Pose::rest(*skeleton));
  const JointIndex foot = skeleton->find("left_foot");
  const Vec3d ankle = world.positions[foot];
  const BodyPart& part = part_of(shape, foot);
  EXPECT_TRUE(std::ranges::any_of(part.balls, [&](const Ball& ball) {
    return ball.centre(world).z() < ankle.z() - 0.01 && ball.centre(world).y() < ankle.y() - 0.01;
  }));
}

TEST(BodyShape, LimbsAreThickerThanForearmsAndThoseThanFingers) {
  const auto skeleton = scenes::humanoid();
  const BodyShape shape = rest_shape(*skeleton);
  const double thigh_m = part_of(shape, skeleton->find("left_upper_leg")).balls.front().radius_m;
  const double forearm_m = part_of(shape, skeleton->find("left_lower_arm")).balls.front().radius_m;
  EXPECT_GT(thigh_m, 1.5 * forearm_m);

  // The same body with one finger.
  std::vector<Joint> joints(skeleton->joints().begin(), skeleton->joints().end());
  const JointIndex hand = skeleton->find("left_hand");
  joints.push_back({"left_index_proximal", hand, {0.09F, 0, 0}, Quatf::Identity()});
  joints.push_back({"left_index_intermediate", skeleton->joint_count(), {0.03F, 0, 0}, Quatf::Identity()});
  const Skeleton with_finger = Skeleton::create(joints, {}).value();
  const BodyShape fingered = rest_shape(with_finger);
  EXPECT_LT(part_of(fingered, with_finger.find("left_index_proximal")).balls.front().radius_m, 0.6 * forearm_m);
}

TEST(BodyShape, DogHasFourLegsAndATrunk) {
  const auto skeleton = scenes::dog();
  const BodyShape shape = rest_shape(*skeleton);
  EXPECT_EQ(count(shape, Side::left), count(shape, Side::right));
  EXPECT_GE(count(shape, Side::left), 6);
  for (const char* name : {"left_upper_leg", "right_lower_leg", "left_upper_arm", "right_lower_arm", "head"}) {
    const JointIndex joint = skeleton->find(name);
    EXPECT_TRUE(std::ranges::any_of(shape.parts, [joint](const BodyPart& part) { return part.joint == joint; }))
        << name;
  }
}

TEST(BodyShape, UnknownSkeletonGetsOneCapsulePerBoneAndEndSite) {
  const auto chain = scenes::chain(5, 0.2);
  const BodyShape shape = rest_shape(*chain);
  EXPECT_EQ(shape.parts.size(), 5u);
  for (const BodyPart& part : shape.parts) {
    EXPECT_EQ(part.balls.size(), 2u);
    EXPECT_EQ(part.side, Side::middle);
  }
}

TEST(BodyShape, BonesOfNoLengthGetNoPart) {
  std::vector<Joint> joints(3);
  joints[0].name = "a";
  joints[1] = {"b", 0, Vec3f::Zero(), Quatf::Identity()};
  joints[2] = {"c", 1, {0, 0.4F, 0}, Quatf::Identity()};
  EXPECT_EQ(rest_shape(Skeleton::create(joints).value()).parts.size(), 1u);
}

TEST(BodyShape, OneJointIsABall) {
  const BodyShape shape = rest_shape(Skeleton::create({Joint{.name = "only"}}).value());
  ASSERT_EQ(shape.parts.size(), 1u);
  EXPECT_EQ(shape.parts[0].balls.size(), 1u);
  EXPECT_GT(shape.parts[0].balls[0].radius_m, 0.0);
}

TEST(BodyShape, RootOnTheFloorIsNoBone) {
  const auto skeleton = scenes::humanoid();
  std::vector<Joint> joints = {{"world_root", kNoJoint, Vec3f::Zero(), Quatf::Identity()}};
  for (Joint joint : skeleton->joints()) {
    ++joint.parent;
    joints.push_back(std::move(joint));
  }
  joints[1].parent = 0;
  const Skeleton rooted = Skeleton::create(joints, {}).value();
  const BodyShape shape = rest_shape(rooted);
  EXPECT_TRUE(std::ranges::none_of(shape.parts, [](const BodyPart& part) { return part.joint == 0; }));
}

TEST(BodyShape, PartsFollowTheirJoints) {
  const auto skeleton = scenes::humanoid();
  const BodyShape shape = rest_shape(*skeleton);
  Pose pose = Pose::rest(*skeleton);
  const WorldPose before = forward_kinematics(*skeleton, pose);
  const Quatf turn(Eigen::AngleAxisf(0.7F, Vec3f::UnitY()));
  pose.set_rotation(0, turn * pose.rotation(0));
  const WorldPose after = forward_kinematics(*skeleton, pose);
  const Vec3d hips = before.positions[0];
  for (const BodyPart& part : shape.parts) {
    for (const Ball& ball : part.balls) {
      const Vec3d expected = hips + turn.cast<double>() * (ball.centre(before) - hips);
      EXPECT_NEAR((ball.centre(after) - expected).norm(), 0.0, 1e-5);
    }
  }
}

TEST(BodyShape, AnyTreeCanBeClothed) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto tree = scenes::random_tree(1 + static_cast<int>(seed), seed);
    for (const BodyPart& part : rest_shape(*tree).parts) {
      for (const Ball& ball : part.balls) {
        EXPECT_TRUE(ball.offset_m.allFinite() && ball.radius_m > 0.0) << "seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace shosa::draw
