#include "shosa/posing/motion_edit.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenes/scenes.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::posing {
namespace {

using testing::HasSubstr;

class MotionEdit : public testing::Test {
 protected:
  Clip walk_ = scenes::walk({.duration_s = 2.0}).clip;
  JointIndex joint(const char* name) const { return walk_.skeleton().find(name); }

  std::vector<MotionPin> feet() const {
    std::vector<MotionPin> pins;
    for (const char* name : {"left_foot", "left_toes", "right_foot", "right_toes"}) {
      MotionPin pin;
      pin.joint = joint(name);
      pins.push_back(pin);
    }
    return pins;
  }
  // The head ducks by 0.25 m around the middle of the walk.
  MotionEditParams duck() const {
    MotionEditParams params;
    params.pins = feet();
    DragLayer layer;
    layer.joint = joint("head");
    layer.relative = true;
    layer.keys = {{0.5, Vec3d::Zero()}, {0.9, Vec3d(0.0, -0.25, 0.05)}, {1.4, Vec3d::Zero()}};
    params.drags = {layer};
    return params;
  }
};

TEST_F(MotionEdit, NothingAskedIsTheReference) {
  MotionEditParams params;
  params.pins = feet();
  const auto result = edit_motion(walk_, params);
  ASSERT_TRUE(result.has_value());
  const ClipPositions before = clip_positions(walk_), after = clip_positions(result->clip);
  for (int f = 0; f < walk_.frame_count(); ++f) {
    for (JointIndex j = 0; j < walk_.joint_count(); ++j) {
      EXPECT_LT((before.joint(f, j) - after.joint(f, j)).norm(), 1e-5) << f << " " << walk_.skeleton().name(j);
    }
  }
}

TEST_F(MotionEdit, AWalkKeepsItsStepsWhileTheHeadDucks) {
  const auto result = edit_motion(walk_, duck());
  ASSERT_TRUE(result.has_value());
  EXPECT_LT(result->max_drag_error_m, 1e-4);
  EXPECT_LT(result->max_pin_error_m, 1e-3);
  // Measured on the clip, not by the solver's word.
  const ClipPositions before = clip_positions(walk_), after = clip_positions(result->clip);
  for (int f = 0; f < walk_.frame_count(); ++f) {
    for (const char* name : {"left_foot", "left_toes", "right_foot", "right_toes"}) {
      EXPECT_LT((before.joint(f, joint(name)) - after.joint(f, joint(name))).norm(), 1e-3) << name << " frame " << f;
    }
  }
  const int lowest = walk_.nearest_frame(0.9);
  const Vec3d moved = after.joint(lowest, joint("head")) - before.joint(lowest, joint("head"));
  EXPECT_LT((moved - Vec3d(0.0, -0.25, 0.05)).norm(), 2e-3);
}

TEST_F(MotionEdit, KneesThatAreKeptOnlyBend) {
  // In this skeleton a knee's axis is X: w and x make the whole turn, and x above 0 bends it.
  const auto worst_deg = [&](const Clip& clip) {
    double sideways = 0.0, backward = 0.0;
    for (const char* name : {"left_lower_leg", "right_lower_leg"}) {
      for (int f = 0; f < clip.frame_count(); ++f) {
        Quatd turn = clip.rotation(f, joint(name)).cast<double>();
        if (turn.w() < 0.0) turn = Quatd(-turn.coeffs());
        sideways = std::max(sideways, 2.0 * std::asin(std::hypot(turn.y(), turn.z())) * 180.0 / M_PI);
        backward = std::max(backward, -2.0 * std::asin(turn.x()) * 180.0 / M_PI);
      }
    }
    return std::pair{sideways, backward};
  };
  const body::BodyMap map = body::guess_body_map(walk_.skeleton());
  auto params = duck();
  params.drags[0].keys[1].position_m = Vec3d(0.2, -0.05, 0.0);  // Aside: a ball for a knee gives way to the side.
  params.desired_weight = 0.01;
  params.ranges = *human_ranges(walk_.skeleton(), map);
  const auto loose = edit_motion(walk_, params);
  ASSERT_TRUE(loose.has_value());
  EXPECT_GT(worst_deg(loose->clip).first, 1.0);

  ASSERT_TRUE(keep_knees(walk_, map, params).has_value());
  const auto kept = edit_motion(walk_, params);
  ASSERT_TRUE(kept.has_value());
  EXPECT_LT(worst_deg(kept->clip).first, 0.1);
  EXPECT_LT(worst_deg(kept->clip).second, 0.5);
  EXPECT_LT(kept->max_pin_error_m, 1e-3);
  EXPECT_EQ(params.freedoms.size(), 2u);
  EXPECT_TRUE(human_knees(scenes::dog_walk({}).clip, body::guess_body_map(*scenes::dog())).empty());
}

TEST_F(MotionEdit, NothingJumpsBetweenFrames) {
  const auto result = edit_motion(walk_, duck());
  const ClipPositions before = clip_positions(walk_), after = clip_positions(result->clip);
  const auto change = [&](int f, JointIndex j) { return Vec3d(after.joint(f, j) - before.joint(f, j)); };
  for (int f = 2; f < walk_.frame_count(); ++f) {
    for (JointIndex j = 0; j < walk_.joint_count(); ++j) {
      // A jump of the change shows in its second difference: 1.5 cm a frame each frame is 54 m/s^2.
      EXPECT_LT((change(f, j) - 2.0 * change(f - 1, j) + change(f - 2, j)).norm(), 0.015)
          << walk_.skeleton().name(j) << " frame " << f;
    }
  }
}

TEST_F(MotionEdit, ReturnsToTheReferenceAfterTheLayer) {
  const auto result = edit_motion(walk_, duck());
  const ClipPositions before = clip_positions(walk_), after = clip_positions(result->clip);
  const int last = walk_.frame_count() - 1;
  for (JointIndex j = 0; j < walk_.joint_count(); ++j) {
    EXPECT_LT((after.joint(last, j) - before.joint(last, j)).norm(), 0.02) << walk_.skeleton().name(j);
  }
}

TEST_F(MotionEdit, WithAReturnWeightNothingIsChangedWhereNothingIsAsked) {
  MotionEditParams params = duck();
  params.stiffness = human_stiffness(walk_.skeleton(), body::guess_body_map(walk_.skeleton()));
  params.return_weight = 1.0;
  const auto result = edit_motion(walk_, params);
  ASSERT_TRUE(result.has_value());
  EXPECT_LT(result->max_drag_error_m, 1e-4);
  EXPECT_LT(result->max_pin_error_m, 1e-3);
  const ClipPositions before = clip_positions(walk_), after = clip_positions(result->clip);
  const auto change = [&](int f, JointIndex j) { return Vec3d(after.joint(f, j) - before.joint(f, j)); };
  for (int f = 2; f < walk_.frame_count(); ++f) {
    const double time_s = f * walk_.frame_time_s();
    for (JointIndex j = 0; j < walk_.joint_count(); ++j) {
      const std::string where = fmt::format("{} at {} s", walk_.skeleton().name(j), time_s);
      if (time_s < 0.5 || time_s > 1.4) {
        EXPECT_LT(change(f, j).norm(), 5e-4) << where;
      }
      EXPECT_LT((change(f, j) - 2.0 * change(f - 1, j) + change(f - 2, j)).norm(), 0.012) << where;
    }
  }
}

TEST_F(MotionEdit, SaysWhichGoalCouldNotBeMet) {
  MotionEditParams params = duck();
  params.drags[0].relative = false;
  for (DragKey& key : params.drags[0].keys) key.position_m = Vec3d(0.0, 6.0, 0.0);
  const auto result = edit_motion(walk_, params);
  ASSERT_TRUE(result.has_value());
  EXPECT_GT(result->max_pin_error_m, 1.0);
  EXPECT_NE(result->worst_pin, kNoJoint);
}

TEST_F(MotionEdit, TwoDragsOfOneJointToDifferentPlacesAreReportedAsNotMet) {
  MotionEditParams params = duck();
  params.drags.push_back(params.drags[0]);
  for (DragKey& key : params.drags[1].keys) key.position_m.x() += 0.1;
  const auto result = edit_motion(walk_, params);
  ASSERT_TRUE(result.has_value());
  EXPECT_GE(result->max_drag_error_m, 0.05 - 1e-9);  // half the way between the two, at best
  EXPECT_EQ(result->worst_drag, joint("head"));
}

TEST_F(MotionEdit, RefusesBrokenRules) {
  MotionEditParams params = duck();
  params.drags[0].keys = {};
  EXPECT_THAT(edit_motion(walk_, params).error().message, HasSubstr("'head': no keys"));
  params = duck();
  std::swap(params.drags[0].keys[0], params.drags[0].keys[2]);
  EXPECT_THAT(edit_motion(walk_, params).error().message, HasSubstr("expected a time after"));
  params = duck();
  params.pins[0].weight = 0.0;
  EXPECT_THAT(edit_motion(walk_, params).error().message, HasSubstr("weight 0"));
  params = duck();
  params.return_weight = -1.0;
  EXPECT_THAT(edit_motion(walk_, params).error().message, HasSubstr("return weight -1"));
  params = duck();
  params.stiffness = {{999, 2.0}};
  EXPECT_THAT(edit_motion(walk_, params).error().message, HasSubstr("stiffness: joint 999"));
  params = duck();
  params.drags[0].keys[1].position_m.y() = std::nan("");
  EXPECT_THAT(edit_motion(walk_, params).error().message, HasSubstr("not finite"));
  params = duck();
  params.pins[0].joint = 99;
  EXPECT_FALSE(edit_motion(walk_, params).has_value());
}

}  // namespace
}  // namespace shosa::posing
