#include "shosa/core/ground_move.h"

#include <gtest/gtest.h>

#include "scenes/random.h"
#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/smooth_steps.h"

namespace shosa {
namespace {

GroundMove random_move(scenes::Random& random) {
  return {random.uniform(-3.0, 3.0), 2.0 * random.direction()};
}

TEST(GroundMove, ProductsAndInversesActOnPointsAsMovesDo) {
  scenes::Random random(3);
  for (int i = 0; i < 100; ++i) {
    const GroundMove a = random_move(random), b = random_move(random);
    const Vec3d p = random.direction();
    EXPECT_LT(((a * b) * p - a * (b * p)).norm(), 1e-12);
    EXPECT_LT((a.inverse() * (a * p) - p).norm(), 1e-12);
    EXPECT_NEAR((a * p).y(), p.y() + a.shift_m.y(), 1e-15);
  }
}

TEST(GroundMove, MovesAllThatItsCarrierCarriesAsOneBody) {
  const Clip clip = scenes::random_clip(scenes::random_tree(12, 5), 1, 6);
  const Skeleton& skeleton = clip.skeleton();
  const Pose pose = clip.frame(0);
  const WorldPose before = forward_kinematics(skeleton, pose);
  scenes::Random random(4);
  for (JointIndex carrier = 0; carrier < clip.joint_count(); ++carrier) {
    const GroundMove move = random_move(random);
    Pose moved = pose;
    move_posture(skeleton, carrier, move, moved);
    const WorldPose after = forward_kinematics(skeleton, moved);
    for (JointIndex j = 0; j < clip.joint_count(); ++j) {
      JointIndex up = j;
      while (up != kNoJoint && up != carrier) up = skeleton.parent(up);
      const Vec3d expected = up == kNoJoint ? before.positions[j] : move * before.positions[j];
      EXPECT_LT((after.positions[j] - expected).norm(), 1e-5) << carrier << " carries " << j;
    }
  }
}

TEST(GroundMove, ByTheRootIsTheSameAndNoMoveChangesNothing) {
  const Clip clip = scenes::random_clip(scenes::chain(3), 1, 7);
  const Pose pose = clip.frame(0);
  scenes::Random random(8);
  const GroundMove move = random_move(random);
  Pose by_root = pose, by_carrier = pose, same = pose;
  move_posture(move, by_root);
  move_posture(clip.skeleton(), 0, move, by_carrier);
  move_posture(GroundMove{}, same);
  EXPECT_EQ(by_root.rotation(0).coeffs(), by_carrier.rotation(0).coeffs());
  EXPECT_EQ(by_root.translation(0), by_carrier.translation(0));
  EXPECT_EQ(same.rotation(0).coeffs(), pose.rotation(0).coeffs());
  EXPECT_EQ(same.translation(0), pose.translation(0));
}

TEST(SmoothSteps, RiseFromNoughtToOneAndKeepTheirOrderOfSmoothness) {
  constexpr double h = 1e-4;
  for (const auto& step : {cubic_step, minimum_jerk_step}) {
    EXPECT_EQ(step(-1.0), 0.0);
    EXPECT_EQ(step(0.0), 0.0);
    EXPECT_EQ(step(0.5), 0.5);
    EXPECT_EQ(step(1.0), 1.0);
    EXPECT_EQ(step(7.0), 1.0);
    for (double x = 0.0; x < 1.0; x += 0.05) EXPECT_NEAR(step(x) + step(1.0 - x), 1.0, 1e-15);
  }
  EXPECT_NEAR(cubic_step(h) / (h * h), 3.0, 1e-3);
  EXPECT_NEAR(minimum_jerk_step(h) / (h * h * h), 10.0, 1e-2);
}

}  // namespace
}  // namespace shosa
