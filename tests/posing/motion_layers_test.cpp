#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "scenes/scenes.h"
#include "shosa/analysis/metrics.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/posing/motion_edit.h"

namespace shosa::posing {
namespace {

using testing::HasSubstr;

class MotionLayers : public testing::Test {
 protected:
  Clip walk_ = scenes::walk({.duration_s = 2.5}).clip;
  body::BodyMap map_ = body::guess_body_map(walk_.skeleton());
  analysis::FootContacts contacts_ = analysis::study(walk_, map_).contacts();
  JointIndex joint(const char* name) const { return walk_.skeleton().find(name); }

  MotionEditParams drag(const char* name, const Vec3d& by) const {
    MotionEditParams params;
    params.pins = feet_pins(contacts_);
    params.stiffness = human_stiffness(walk_.skeleton(), map_);
    DragLayer layer;
    layer.joint = joint(name);
    layer.relative = true;
    layer.keys = {{0.6, Vec3d::Zero()}, {1.2, by}, {1.8, Vec3d::Zero()}};
    params.drags = {layer};
    return params;
  }
  Vec3d place(const Clip& clip, const char* name, double time_s) const {
    return clip_positions(clip).joint(clip.nearest_frame(time_s), joint(name));
  }
};

TEST_F(MotionLayers, FeetPinsKeepEveryStepWhileTheHeadDucks) {
  const auto result = edit_motion(walk_, drag("head", Vec3d(0.0, -0.25, 0.0)));
  ASSERT_TRUE(result.has_value()) << result.error().message;
  const ClipPositions before = clip_positions(walk_), after = clip_positions(result->clip);
  for (const analysis::FootContactTrack& foot : contacts_.feet) {
    for (const TimeInterval& stance : foot.joined) {
      for (int f = walk_.nearest_frame(stance.begin_s); f <= walk_.nearest_frame(stance.end_s); ++f) {
        for (const int point : {foot.points.heel, foot.points.toe}) {
          EXPECT_LT((before.point(f, point) - after.point(f, point)).norm(), 1e-3) << foot.points.name << " " << f;
        }
      }
    }
  }
  EXPECT_NEAR((place(result->clip, "head", 1.2) - place(walk_, "head", 1.2)).y(), -0.25, 1e-3);
}

TEST_F(MotionLayers, FeetPinsAreFirmInStancesAndLightInTheAir) {
  const auto pins = feet_pins(contacts_, 0.05);
  std::size_t stances = 0;
  for (const auto& foot : contacts_.feet) stances += foot.stances.size();
  EXPECT_EQ(pins.size(), contacts_.feet.size() + stances);
  EXPECT_EQ(std::ranges::count_if(pins, [](const MotionPin& pin) { return pin.weight == 0.05; }),
            static_cast<long>(contacts_.feet.size()));
  EXPECT_EQ(feet_pins(contacts_, 0.0).size(), stances);
}

TEST_F(MotionLayers, EachLayerEditsWhatTheOneBeforeMade) {
  const std::vector<MotionEditParams> layers = {drag("head", Vec3d(0.0, -0.2, 0.0)),
                                                drag("left_hand", Vec3d(0.1, 0.3, 0.1))};
  const auto both = edit_motion(walk_, layers);
  ASSERT_TRUE(both.has_value()) << both.error().message;
  const auto first = edit_motion(walk_, layers[0]);
  ASSERT_TRUE(first.has_value());
  const auto second = edit_motion(first->clip, layers[1]);
  ASSERT_TRUE(second.has_value());
  for (int f = 0; f < walk_.frame_count(); ++f) {
    for (JointIndex j = 0; j < walk_.joint_count(); ++j) {
      ASSERT_EQ(both->clip.rotation(f, j).coeffs(), second->clip.rotation(f, j).coeffs());
    }
  }
  EXPECT_EQ(both->steps, first->steps + second->steps);
  EXPECT_NEAR(
      (place(both->clip, "left_hand", 1.2) - place(first->clip, "left_hand", 1.2) - Vec3d(0.1, 0.3, 0.1)).norm(), 0.0,
      1e-3);
}

TEST_F(MotionLayers, TheirOrderCounts) {
  std::vector<MotionEditParams> layers = {drag("head", Vec3d(0.0, -0.2, 0.0)), drag("head", Vec3d(0.0, 0.0, 0.0))};
  layers[1].drags[0].relative = false;
  for (DragKey& key : layers[1].drags[0].keys) key.position_m = place(walk_, "head", key.time_s);
  const auto there = edit_motion(walk_, layers);
  std::swap(layers[0], layers[1]);
  const auto back = edit_motion(walk_, layers);
  ASSERT_TRUE(there.has_value() && back.has_value());
  EXPECT_NEAR((place(there->clip, "head", 1.2) - place(walk_, "head", 1.2)).norm(), 0.0, 2e-3);
  EXPECT_NEAR((place(back->clip, "head", 1.2) - place(walk_, "head", 1.2)).y(), -0.2, 2e-3);
}

TEST_F(MotionLayers, NoLayersGiveTheClipBack) {
  const auto none = edit_motion(walk_, std::span<const MotionEditParams>());
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(none->clip.rotation(10, 3).coeffs(), walk_.rotation(10, 3).coeffs());
}

TEST_F(MotionLayers, ALayerThatFailsIsNamed) {
  std::vector<MotionEditParams> layers = {drag("head", Vec3d(0.0, -0.2, 0.0)), drag("head", Vec3d::Zero())};
  layers[1].drags[0].keys.clear();
  EXPECT_THAT(edit_motion(walk_, layers).error().message, HasSubstr("layer 1"));
}

TEST_F(MotionLayers, SmoothingAddsNoJerkAndLosesNoGoal) {
  MotionEditParams rough = drag("head", Vec3d(0.0, -0.25, 0.0)), smooth = rough;
  rough.smooth_s = 0.0;
  const auto a = edit_motion(walk_, rough), b = edit_motion(walk_, smooth);
  ASSERT_TRUE(a.has_value() && b.has_value());
  const auto jerk = [&](const Clip& clip) {
    return analysis::measure_quality(analysis::study(clip, {})).mean_jerk_mps3;
  };
  EXPECT_LE(jerk(b->clip), jerk(a->clip));
  EXPECT_LT(b->max_pin_error_m, 1e-3);
  EXPECT_LT(b->max_drag_error_m, 1e-4);
}

TEST_F(MotionLayers, WrongFadesTimesAndWeightsAreRefused) {
  MotionEditParams params = drag("head", Vec3d::Zero());
  params.pins[0].fade_s = -1.0;
  EXPECT_THAT(edit_motion(walk_, params).error().message, HasSubstr("fade -1"));
  params = drag("head", Vec3d::Zero());
  params.pins[0].to_s = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(edit_motion(walk_, params).error().message, HasSubstr("finite times"));
  params = drag("head", Vec3d::Zero());
  params.desired_weights = {{999, 1.0}};
  EXPECT_THAT(edit_motion(walk_, params).error().message, HasSubstr("joint 999"));
  params = drag("head", Vec3d::Zero());
  params.smooth_s = -0.1;
  EXPECT_THAT(edit_motion(walk_, params).error().message, HasSubstr("smoothing"));
}

}  // namespace
}  // namespace shosa::posing
