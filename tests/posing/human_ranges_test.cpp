#include "shosa/posing/human_ranges.h"

#include <gtest/gtest.h>

#include "scenes/random.h"
#include "scenes/scenes.h"
#include "shosa/core/clip.h"

namespace shosa::posing {
namespace {

class HumanRanges : public testing::Test {
 protected:
  std::shared_ptr<const Skeleton> skeleton_ = scenes::humanoid();
  body::BodyMap map_ = body::guess_body_map(*skeleton_);
  std::vector<HumanRange> ranges_ = *human_ranges(*skeleton_, map_);

  const JointRange& range(const char* joint) const {
    const JointIndex index = skeleton_->find(joint);
    for (const HumanRange& entry : ranges_) {
      if (entry.joint == index) return entry.range;
    }
    throw std::runtime_error(joint);
  }
  // The scene's rest rotations are the identity and its axes those of the world.
  bool allows(const char* joint, double degrees, const Vec3d& axis) const {
    return range(joint).nearest(Quatd(Eigen::AngleAxisd(degrees * M_PI / 180.0, axis))).inside;
  }
};

TEST_F(HumanRanges, RestPoseIsInside) {
  for (const HumanRange& entry : ranges_) {
    EXPECT_TRUE(entry.range.nearest(Quatd::Identity()).inside) << skeleton_->name(entry.joint);
  }
  EXPECT_GE(ranges_.size(), 16u);
}

TEST_F(HumanRanges, KneesBendBackOnly) {
  for (const char* knee : {"left_lower_leg", "right_lower_leg"}) {
    EXPECT_TRUE(allows(knee, 120, Vec3d::UnitX())) << knee;  // the foot goes back
    EXPECT_FALSE(allows(knee, -10, Vec3d::UnitX())) << knee;
    EXPECT_FALSE(allows(knee, 150, Vec3d::UnitX())) << knee;
    EXPECT_FALSE(allows(knee, 20, Vec3d::UnitZ())) << knee;
  }
}

TEST_F(HumanRanges, ElbowsBendForwardOnly) {
  // Arms to the side: the left hand comes forward (+z) by a turn about -y.
  EXPECT_TRUE(allows("left_lower_arm", 130, -Vec3d::UnitY()));
  EXPECT_FALSE(allows("left_lower_arm", 10, Vec3d::UnitY()));
  EXPECT_TRUE(allows("right_lower_arm", 130, Vec3d::UnitY()));
  EXPECT_FALSE(allows("right_lower_arm", 10, -Vec3d::UnitY()));
}

TEST_F(HumanRanges, HipsFlexMoreThanTheyExtend) {
  for (const char* hip : {"left_upper_leg", "right_upper_leg"}) {
    EXPECT_TRUE(allows(hip, -110, Vec3d::UnitX())) << hip;  // the knee comes up in front
    EXPECT_FALSE(allows(hip, 40, Vec3d::UnitX())) << hip;
  }
  // Abduction: the left leg goes to +x by a turn about +z.
  EXPECT_TRUE(allows("left_upper_leg", 40, Vec3d::UnitZ()));
  EXPECT_FALSE(allows("left_upper_leg", -40, Vec3d::UnitZ()));
  EXPECT_TRUE(allows("right_upper_leg", -40, Vec3d::UnitZ()));
  EXPECT_FALSE(allows("right_upper_leg", 40, Vec3d::UnitZ()));
}

TEST_F(HumanRanges, ArmsHangAndRise) {
  EXPECT_TRUE(allows("left_upper_arm", -85, Vec3d::UnitZ()));
  EXPECT_TRUE(allows("left_upper_arm", 90, Vec3d::UnitZ()));
  EXPECT_TRUE(allows("right_upper_arm", 85, Vec3d::UnitZ()));
  EXPECT_TRUE(allows("left_upper_arm", -120, Vec3d::UnitY()));  // across the chest
  EXPECT_FALSE(allows("left_upper_arm", 70, Vec3d::UnitY()));   // behind the back
}

TEST_F(HumanRanges, LeftAndRightAreMirrorImages) {
  const auto partner = mirror_partners(*skeleton_, map_);
  for (const HumanRange& entry : ranges_) {
    const JointIndex other = partner[std::size_t(entry.joint)];
    if (other == entry.joint) continue;
    const JointRange& mirror = range(skeleton_->name(other).c_str());
    scenes::Random random(1);
    for (int i = 0; i < 200; ++i) {
      const Quatd q = random.rotation();
      const Quatd image(q.w(), q.x(), -q.y(), -q.z());
      EXPECT_NEAR(entry.range.nearest(q).correction_rad.norm(), mirror.nearest(image).correction_rad.norm(), 1e-6)
          << skeleton_->name(entry.joint);
    }
  }
}

TEST_F(HumanRanges, WalkingStaysInside) {
  const Clip walk = scenes::walk().clip;
  for (int f = 0; f < walk.frame_count(); f += 5) {
    for (const HumanRange& entry : ranges_) {
      const auto nearest = entry.range.nearest(walk.rotation(f, entry.joint).cast<double>());
      EXPECT_LT(nearest.correction_rad.norm() * 180 / M_PI, 3.0) << skeleton_->name(entry.joint) << " frame " << f;
    }
  }
}

TEST(HumanRangesOf, ABodyWithoutLegsIsRefused) {
  const auto chain = scenes::chain(4);
  EXPECT_FALSE(human_ranges(*chain, body::guess_body_map(*chain)).has_value());
}

// Legs 20 degrees apart at rest, as in the CMU files: a knee that only bends about its hinge stays inside.
TEST_F(HumanRanges, KneesAreCountedFromTheThighNotFromStraightDown) {
  std::vector<Joint> joints;
  for (JointIndex j = 0; j < skeleton_->joint_count(); ++j) {
    Joint joint = skeleton_->joint(j);
    for (const auto& [side, sign] : {std::pair<std::string, float>{"left_", 1.0f}, {"right_", -1.0f}}) {
      if (joint.name != side + "lower_leg" && joint.name != side + "foot") continue;
      const float length = joint.rest_translation_m.norm();
      joint.rest_translation_m = Vec3f(sign * 0.342f * length, -0.940f * length, 0.0f);
    }
    joints.push_back(joint);
  }
  const auto apart = Skeleton::create(std::move(joints));
  ASSERT_TRUE(apart.has_value()) << apart.error().message;
  const auto ranges = human_ranges(*apart, body::guess_body_map(*apart));
  ASSERT_TRUE(ranges.has_value()) << ranges.error().message;
  for (const HumanRange& entry : *ranges) {
    const std::string& name = apart->name(entry.joint);
    if (name.find("lower_leg") == std::string::npos) continue;
    const Vec3d hinge(0.940, name.starts_with("left") ? 0.342 : -0.342, 0.0);  // square to the bone
    for (const double degrees : {0.0, 10.0, 60.0, 120.0}) {
      EXPECT_TRUE(entry.range.nearest(Quatd(Eigen::AngleAxisd(degrees * M_PI / 180.0, hinge.normalized()))).inside)
          << degrees;
    }
    EXPECT_FALSE(entry.range.nearest(Quatd(Eigen::AngleAxisd(-0.1, hinge.normalized()))).inside);
  }
}

// All bones along one axis at rest, as some exporters have it.
TEST_F(HumanRanges, ARestPoseThatIsNoFigureIsRefused) {
  const auto human = scenes::humanoid();
  std::vector<Joint> joints;
  for (JointIndex j = 0; j < human->joint_count(); ++j) {
    Joint joint = human->joint(j);
    const float length = joint.rest_translation_m.norm();
    const bool hip = joint.name == "left_upper_leg" || joint.name == "right_upper_leg";
    if (!hip && joint.parent != kNoJoint) joint.rest_translation_m = Vec3f(0.0f, -length, 0.0f);
    joints.push_back(joint);
  }
  const auto odd = Skeleton::create(std::move(joints));
  ASSERT_TRUE(odd.has_value());
  const auto ranges = human_ranges(*odd, body::guess_body_map(*odd));
  ASSERT_FALSE(ranges.has_value());
  EXPECT_NE(ranges.error().message.find("standing figure"), std::string::npos) << ranges.error().message;
}

}  // namespace
}  // namespace shosa::posing
