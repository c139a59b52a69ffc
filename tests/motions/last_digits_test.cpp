// A drag and the same drag a tenth of a micrometre lower: within joint ranges as without them the two should end alike.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "motions/motions.h"
#include "shosa/posing/motion_edit.h"

namespace shosa::motions {
namespace {

using body::Role;

constexpr int kFrames = 61;

// The posture at half a second, held; both feet pinned; a joint led by `way_m` within 0.6 s.
Clip dragged(const Motion& motion, Role role, const Vec3d& way_m) {
  Clip held(motion.clip.skeleton_ptr(), kFrames, 1.0 / 60.0);
  for (int f = 0; f < kFrames; ++f) held.set_frame(f, motion.clip.frame(30));
  const body::BodyMap& map = motion.body_map;
  posing::MotionEditParams edit = posing::body_edit(held.skeleton(), map);
  edit.ranges = *posing::human_ranges(held.skeleton(), map);
  EXPECT_TRUE(posing::keep_knees(motion.clip, map, edit).has_value());
  for (const Role foot : {Role::left_foot, Role::right_foot}) edit.pins.push_back({.joint = map.joint(foot)});
  edit.drags.push_back(
      {.joint = map.joint(role), .keys = {{0.2, Vec3d::Zero()}, {0.8, way_m}}, .relative = true, .hold_last = true});
  return posing::edit_motion(held, edit)->clip;
}

double farthest_m(const Clip& a, const Clip& b) {
  posing::Articulation one(a.skeleton_ptr()), other(a.skeleton_ptr());
  double farthest = 0.0;
  for (int f = 0; f < a.frame_count(); ++f) {
    one.set_pose(a.frame(f));
    other.set_pose(b.frame(f));
    for (std::size_t j = 0; j < one.world().positions.size(); ++j)
      farthest = std::max(farthest, (one.world().positions[j] - other.world().positions[j]).norm());
  }
  return farthest;
}

TEST(LastDigits, HardlyDecideADragWithinRanges) {
  const std::vector<std::pair<Role, Vec3d>> drags = {
      {Role::head, {0.0, -0.2, 0.0}},   {Role::right_hand, {0.1, -0.6, 0.3}}, {Role::left_hand, {0.2, 0.8, -0.4}},
      {Role::hips, {0.1, -0.25, -0.1}}, {Role::head, {0.3, -0.1, -0.4}},      {Role::right_hand, {0.4, 0.2, -0.5}},
  };
  std::vector<double> apart_m;
  std::string seen;
  for (const char* name : {"walk_normal", "kick", "wave", "run_slow", "idle", "pick_up", "guard", "noh_walk"}) {
    const auto motion = make(name);
    ASSERT_TRUE(motion.has_value()) << motion.error().message;
    for (const auto& [role, way_m] : drags) {
      apart_m.push_back(
          farthest_m(dragged(*motion, role, way_m), dragged(*motion, role, way_m - 1e-7 * Vec3d::UnitY())));
      seen += std::string(name) + " " + std::to_string(1000.0 * apart_m.back()) + " mm\n";
    }
  }
  std::ranges::sort(apart_m);
  // Bodies pressed together from the head buckle to one side or the other; all else is met alike.
  const auto alike = std::ranges::count_if(apart_m, [](double m) { return m <= 1e-5; });
  EXPECT_GE(alike, 38) << seen;
  EXPECT_LT(apart_m[apart_m.size() / 2], 1e-6) << seen;
  EXPECT_LT(apart_m.back(), 0.01) << seen;
}

}  // namespace
}  // namespace shosa::motions
