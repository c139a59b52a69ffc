// A moment that is pulled at shows what the edit will make of it.

#include "shosa/posing/moment_edit.h"

#include <gtest/gtest.h>

#include "posing/everything_on.h"
#include "scenes/scenes.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::posing {
namespace {

class Moment : public testing::Test {
 protected:
  Clip walk_ = scenes::walk({.duration_s = 3.0}).clip;
  body::BodyMap map_ = body::guess_body_map(walk_.skeleton());
  JointIndex hand_ = walk_.skeleton().find("right_hand");

  Clip held(double time_s, int frames) const {
    Clip held(walk_.skeleton_ptr(), frames, walk_.frame_time_s());
    const int frame = static_cast<int>(time_s / walk_.frame_time_s());
    for (int f = 0; f < frames; ++f) held.set_frame(f, walk_.frame(frame));
    return held;
  }
  MotionEditParams led_to(const Clip& clip, const Vec3d& by_m) const {
    MotionEditParams edit = everything_on(clip, map_);
    const Vec3d hand = forward_kinematics(walk_.skeleton(), clip.frame(0)).positions[hand_];
    edit.drags = {{.joint = hand_, .keys = {{0.0, hand + by_m}}, .hold_last = true}};
    return edit;
  }
  static double farthest_m(const Skeleton& skeleton, const Pose& a, const Pose& b) {
    const WorldPose one = forward_kinematics(skeleton, a), other = forward_kinematics(skeleton, b);
    double most = 0.0;
    for (JointIndex j = 0; j < skeleton.joint_count(); ++j)
      most = std::max(most, (one.positions[j] - other.positions[j]).norm());
    return most;
  }
};

TEST_F(Moment, IsWhatTheEditMakesOfIt) {
  const Clip clip = held(0.7, 120);
  for (const Vec3d& by_m : {Vec3d(0.0, 0.2, 0.2), Vec3d(0.1, -0.4, 0.3), Vec3d(0.0, 0.3, 2.0)}) {
    const MotionEditParams edit = led_to(clip, by_m);
    const auto whole = edit_motion(clip, edit);
    ASSERT_TRUE(whole.has_value());
    // Begun elsewhere: the way there is forgotten.
    auto moment = MomentEdit::create(clip, led_to(clip, Vec3d(-0.3, 0.1, 0.0)), 0.5);
    ASSERT_TRUE(moment.has_value()) << moment.error().message;
    ASSERT_TRUE(moment->settle(60).has_value());
    ASSERT_TRUE(moment->lead(hand_, edit.drags[0].keys[0].position_m).has_value());
    auto settled = moment->settle(60);
    int pulls = 1;
    for (; settled && !moment->rests() && pulls < 100; ++pulls) settled = moment->settle(60);
    ASSERT_TRUE(settled.has_value());
    EXPECT_LT(farthest_m(walk_.skeleton(), settled->clip.frame(0), whole->clip.frame(60)), 0.005) << by_m.transpose();
  }
}

TEST_F(Moment, AHeldPostureRestsFromItsFirstFrameOn) {
  const Clip clip = held(0.7, 120);
  const auto edited = edit_motion(clip, led_to(clip, Vec3d(0.1, -0.4, 0.3)));
  ASSERT_TRUE(edited.has_value());
  EXPECT_LT(farthest_m(walk_.skeleton(), edited->clip.frame(0), edited->clip.frame(119)), 0.002);
}

TEST_F(Moment, OverAPlayingClipItIsTheFrameWhereTheKeyIs) {
  MotionEditParams edit = led_to(walk_, Vec3d::Zero());
  const Vec3d hand = forward_kinematics(walk_.skeleton(), walk_.frame(90)).positions[hand_];
  const double time_s = 90 * walk_.frame_time_s();
  edit.drags[0] = {
      .joint = hand_, .keys = {{time_s, hand + Vec3d(0.0, 0.25, 0.1)}}, .fade_in_s = 0.25, .fade_out_s = 0.5};
  const auto whole = edit_motion(walk_, edit);
  auto moment = MomentEdit::create(walk_, edit, time_s);
  ASSERT_TRUE(whole.has_value() && moment.has_value());
  const auto settled = moment->settle(2000);
  ASSERT_TRUE(settled.has_value());
  EXPECT_LT(settled->max_drag_error_m, 1e-4);
  EXPECT_LT(farthest_m(walk_.skeleton(), settled->clip.frame(0), whole->clip.frame(90)), 0.02);
}

TEST_F(Moment, AKeyBetweenTwoFramesCountsForTheNearerOne) {
  const Clip clip = held(0.7, 60);
  MotionEditParams edit = led_to(clip, Vec3d(0.0, 0.1, 0.1));
  const double time_s = 30 * clip.frame_time_s();
  edit.drags[0].keys[0].time_s = time_s + 1e-6;
  const auto whole = edit_motion(clip, edit);
  auto moment = MomentEdit::create(clip, edit, time_s);
  ASSERT_TRUE(whole.has_value() && moment.has_value());
  EXPECT_TRUE(moment->lead(hand_, edit.drags[0].keys[0].position_m).has_value());
  const Vec3d hand = forward_kinematics(walk_.skeleton(), whole->clip.frame(30)).positions[hand_];
  EXPECT_LT((hand - edit.drags[0].keys[0].position_m).norm(), 0.005);
}

TEST_F(Moment, LeadsAndTurnsOnlyWhatTheEditDoes) {
  const Clip clip = held(0.7, 10);
  auto moment = MomentEdit::create(clip, led_to(clip, Vec3d::Zero()), 0.0);
  ASSERT_TRUE(moment.has_value());
  EXPECT_FALSE(moment->lead(walk_.skeleton().find("head"), Vec3d::Zero()).has_value());
  EXPECT_FALSE(moment->turn(hand_, Quatd::Identity()).has_value());
}

}  // namespace
}  // namespace shosa::posing
