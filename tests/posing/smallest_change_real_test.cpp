// Identity, return and locality of edits on captured clips.

#include <gtest/gtest.h>

#include "posing/everything_on.h"
#include "shosa/analysis/studied_clip.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/io/motion_file.h"
#include "shosa/posing/motion_edit.h"
#include "support/real_data.h"

namespace shosa::posing {
namespace {

class Captured : public testing::TestWithParam<const char*> {
 protected:
  static io::MotionFile read(const std::string& name) {
    auto motion = io::read_motion(shosa::test::real_data_dir() / (name + ".bvh"), {.drop_tpose = true});
    EXPECT_TRUE(motion.has_value()) << motion.error().message;
    return std::move(*motion);
  }
};

TEST_P(Captured, NobodyDragsAndNothingChanges) {
  SHOSA_NEEDS_REAL_DATA();
  const io::MotionFile motion = read(GetParam());
  const Clip& clip = motion.clips[0];
  const auto result = edit_motion(clip, everything_on(clip, motion.body_map, true));
  ASSERT_TRUE(result.has_value()) << result.error().message;
  for (int f = 0; f < clip.frame_count(); ++f) {
    for (JointIndex j = 0; j < clip.joint_count(); ++j)
      ASSERT_EQ(clip.rotation(f, j).coeffs(), result->clip.rotation(f, j).coeffs());
    ASSERT_EQ(clip.translation(f, 0), result->clip.translation(f, 0));
  }
}

TEST_P(Captured, AHandMovesWithoutTheShoulderAndTheBodyComesHome) {
  SHOSA_NEEDS_REAL_DATA();
  const io::MotionFile motion = read(GetParam());
  const Clip& clip = motion.clips[0];
  const body::BodyMap& map = motion.body_map;
  const auto joint = [&](body::Role role) { return map.joint(role); };
  const JointIndex hand = joint(body::Role::right_hand), shoulder = joint(body::Role::right_upper_arm);
  const ClipPositions before = clip_positions(clip);
  const double begin_s = 0.3 * (clip.last_time_s() - 2.5) + 0.1;
  const int middle = clip.nearest_frame(begin_s + 0.5);
  ASSERT_GT(clip.last_time_s(), 2.5);

  // Toward a point 0.7 arm lengths before the shoulder, 0.3 m at most.
  const auto at = [&](body::Role role) { return before.joint(middle, joint(role)); };
  const double arm_m = (at(body::Role::right_lower_arm) - at(body::Role::right_upper_arm)).norm() +
                       (at(body::Role::right_hand) - at(body::Role::right_lower_arm)).norm();
  Vec3d ahead = (at(body::Role::left_upper_leg) - at(body::Role::right_upper_leg)).cross(Vec3d::UnitY());
  ahead = Vec3d(ahead.x(), 0.0, ahead.z()).normalized();
  Vec3d by_m = at(body::Role::right_upper_arm) + 0.7 * arm_m * (0.85 * ahead - 0.5 * Vec3d::UnitY()) -
               at(body::Role::right_hand);
  by_m *= std::min(1.0, 0.3 / by_m.norm());

  MotionEditParams edit = everything_on(clip, map, false);
  edit.drags = {{.joint = hand,
                 .keys = {{begin_s, Vec3d::Zero()}, {begin_s + 0.5, by_m}, {begin_s + 1.0, Vec3d::Zero()}},
                 .relative = true}};
  const auto result = edit_motion(clip, edit);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_LT(result->max_drag_error_m, 1e-4);
  EXPECT_LT(result->max_pin_error_m, 1e-3);
  const ClipPositions after = clip_positions(result->clip);
  double hand_m = 0.0, shoulder_m = 0.0, left_m = 0.0;
  for (int f = 0; f < clip.frame_count(); ++f) {
    hand_m = std::max(hand_m, (after.joint(f, hand) - before.joint(f, hand)).norm());
    shoulder_m = std::max(shoulder_m, (after.joint(f, shoulder) - before.joint(f, shoulder)).norm());
  }
  EXPECT_LT(shoulder_m, 0.15 * hand_m);
  const int later = clip.nearest_frame(begin_s + 2.0);
  for (JointIndex j = 0; j < clip.joint_count(); ++j)
    left_m = std::max(left_m, (after.joint(later, j) - before.joint(later, j)).norm());
  EXPECT_LT(left_m, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Clips, Captured,
                         testing::Values("quality/138_08", "quality/05_14", "quality/77_02", "cmu-bvh/02_01",
                                         "cmu-bvh/16_15"),
                         shosa::test::clip_test_name);

}  // namespace
}  // namespace shosa::posing
