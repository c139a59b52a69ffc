// The method's own example on captured walks: the head ducks, then the left hand is moved; the steps stay.

#include <gtest/gtest.h>

#include "shosa/analysis/metrics.h"
#include "shosa/io/motion_file.h"
#include "shosa/posing/motion_edit.h"
#include "support/real_data.h"

namespace shosa::posing {
namespace {

class Dodge : public testing::TestWithParam<const char*> {};

TEST_P(Dodge, StepsStayWhereTheyWereWhileHeadAndHandMove) {
  SHOSA_NEEDS_REAL_DATA();
  const auto motion = io::read_motion(test::real_data_dir() / (std::string(GetParam()) + ".bvh"), {.drop_tpose = true});
  ASSERT_TRUE(motion.has_value()) << motion.error().message;
  const Clip& walk = motion->clips[0];
  const body::BodyMap& map = motion->body_map;
  MotionEditParams edit;
  edit.stiffness = human_stiffness(walk.skeleton(), map);
  for (const body::Role role :
       {body::Role::left_foot, body::Role::left_toes, body::Role::right_foot, body::Role::right_toes}) {
    if (map.has(role)) edit.pins.push_back({.joint = map.joint(role)});
  }
  ASSERT_GE(edit.pins.size(), 2u);

  // In the middle of the clip, for half of its length.
  const double length_s = walk.last_time_s(), leg_m = 0.9;
  const auto layer = [&](body::Role role, const Vec3d& by_m) {
    return DragLayer{.joint = map.joint(role),
                     .keys = {{0.25 * length_s, Vec3d::Zero()},
                              {0.45 * length_s, leg_m * by_m},
                              {0.55 * length_s, leg_m * by_m},
                              {0.75 * length_s, Vec3d::Zero()}},
                     .relative = true};
  };
  const std::vector<MotionPin> feet = edit.pins;
  Clip edited = walk;
  for (const DragLayer& drag : {layer(body::Role::head, {0, -0.2, 0}), layer(body::Role::left_hand, {0, 0.25, 0})}) {
    edit.drags = {drag};
    // The second layer leaves the head where the first has put it.
    if (drag.joint != map.joint(body::Role::head)) edit.pins.push_back({.joint = map.joint(body::Role::head)});
    auto result = edit_motion(edited, edit);
    ASSERT_TRUE(result.has_value()) << result.error().message;
    EXPECT_LT(result->max_drag_error_m, 1e-3);
    edited = std::move(result->clip);
  }

  const ClipPositions before = clip_positions(walk), after = clip_positions(edited);
  double feet_m = 0.0;
  for (int f = 0; f < walk.frame_count(); ++f) {
    for (const MotionPin& pin : feet) {
      feet_m = std::max(feet_m, (after.joint(f, pin.joint) - before.joint(f, pin.joint)).norm());
    }
  }
  EXPECT_LE(feet_m, 1e-3);
  const int middle = walk.frame_count() / 2;
  const JointIndex head = map.joint(body::Role::head), hand = map.joint(body::Role::left_hand);
  EXPECT_LT((after.joint(middle, head) - before.joint(middle, head)).y(), -0.1);
  EXPECT_GT((after.joint(middle, hand) - after.joint(middle, head)).y(),
            (before.joint(middle, hand) - before.joint(middle, head)).y() + 0.15);

  const auto contacts = analysis::find_foot_contacts(walk, before, map);
  ASSERT_TRUE(contacts.has_value()) << contacts.error().message;
  EXPECT_LE(analysis::measure_quality(*analysis::study(edited, map, *contacts)).foot_skate_mps,
            analysis::measure_quality(analysis::study(walk, map)).foot_skate_mps + 2e-3);
}

INSTANTIATE_TEST_SUITE_P(Walks, Dodge,
                         testing::Values("cmu-bvh/02_01", "cmu-bvh/07_01", "cmu-bvh/16_15", "cmu-bvh/35_01",
                                         "bandai-NC/dataset-1_walk_normal_001"),
                         shosa::test::clip_test_name);

}  // namespace
}  // namespace shosa::posing
