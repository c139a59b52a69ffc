#include "shosa/core/mirror.h"

#include <gtest/gtest.h>

#include "shosa/core/clip_edit.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa {
namespace {

// Trunk, and two limbs of two bones. The frames of the right limb are those of an exporter that turns them so that the
// bones of the left point along +x and those of the right along -x; the rest posture is no posture at all.
Skeleton row_of_bones() {
  std::vector<Joint> joints(7);
  const auto set = [&](int j, const char* name, JointIndex parent, const Vec3f& at) {
    joints[static_cast<std::size_t>(j)] = {.name = name, .parent = parent, .rest_translation_m = at};
  };
  set(0, "root", kNoJoint, {0, 0, 0});
  set(1, "trunk", 0, {0, 1, 0});
  set(2, "head", 1, {0.5F, 0, 0});
  set(3, "left_arm", 1, {0.4F, 0, 0.2F});
  set(4, "left_hand", 3, {0.3F, 0, 0});
  set(5, "right_arm", 1, {0.4F, 0, -0.2F});
  set(6, "right_hand", 5, {-0.3F, 0, 0});
  return *Skeleton::create(std::move(joints));
}
const std::vector<JointIndex> kPartner = {0, 1, 2, 5, 6, 3, 4};

// The trunk stands (its x up, its z to the left); the arms hang, and swing by `left` and `right`.
Clip standing(double left, double right) {
  Clip clip(std::make_shared<Skeleton>(row_of_bones()), 20, 1.0 / 30.0, {0});
  // Columns: x up, z to the left (+x of the world), y = z cross x.
  Eigen::Matrix3d stand;
  stand << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  // Bones along +x hang when x of the frame is down; the right arm has its axes the other way round.
  Eigen::Matrix3d down = Eigen::Vector3d(-1, -1, 1).asDiagonal();
  const Eigen::Matrix3d across = Eigen::Vector3d(1, 1, -1).asDiagonal();  // the mirror of the trunk's frame
  for (int f = 0; f < clip.frame_count(); ++f) {
    const double wave = std::sin(0.7 * f);
    const auto swing = [&](double most) {
      return Eigen::Matrix3d(Eigen::AngleAxisd(most * wave, Vec3d(0.2, 0.1, 1).normalized()));
    };
    const Eigen::Matrix3d turned_left = swing(left) * down;
    const Eigen::Matrix3d turned_right = -(across * swing(right) * down);  // C_trunk L C_arm, C_arm = -1
    clip.set_rotation(f, 1, Quatd(stand).cast<float>());
    clip.set_rotation(f, 3, Quatd(turned_left).cast<float>());
    clip.set_rotation(f, 5, Quatd(turned_right).cast<float>());
    clip.set_rotation(f, 4, Quatd(Eigen::AngleAxisd(0.3 * wave, Vec3d::UnitY())).cast<float>());
    clip.set_translation(f, 0, Vec3f(0.1F * static_cast<float>(f), 0, 0.2F));
  }
  return clip;
}

TEST(Mirror, FramesOfAnyKindPutEveryJointWhereItsPartnerWas) {
  const Clip clip = standing(0.5, 0.2);
  const auto seen = mirror(clip, kPartner);
  ASSERT_TRUE(seen.has_value()) << seen.error().message;
  const ClipPositions before = clip_positions(clip), after = clip_positions(*seen);
  for (int f = 0; f < clip.frame_count(); ++f)
    for (JointIndex j = 0; j < clip.joint_count(); ++j)
      EXPECT_LT((after.joint(f, j) - mirror_point(before.joint(f, kPartner[j]))).norm(), 1e-5) << f << ", " << j;
}

// Both arms move alike: only the turn of the hand and the path tell the image from the motion.
TEST(Mirror, FramesReflectAsThePosturesOnBothSidesAreAlike) {
  const Clip clip = standing(0.3, 0.3);
  const auto seen = mirror(clip, kPartner);
  ASSERT_TRUE(seen.has_value());
  for (int f = 0; f < clip.frame_count(); ++f)
    for (const JointIndex j : {0, 1, 2, 3, 5})
      EXPECT_LT(seen->rotation(f, j).angularDistance(clip.rotation(f, j)), 2e-3F) << f << ", " << j;
}

TEST(Mirror, TwiceIsTheSameMotionWithoutARestPosture) {
  const Clip clip = standing(0.5, 0.1);
  const auto once = mirror(clip, kPartner);
  ASSERT_TRUE(once.has_value());
  const auto twice = mirror(*once, kPartner);
  ASSERT_TRUE(twice.has_value());
  for (int f = 0; f < clip.frame_count(); ++f)
    for (JointIndex j = 0; j < clip.joint_count(); ++j) {
      EXPECT_LT(twice->rotation(f, j).angularDistance(clip.rotation(f, j)), 2e-3F);
      EXPECT_LT((twice->translation(f, j) - clip.translation(f, j)).norm(), 1e-6F);
    }
}

// A rest posture that faces along +x is symmetric in the plane z = 0.
TEST(Mirror, ARestPostureMayFaceAnyAxis) {
  std::vector<Joint> joints = {{.name = "hips"},
                               {.name = "l", .parent = 0, .rest_translation_m = {0, 0, -0.1F}},
                               {.name = "lf", .parent = 1, .rest_translation_m = {0.1F, -0.8F, 0}},
                               {.name = "r", .parent = 0, .rest_translation_m = {0, 0, 0.1F}},
                               {.name = "rf", .parent = 3, .rest_translation_m = {0.1F, -0.8F, 0}}};
  const auto skeleton = std::make_shared<Skeleton>(*Skeleton::create(joints));
  const std::vector<JointIndex> partner = {0, 3, 4, 1, 2};
  Clip clip(skeleton, 5, 0.1, {0});
  for (int f = 0; f < 5; ++f) {
    clip.set_rotation(f, 0, Quatf(Eigen::AngleAxisf(0.3F * static_cast<float>(f), Vec3f(0.1F, 1, 0.2F).normalized())));
    clip.set_rotation(f, 1, Quatf(Eigen::AngleAxisf(0.2F * static_cast<float>(f), Vec3f(0.3F, 0.1F, 1).normalized())));
  }
  const auto seen = mirror(clip, partner);
  ASSERT_TRUE(seen.has_value());
  const ClipPositions before = clip_positions(clip), after = clip_positions(*seen);
  for (int f = 0; f < 5; ++f)
    for (JointIndex j = 0; j < 5; ++j)
      EXPECT_LT((after.joint(f, j) - mirror_point(before.joint(f, partner[j]))).norm(), 1e-6);
}

}  // namespace
}  // namespace shosa
