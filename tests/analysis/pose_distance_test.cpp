#include "shosa/analysis/pose_distance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/scene_bodies.h"
#include "scenes/random.h"
#include "scenes/scenes.h"

namespace shosa {
namespace {

using analysis::BodyPart;

TEST(PoseDistance, DoesNotSeeWhereTheBodyStandsAndFaces) {
  const Clip clip = scenes::walk().clip;
  const body::BodyMap map = test::scene_body_map(clip.skeleton());
  Clip moved = clip;
  const Quatd turn(Eigen::AngleAxisd(2.1, Vec3d::UnitY()));
  for (int f = 0; f < clip.frame_count(); ++f) {
    moved.set_translation(f, 0, (turn * clip.translation(f, 0).cast<double>() + Vec3d(3, 0, -2)).cast<float>());
    moved.set_rotation(f, 0, (turn * clip.rotation(f, 0).cast<double>()).cast<float>());
  }
  const auto a = analysis::pelvis_aligned(analysis::study(clip, map)),
             b = analysis::pelvis_aligned(analysis::study(moved, map));
  const auto joints = analysis::part_joints(clip.skeleton(), map, BodyPart::whole);
  for (int f = 0; f < clip.frame_count(); f += 7)
    EXPECT_LT(analysis::pose_distance(a.frame(f), b.frame(f), joints), 2e-6);
}

TEST(PoseDistance, IsTheMeanOfTheJointsThatMoved) {
  const auto skeleton = scenes::humanoid();
  const body::BodyMap map = test::scene_body_map(*skeleton);
  const auto lower = analysis::part_joints(*skeleton, map, BodyPart::lower),
             upper = analysis::part_joints(*skeleton, map, BodyPart::upper);
  EXPECT_EQ(lower.size() + upper.size(), static_cast<std::size_t>(skeleton->joint_count()));
  std::vector<Vec3d> a = skeleton->rest_positions(), b = a;
  b[skeleton->find("left_hand")] += Vec3d(0.3, 0.0, 0.4);
  EXPECT_NEAR(analysis::pose_distance(a, b, upper), 0.5 / static_cast<double>(upper.size()), 1e-12);
  EXPECT_EQ(analysis::pose_distance(a, b, lower), 0.0);
}

TEST(PoseDistance, LeavesOutAJointAboveTheHips) {
  const auto body = scenes::humanoid();
  std::vector<Joint> joints = {{.name = "anchor"}};
  for (Joint joint : body->joints()) {
    joint.parent += 1;
    joints.push_back(joint);
  }
  const auto skeleton = Skeleton::create(joints);
  ASSERT_TRUE(skeleton.has_value());
  const auto whole = analysis::part_joints(*skeleton, test::scene_body_map(*skeleton), BodyPart::whole);
  EXPECT_EQ(whole.size(), static_cast<std::size_t>(body->joint_count()));
  EXPECT_EQ(whole.front(), skeleton->find("hips"));
}

struct Clouds {
  std::vector<Vec3d> a, b;
  std::vector<double> weights;
};
Clouds random_clouds(std::uint64_t seed, int count) {
  scenes::Random random(seed);
  Clouds c;
  for (int i = 0; i < count; ++i) {
    c.a.push_back(random.direction() * random.uniform(0.1, 2.0));
    c.b.push_back(random.direction() * random.uniform(0.1, 2.0));
    c.weights.push_back(random.uniform(0.0, 2.0));
  }
  return c;
}

TEST(CloudMatch, FindsTheMoveThatMadeTheSecondCloud) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    scenes::Random random(seed + 1000);
    Clouds c = random_clouds(seed, 40);
    const double heading = random.uniform(-3.0, 3.0);
    const Quatd turn(Eigen::AngleAxisd(heading, Vec3d::UnitY()));
    const Vec3d shift(random.uniform(-5, 5), 0.0, random.uniform(-5, 5));
    for (std::size_t i = 0; i < c.a.size(); ++i) c.a[i] = turn * c.b[i] + shift;
    const auto match = analysis::match_clouds(c.a, c.b, c.weights);
    ASSERT_TRUE(match.has_value());
    EXPECT_NEAR(match->distance_m, 0.0, 1e-12) << "seed " << seed;
    EXPECT_NEAR(match->a_from_b.yaw_rad, heading, 1e-12) << "seed " << seed;
    EXPECT_NEAR(match->a_from_b.shift_m.x(), shift.x(), 1e-12);
    EXPECT_NEAR(match->a_from_b.shift_m.z(), shift.z(), 1e-12);
  }
}

TEST(CloudMatch, NoNeighbouringMoveIsBetter) {
  const auto cost = [](const Clouds& c, const GroundMove& m) {
    double sum = 0.0, total = 0.0;
    for (std::size_t i = 0; i < c.a.size(); ++i) {
      sum += c.weights[i] * (c.a[i] - m * c.b[i]).squaredNorm();
      total += c.weights[i];
    }
    return std::sqrt(sum / total);
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Clouds c = random_clouds(seed, 25);
    const auto match = analysis::match_clouds(c.a, c.b, c.weights);
    ASSERT_TRUE(match.has_value());
    EXPECT_NEAR(cost(c, match->a_from_b), match->distance_m, 1e-12);
    for (int k = 0; k < 24; ++k) {
      auto other = match->a_from_b;
      other.yaw_rad += 0.2618 * k + 1e-3;
      other.shift_m.x() += 0.01 * (k % 3 - 1);
      other.shift_m.z() += 0.01 * (k % 5 - 2);
      EXPECT_GT(cost(c, other), match->distance_m) << "seed " << seed;
    }
  }
}

TEST(CloudMatch, RefusesCloudsThatDoNotFit) {
  const std::vector<Vec3d> two(2, Vec3d::Zero()), three(3, Vec3d::Zero());
  EXPECT_FALSE(analysis::match_clouds(two, three, std::vector<double>(2, 1.0)).has_value());
  EXPECT_FALSE(analysis::match_clouds(two, two, std::vector<double>{1.0, -1.0}).has_value());
  EXPECT_FALSE(analysis::match_clouds(two, two, std::vector<double>{0.0, 0.0}).has_value());
}

TEST(WindowDistance, IsLeastOneCycleLater) {
  const Clip clip = scenes::walk({.duration_s = 4.0, .fps = 50.0, .step_s = 0.5}).clip;
  const auto positions = clip_positions(clip);
  double best = 1e9;
  int best_frame = -1;
  for (int f = 70; f < 130; ++f) {
    const auto match = analysis::window_distance(positions, 50, positions, f, clip.frame_time_s());
    ASSERT_TRUE(match.has_value());
    if (match->distance_m < best) {
      best = match->distance_m;
      best_frame = f;
    }
  }
  EXPECT_EQ(best_frame, 100);
  EXPECT_LT(best, 1e-4);
}

}  // namespace
}  // namespace shosa
