// An edit is the smallest change: nothing where nothing is asked, the limb first, and home again.

#include <gtest/gtest.h>

#include "posing/everything_on.h"
#include "scenes/scenes.h"
#include "shosa/analysis/studied_clip.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/posing/motion_edit.h"
#include "support/same_frame.h"

namespace shosa::posing {
namespace {

using shosa::test::same_frame;

class SmallestChange : public testing::Test {
 protected:
  Clip walk_ = scenes::walk({.duration_s = 3.0}).clip;
  body::BodyMap map_ = body::guess_body_map(walk_.skeleton());
  JointIndex joint(const char* name) const { return walk_.skeleton().find(name); }

  MotionEditParams everything(const Clip& clip) const { return everything_on(clip, map_); }
  // The right hand forward and back between 1 and 2 s.
  DragLayer reach(const Vec3d& by_m) const {
    return {.joint = joint("right_hand"),
            .keys = {{1.0, Vec3d::Zero()}, {1.4, by_m}, {1.6, by_m}, {2.0, Vec3d::Zero()}},
            .relative = true};
  }
};

TEST_F(SmallestChange, WithoutGoalsTheReferenceComesOutToTheBitWhateverRangesAndBalanceSay) {
  // A spine and an arm far out of their ranges, the body far off its feet.
  Clip odd = walk_;
  for (int f = 0; f < odd.frame_count(); ++f) {
    for (const char* name : {"spine", "left_upper_arm", "left_foot"}) {
      const Quatf bent(Eigen::AngleAxisf(1.8f, Eigen::Vector3f::UnitX()));
      odd.set_rotation(f, joint(name), odd.rotation(f, joint(name)) * bent);
    }
  }
  const auto result = edit_motion(odd, everything(odd));
  ASSERT_TRUE(result.has_value()) << result.error().message;
  for (int f = 0; f < odd.frame_count(); ++f) ASSERT_TRUE(same_frame(result->clip, odd, f)) << f;
  EXPECT_EQ(result->max_range_violation_deg, 0.0);
  EXPECT_EQ(result->max_balance_error_m, 0.0);
}

TEST_F(SmallestChange, ARangeDrawsBackOnlyWhatTheEditPushedOut) {
  PinDragSolver solver(walk_.skeleton_ptr());
  const auto ranges = *human_ranges(walk_.skeleton(), map_);
  for (const HumanRange& entry : ranges) solver.set_range(entry.joint, entry.range);
  Articulation reference(walk_.skeleton_ptr());
  const auto bend = [&](double angle) { return Quatd(Eigen::AngleAxisd(angle, Vec3d::UnitX())); };
  reference.set_rotation(joint("spine"), bend(-1.2));
  reference.update_world();
  solver.body() = reference;
  const double out_rad = solver.range_violation_rad(joint("spine"));
  ASSERT_GT(out_rad, 0.3);
  solver.allow(reference);
  EXPECT_EQ(solver.range_violation_rad(joint("spine")), 0.0);
  // A quarter of a radian further out: that is what is out now, and it comes back to the reference and no further.
  solver.body().set_rotation(joint("spine"), bend(-1.45));
  solver.body().update_world();
  EXPECT_NEAR(solver.range_violation_rad(joint("spine")), 0.25, 0.02);
  for (int i = 0; i < 200; ++i) solver.step(1.0 / 60.0);
  EXPECT_LT(solver.range_violation_rad(joint("spine")), 1e-3);
  EXPECT_LT(solver.body().rotation(joint("spine")).angularDistance(bend(-1.2)), 0.02);
}

TEST_F(SmallestChange, ADragIsMeasuredWhereItIsAskedForInFullAndTheWorstFrameIsTold) {
  // A place low down that the walk is not yet near while the drag fades in.
  const Vec3d hand = clip_positions(walk_).joint(walk_.nearest_frame(1.0), joint("right_hand"));
  MotionEditParams edit = everything_on(walk_, map_, false);
  edit.drags = {{.joint = joint("right_hand"),
                 .keys = {{1.0, Vec3d(hand.x(), 0.35, hand.z() + 0.3)}},
                 .fade_in_s = 0.8,
                 .fade_out_s = 0.8}};
  const auto met = edit_motion(walk_, edit);
  ASSERT_TRUE(met.has_value()) << met.error().message;
  EXPECT_LT(met->max_drag_error_m, 1e-3);
  // A second key far out of reach is off where it is, and by what the result has.
  edit.drags[0].keys.push_back({1.5, Vec3d(hand.x(), 3.0, hand.z() + 0.8)});
  const auto off = edit_motion(walk_, edit);
  ASSERT_TRUE(off.has_value()) << off.error().message;
  EXPECT_NEAR(off->worst_drag_s, 1.5, 0.5 * walk_.frame_time_s() + 1e-9);
  const Vec3d made = clip_positions(off->clip).joint(walk_.nearest_frame(1.5), joint("right_hand"));
  EXPECT_NEAR(off->max_drag_error_m, (made - edit.drags[0].keys[1].position_m).norm(), 1e-3);
}

TEST_F(SmallestChange, AHandWithinReachLeavesTheTrunkAloneAndTheBodyComesHome) {
  MotionEditParams edit = everything(walk_);
  edit.drags = {reach({0.0, 0.12, 0.15})};
  const auto result = edit_motion(walk_, edit);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_LT(result->max_drag_error_m, 1e-4);
  EXPECT_LT(result->max_pin_error_m, 1e-3);
  const ClipPositions before = clip_positions(walk_), after = clip_positions(result->clip);
  const auto change = [&](int f, const char* name) {
    return (after.joint(f, joint(name)) - before.joint(f, joint(name))).norm();
  };
  double hand = 0.0, shoulder = 0.0, hips = 0.0;
  for (int f = 0; f < walk_.frame_count(); ++f) {
    hand = std::max(hand, change(f, "right_hand"));
    shoulder = std::max(shoulder, change(f, "right_upper_arm"));
    hips = std::max(hips, change(f, "hips"));
  }
  EXPECT_GT(hand, 0.15);
  EXPECT_LT(shoulder, 0.05 * hand);
  EXPECT_LT(hips, 0.02 * hand);
  for (int f = 0; f <= walk_.nearest_frame(0.8); ++f) ASSERT_TRUE(same_frame(result->clip, walk_, f)) << f;
  for (int f = walk_.nearest_frame(2.3); f < walk_.frame_count(); ++f)
    ASSERT_TRUE(same_frame(result->clip, walk_, f)) << f;

  // All joints equal, as the seed has it, the trunk goes along.
  edit.weights.reset();
  const auto equal = edit_motion(walk_, edit);
  ASSERT_TRUE(equal.has_value());
  const ClipPositions moved = clip_positions(equal->clip);
  const int middle = walk_.nearest_frame(1.5);
  EXPECT_GT((moved.joint(middle, joint("right_upper_arm")) - before.joint(middle, joint("right_upper_arm"))).norm(),
            0.15 * hand);
}

TEST_F(SmallestChange, BeyondTheArmTheTrunkJoinsInAndTheBodyStillComesHome) {
  MotionEditParams edit = body_edit(walk_.skeleton(), map_);
  edit.pins = everything(walk_).pins;
  edit.drags = {reach({0.0, -0.3, 0.45})};
  const auto result = edit_motion(walk_, edit);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_LT(result->max_drag_error_m, 1e-4);
  EXPECT_LT(result->max_pin_error_m, 1e-3);
  const ClipPositions before = clip_positions(walk_), after = clip_positions(result->clip);
  const int middle = walk_.nearest_frame(1.5), last = walk_.frame_count() - 1;
  EXPECT_GT((after.joint(middle, joint("head")) - before.joint(middle, joint("head"))).norm(), 0.05);
  ASSERT_TRUE(same_frame(result->clip, walk_, last));

  // The free arm hangs as it did: its upper bone points where the walk has it.
  const auto down = [&](const ClipPositions& at) {
    return (at.joint(middle, joint("left_lower_arm")) - at.joint(middle, joint("left_upper_arm"))).normalized();
  };
  const double hanging = std::acos(down(before).y()) - std::acos(down(after).y());
  EXPECT_LT(std::abs(hanging), 0.03);
}

TEST_F(SmallestChange, AHandLedFarBeyondReachTakesNobodyOffHisFeet) {
  const auto studied = analysis::study(walk_, map_);
  for (const Vec3d& away : {Vec3d(-0.2, 1.0, 0.6), Vec3d(-3.0, 0.5, 1.0), Vec3d(0.0, 0.5, 20.0)}) {
    MotionEditParams edit = everything(walk_);
    edit.pins = feet_pins(studied.contacts());
    edit.drags = {reach(away)};
    edit.drags[0].fade_in_s = edit.drags[0].fade_out_s = 0.4;
    const auto result = edit_motion(walk_, edit);
    ASSERT_TRUE(result.has_value()) << result.error().message;
    EXPECT_LT(result->max_pin_error_m, 0.005);
    const ClipPositions before = clip_positions(walk_), after = clip_positions(result->clip);
    for (int f = 0; f < walk_.frame_count(); ++f)
      ASSERT_LT((after.joint(f, joint("hips")) - before.joint(f, joint("hips"))).norm(), 0.4) << f;
    // What was asked is told, not what the hand was led to.
    EXPECT_GT(result->max_drag_error_m, away.norm() - 1.3);
  }
}

TEST_F(SmallestChange, AHeadThatIsLedDownTakesTheTrunkAlong) {
  MotionEditParams duck = everything(walk_);
  duck.drags = {{.joint = joint("head"),
                 .keys = {{1.0, Vec3d::Zero()}, {1.5, {0.0, -0.25, 0.0}}, {2.0, Vec3d::Zero()}},
                 .relative = true}};
  const auto result = edit_motion(walk_, duck);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_LT(result->max_drag_error_m, 1e-3);
  Articulation before(walk_.skeleton_ptr()), after = before;
  Vec3d last = Vec3d::Zero();
  double neck_rad = 0.0, step_m = 0.0;
  for (int f = 0; f < walk_.frame_count(); ++f) {
    before.set_pose(walk_.frame(f));
    after.set_pose(result->clip.frame(f));
    neck_rad = std::max(neck_rad, before.rotation(joint("neck")).angularDistance(after.rotation(joint("neck"))));
    const Vec3d change = after.world().positions[joint("head")] - before.world().positions[joint("head")];
    if (f > 0) step_m = std::max(step_m, (change - last).norm());
    last = change;
  }
  EXPECT_LT(neck_rad, 0.7);
  EXPECT_LT(step_m, 0.02);
}

TEST_F(SmallestChange, WeightsAreInertiasAboutTheJoint) {
  const BodyWeights weights = body_weights(walk_.skeleton(), map_);
  // Forearm and hand: 2.2 % of the mass at 0.682 of the way (body/body_segments.h).
  const auto& rest = walk_.skeleton().rest_positions();
  const double forearm = (rest[joint("left_hand")] - rest[joint("left_lower_arm")]).norm();
  EXPECT_NEAR(weights.inertia_m2[joint("left_lower_arm")], 0.022 * std::pow(0.682 * forearm, 2), 1e-9);
  EXPECT_GT(weights.inertia_m2[joint("spine")], weights.inertia_m2[joint("left_upper_arm")] * 10.0);
  for (const double inertia : weights.inertia_m2) EXPECT_GT(inertia, 0.0);
  // A body without roles, and one without length, have weights too.
  const auto chain = scenes::chain(3);
  EXPECT_EQ(body_weights(*chain, body::BodyMap()).inertia_m2.size(), std::size_t(chain->joint_count()));
}

TEST_F(SmallestChange, BalanceAsksForNothingInFlightAndForLittleAsAFootLiftsOff) {
  MotionEditParams edit = everything(walk_);
  edit.stances = {{joint("left_foot"), {100.0, 101.0}}};  // never within the clip: all of it is flight
  edit.drags = {reach({0.3, 0.0, 0.3})};
  const auto flying = edit_motion(walk_, edit);
  ASSERT_TRUE(flying.has_value());
  edit.balance.reset();
  const auto without = edit_motion(walk_, edit);
  ASSERT_TRUE(without.has_value());
  for (int f = 0; f < walk_.frame_count(); ++f) ASSERT_TRUE(same_frame(flying->clip, without->clip, f)) << f;
  // Shares are odds against the body.
  EXPECT_EQ(faded_strength(1e4, 1.0), 1e4);
  EXPECT_EQ(faded_strength(1e4, 0.5), 1.0);
  EXPECT_EQ(faded_strength(1e4, 0.0), 0.0);
}

TEST_F(SmallestChange, APinThatOnlyHoldsLetsGoOverItsWholeFade) {
  // The trunk is led away while a hand stays until 1 s.
  const Clip stand = scenes::stand().clip;
  MotionEditParams edit = body_edit(stand.skeleton(), map_);
  edit.drags = {{.joint = joint("hips"),
                 .keys = {{0.0, Vec3d::Zero()}, {0.5, Vec3d(0.0, -0.25, 0.1)}},
                 .relative = true,
                 .hold_last = true}};
  const auto free = edit_motion(stand, edit);
  edit.pins = {{.joint = joint("right_hand"), .to_s = 1.0, .fade_s = 0.25}};
  const auto held = edit_motion(stand, edit);
  ASSERT_TRUE(free.has_value() && held.has_value());
  const ClipPositions home = clip_positions(stand), away = clip_positions(free->clip),
                      made = clip_positions(held->clip);
  const auto gone = [&](double time_s) {
    const int f = stand.nearest_frame(time_s);
    const JointIndex hand = joint("right_hand");
    return (made.joint(f, hand) - home.joint(f, hand)).norm() / (away.joint(f, hand) - home.joint(f, hand)).norm();
  };
  EXPECT_LT(gone(1.0), 0.01);
  EXPECT_GT(gone(1.125), 0.15);
  EXPECT_LT(gone(1.125), 0.6);
  EXPECT_GT(gone(1.25), 0.9);
  EXPECT_NEAR(gone(1.4), 1.0, 0.01);
}

TEST_F(SmallestChange, APinThatFadesInDoesNotJump) {
  MotionEditParams edit = body_edit(walk_.skeleton(), map_);
  const Clip stand = scenes::stand().clip;
  const ClipPositions before = clip_positions(stand);
  edit.pins = {{.joint = joint("right_hand"),
                .position_m = before.joint(0, joint("right_hand")) + Vec3d(-0.1, 0.25, 0.1),
                .from_s = 1.0,
                .to_s = 2.0,
                .fade_s = 0.25}};
  const auto result = edit_motion(stand, edit);
  ASSERT_TRUE(result.has_value());
  const ClipPositions after = clip_positions(result->clip);
  double fastest = 0.0;
  for (int f = 1; f < stand.frame_count(); ++f) {
    fastest = std::max(fastest, (after.joint(f, joint("right_hand")) - after.joint(f - 1, joint("right_hand"))).norm());
  }
  // 0.29 m in 0.25 s: 3.6 cm in the fastest of 15 frames of a smooth step, not 29 in one.
  EXPECT_LT(fastest, 0.06);
}

}  // namespace
}  // namespace shosa::posing
