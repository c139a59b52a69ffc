#include "shosa/core/sampling.h"

#include <gtest/gtest.h>

#include <limits>

#include "scenes/scenes.h"

namespace shosa {
namespace {

void expect_same_bits(const Pose& a, const Pose& b) {
  ASSERT_EQ(a.joint_count(), b.joint_count());
  for (JointIndex j = 0; j < a.joint_count(); ++j) {
    EXPECT_EQ(a.rotation(j).coeffs(), b.rotation(j).coeffs()) << "joint " << j;
    EXPECT_EQ(a.translation(j), b.translation(j)) << "joint " << j;
  }
}

Clip test_clip() {
  return scenes::random_clip(scenes::random_tree(29, 7), 20, 8, 30.0);
}

TEST(Sampling, StoredSamplesComeBackBitForBit) {
  const Clip clip = scenes::random_clip(scenes::random_tree(29, 7), 20, 8, 32.0);  // 1/32 s: times are exact
  Pose pose;
  for (int f = 0; f < clip.frame_count(); ++f) {
    sample(clip, f * clip.frame_time_s(), pose);
    expect_same_bits(pose, clip.frame(f));
  }
}

TEST(Sampling, ClampsOutsideTheClip) {
  const Clip clip = test_clip();
  Pose pose;
  sample(clip, -1.0, pose);
  expect_same_bits(pose, clip.frame(0));
  sample(clip, 1e6, pose);
  expect_same_bits(pose, clip.frame(clip.frame_count() - 1));
  sample(clip, std::numeric_limits<double>::quiet_NaN(), pose);
  expect_same_bits(pose, clip.frame(0));
}

TEST(Sampling, LiesOnTheShorterArcBetweenNeighbours) {
  Clip clip = test_clip();
  // The other sign of a quaternion is the same rotation and must not change the result.
  Pose expected, flipped;
  sample(clip, 3.25 * clip.frame_time_s(), expected);
  for (JointIndex j = 0; j < clip.joint_count(); ++j) {
    Quatf q = clip.rotation(4, j);
    q.coeffs() = -q.coeffs();
    clip.set_rotation(4, j, q);
  }
  sample(clip, 3.25 * clip.frame_time_s(), flipped);
  for (JointIndex j = 0; j < clip.joint_count(); ++j) {
    EXPECT_EQ(expected.rotation(j).coeffs(), flipped.rotation(j).coeffs());
    EXPECT_NEAR(expected.rotation(j).norm(), 1.0f, 1e-6f);
    const Quatf slerp = clip.rotation(3, j).slerp(0.25f, clip.rotation(4, j));
    EXPECT_LT(expected.rotation(j).angularDistance(slerp), 2e-3f);
    const Vec3f linear = 0.75f * clip.translation(3, j) + 0.25f * clip.translation(4, j);
    EXPECT_LT((expected.translation(j) - linear).norm(), 1e-5f);
  }
}

// Largest angle between normalised linear and spherical interpolation for a turn of `turn_rad` between samples.
double largest_deviation(double turn_rad) {
  Pose a(1), b(1), out(1);
  b.set_rotation(0, Quatf(Eigen::AngleAxisf(float(turn_rad), Vec3f::UnitY())));
  double largest = 0.0;
  for (int i = 1; i < 100; ++i) {
    mix_poses(a, b, float(i) / 100.0f, out);
    const Quatf slerp = a.rotation(0).slerp(float(i) / 100.0f, b.rotation(0));
    largest = std::max(largest, double(out.rotation(0).angularDistance(slerp)));
  }
  return largest;
}

TEST(Blending, StaysNearSphericalInterpolation) {
  // CONVENTIONS.md states these bounds.
  EXPECT_LT(largest_deviation(10.0 * M_PI / 180.0) * 180.0 / M_PI, 0.01);
  EXPECT_LT(largest_deviation(90.0 * M_PI / 180.0) * 180.0 / M_PI, 1.0);
  EXPECT_GT(largest_deviation(90.0 * M_PI / 180.0) * 180.0 / M_PI, 0.5);
}

TEST(Blending, EndsAreBitForBit) {
  const Clip clip = test_clip();
  const Pose a = clip.frame(0), b = clip.frame(10);
  Pose out(clip.joint_count());
  mix_poses(a, b, 0.0f, out);
  expect_same_bits(out, a);
  mix_poses(a, b, 1.0f, out);
  expect_same_bits(out, b);
}

TEST(Blending, OutMayBeAnInput) {
  const Clip clip = test_clip();
  const Pose a = clip.frame(0), b = clip.frame(10);
  Pose apart(clip.joint_count());
  mix_poses(a, b, 0.3f, apart);
  Pose in_place = a;
  mix_poses(in_place, b, 0.3f, in_place);
  expect_same_bits(in_place, apart);
  in_place = b;
  mix_poses(a, in_place, 0.3f, in_place);
  expect_same_bits(in_place, apart);
}

TEST(BlendingDeathTest, AWeightOutsideZeroToOneIsABugOfTheCaller) {
  const Clip clip = scenes::random_clip(scenes::random_tree(9, 1), 2, 3);
  const Pose a = clip.frame(0), b = clip.frame(1);
  Pose out;
  EXPECT_DEBUG_DEATH(mix_poses(a, b, -0.25f, out), "weight");
  EXPECT_DEBUG_DEATH(mix_poses(a, b, 1.25f, out), "weight");
}

}  // namespace
}  // namespace shosa
