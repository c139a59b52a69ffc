#include "scenes/scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "shosa/core/forward_kinematics.h"

namespace shosa {
namespace {

using scenes::Scene;

/// The point that touches the ground: toe joint, or the end site of a front paw.
int toe_point(const Skeleton& skeleton, const std::string& foot) {
  if (foot.ends_with("_foot")) return skeleton.find(foot.substr(0, foot.size() - 4) + "toes");
  for (std::size_t i = 0; i < skeleton.end_sites().size(); ++i) {
    if (skeleton.end_sites()[i].name == foot + "_end") return skeleton.joint_count() + static_cast<int>(i);
  }
  return -1;
}

/// Path of the heel of the sole, which is no joint.
std::vector<Vec3d> heel_path(const Clip& clip, const std::string& foot) {
  std::vector<Vec3d> path;
  const auto joint = static_cast<std::size_t>(clip.skeleton().find(foot));
  for (int f = 0; f < clip.frame_count(); ++f) {
    const WorldPose world = forward_kinematics(clip.skeleton(), clip.frame(f));
    path.push_back(world.positions[joint] + world.rotations[joint] * Vec3d(scenes::FootPlan::heel_m));
  }
  return path;
}

std::vector<Vec3d> point_path(const Clip& clip, int point) {
  const ClipPositions positions = clip_positions(clip);
  std::vector<Vec3d> path;
  for (int f = 0; f < clip.frame_count(); ++f) path.push_back(positions.point(f, point));
  return path;
}

/// Largest move over any interval.
double largest_slip(const std::vector<Vec3d>& path, double frame_time_s, const std::vector<TimeInterval>& intervals) {
  double slip = 0.0;
  for (const auto& interval : intervals) {
    const int first = static_cast<int>(std::ceil(interval.begin_s / frame_time_s - 1e-9));
    const int last = static_cast<int>(std::floor(interval.end_s / frame_time_s + 1e-9));
    for (int f = first; f <= last; ++f) {
      slip = std::max(slip, (path[f] - path[first]).norm());
    }
  }
  return slip;
}

void expect_planned_feet_are_still(const Scene& scene) {
  const Clip& clip = scene.clip;
  for (const auto& plan : scene.feet) {
    ASSERT_FALSE(plan.standing.empty()) << plan.foot;
    const double dt = clip.frame_time_s();
    EXPECT_LT(largest_slip(point_path(clip, toe_point(clip.skeleton(), plan.foot)), dt, plan.toes), 2e-5) << plan.foot;
    EXPECT_LT(largest_slip(heel_path(clip, plan.foot), dt, plan.heel), 2e-5) << plan.foot;
  }
}

double lowest_point(const Scene& scene) {
  const ClipPositions positions = clip_positions(scene.clip);
  double lowest = 1e9;
  for (int f = 0; f < positions.frame_count(); ++f) {
    for (const Vec3d& p : positions.frame(f)) lowest = std::min(lowest, p.y());
  }
  return lowest;
}

TEST(Scenes, StandingFeetAreStillInEveryScene) {
  for (const double fps : {30.0, 60.0, 120.0}) {
    expect_planned_feet_are_still(scenes::walk({.fps = fps}));
    expect_planned_feet_are_still(scenes::walk({.fps = fps, .rise_per_step_m = 0.16}));
    expect_planned_feet_are_still(scenes::walk({.fps = fps, .turn_rad_per_m = 0.5}));
    expect_planned_feet_are_still(scenes::run());
    expect_planned_feet_are_still(scenes::jump({.fps = fps}));
    expect_planned_feet_are_still(scenes::stand(2.0, fps));
    expect_planned_feet_are_still(scenes::dog_walk({.fps = fps}));
  }
}

TEST(Scenes, NothingGoesBelowTheGround) {
  for (const Scene& scene : {scenes::walk(), scenes::walk({.turn_rad_per_m = 0.5}), scenes::run(), scenes::jump(),
                             scenes::stand(), scenes::dog_walk()}) {
    EXPECT_GT(lowest_point(scene), -0.002) << scene.clip.name();
  }
}

TEST(Scenes, HipsFallFreelyWheneverNoFootStands) {
  for (const Scene& scene :
       {scenes::run({.fps = 240.0, .speed_mps = 3.0, .step_s = 0.37, .duty = 0.33}), scenes::jump({.fps = 240.0})}) {
    const double dt = scene.clip.frame_time_s();
    ASSERT_FALSE(scene.flights.empty());
    for (const auto& flight : scene.flights) {
      const int first = static_cast<int>(std::ceil(flight.begin_s / dt)), last = static_cast<int>(flight.end_s / dt);
      if (last - first < 12) continue;
      const int middle = (first + last) / 2, reach = (last - first) / 2 - 1;
      const auto y = [&](int f) { return static_cast<double>(scene.clip.translation(f, 0).y()); };
      const double a = (y(middle - reach) - 2 * y(middle) + y(middle + reach)) / std::pow(reach * dt, 2);
      EXPECT_NEAR(a, -9.81, 0.02) << scene.clip.name();
    }
  }
}

TEST(Scenes, WalkKeepsItsSpeedAndAlternatesItsFeet) {
  const Scene scene = scenes::walk({.duration_s = 5.2, .speed_mps = 1.3, .step_s = 0.52});
  const Vec3f moved = scene.clip.translation(scene.clip.frame_count() - 1, 0) - scene.clip.translation(0, 0);
  EXPECT_NEAR(moved.z(), 1.3 * 5.2, 1e-4);
  ASSERT_EQ(scene.feet.size(), 2u);
  // Double support: 2 * duty - 1 of the time.
  double both = 0.0;
  for (const auto& left : scene.feet[0].standing) {
    for (const auto& right : scene.feet[1].standing) {
      both += std::max(0.0, std::min(left.end_s, right.end_s) - std::max(left.begin_s, right.begin_s));
    }
  }
  EXPECT_NEAR(both / 5.2, 2 * 0.62 - 1, 0.01);
}

TEST(Scenes, StairsRiseByTheAskedHeightPerStep) {
  const Scene scene = scenes::walk({.duration_s = 4.0, .fps = 60, .rise_per_step_m = 0.17});
  const ClipPositions positions = clip_positions(scene.clip);
  const auto ankle_at = [&](int foot, std::size_t k) {
    const auto& interval = scene.feet[foot].heel[k];
    const JointIndex joint = scene.clip.skeleton().find(scene.feet[foot].foot);
    return positions.joint(scene.clip.nearest_frame(0.5 * (interval.begin_s + interval.end_s)), joint).y();
  };
  EXPECT_NEAR(ankle_at(0, 2) - ankle_at(0, 1), 2 * 0.17, 1e-4);
}

TEST(Scenes, SameArgumentsGiveTheSameBits) {
  const auto tree_a = scenes::random_tree(60, 7), tree_b = scenes::random_tree(60, 7);
  EXPECT_TRUE(same_skeleton(*tree_a, *tree_b, 0.0));
  EXPECT_FALSE(same_skeleton(*tree_a, *scenes::random_tree(60, 8), 1e-3));
  const Clip a = scenes::random_clip(tree_a, 20, 3), b = scenes::random_clip(tree_b, 20, 3);
  for (int f = 0; f < 20; ++f) {
    EXPECT_EQ(0, std::memcmp(a.rotation_lanes(f), b.rotation_lanes(f), sizeof(float) * 4 * 64));
  }
}

TEST(Scenes, ChainHasTheAskedLength) {
  const auto chain = scenes::chain(10, 0.2);
  EXPECT_EQ(chain->joint_count(), 10);
  EXPECT_NEAR(chain->rest_positions().back().y(), 9 * 0.2, 1e-6);
  ASSERT_EQ(chain->end_sites().size(), 1u);
}

}  // namespace
}  // namespace shosa
