#include "shosa/segment/edit_segment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scene_bodies.h"
#include "scenes/scenes.h"
#include "segment/segment_editor.h"
#include "shosa/analysis/metrics.h"
#include "shosa/io/motion_file.h"
#include "support/real_data.h"
#include "support/same_frame.h"

namespace shosa::segment {
namespace {

using test::same_frame;

class EditSegment : public testing::Test {
 protected:
  Clip walk_ = scenes::walk({.duration_s = 3.0}).clip;
  analysis::StudiedClip studied_ = test::study_scene(walk_);
  ClipPositions positions_ = studied_.positions();
  JointIndex joint(const char* name) const { return walk_.skeleton().find(name); }
};

TEST_F(EditSegment, AnEndThatIsAlreadyMetGivesTheClipBackBitForBit) {
  const int last = walk_.frame_count() - 1;
  for (const auto method : {EditMethod::two_step, EditMethod::one_step, EditMethod::linear}) {
    for (const auto how : {Reconstruction::particles, Reconstruction::pin_drag}) {
      const auto edit =
          edit_segment(studied_, {.handles = {{joint("left_hand"), positions_.joint(last, joint("left_hand"))}},
                                  .method = method,
                                  .reconstruction = how});
      ASSERT_TRUE(edit.has_value()) << edit.error().message;
      for (int f = 0; f <= last; ++f) ASSERT_TRUE(same_frame(edit->clip, walk_, f)) << f;
    }
  }
}

TEST_F(EditSegment, AChangeThatGoesBackLeavesTheRestOfTheClipToTheBit) {
  const Vec3d goal = positions_.joint(90, joint("right_hand")) + Vec3d(0.05, 0.15, 0.1);
  for (const auto how : {Reconstruction::particles, Reconstruction::pin_drag}) {
    const auto edit = edit_segment(studied_, {.handles = {{joint("right_hand"), goal}},
                                              .from_s = 1.0,
                                              .to_s = 1.5,
                                              .reconstruction = how,
                                              .back_by_s = 2.0});
    ASSERT_TRUE(edit.has_value()) << edit.error().message;
    EXPECT_LT(edit->handles[0].end_error_m, 1e-3);
    const ClipPositions now = clip_positions(edit->clip);
    const auto off = [&](int f) {
      return (now.joint(f, joint("right_hand")) - positions_.joint(f, joint("right_hand"))).norm();
    };
    EXPECT_GT(off(105), 0.05);
    EXPECT_LT(off(117), 0.02);
    // Where the particles leave the clip to the bit, the solver that smooths its change needs a few frames more.
    for (int f = how == Reconstruction::particles ? 120 : 135; f < walk_.frame_count(); ++f)
      ASSERT_TRUE(same_frame(edit->clip, walk_, f)) << f;
  }
  const auto early =
      edit_segment(studied_, {.handles = {{joint("right_hand"), goal}}, .from_s = 1.0, .to_s = 1.5, .back_by_s = 1.2});
  ASSERT_FALSE(early.has_value());
  EXPECT_THAT(early.error().message, testing::HasSubstr("back by 1.2 s"));
}

TEST_F(EditSegment, MeetsPositionAndVelocityAtTheEnd) {
  const int last = 120;
  const Vec3d goal = positions_.joint(last, joint("right_hand")) + Vec3d(0.05, 0.15, 0.1);
  const Vec3d velocity(0.2, 0.3, 1.2);
  for (const auto method : {EditMethod::two_step, EditMethod::one_step}) {
    const auto edit = edit_segment(
        studied_, {.handles = {{joint("right_hand"), goal, velocity}}, .from_s = 1.0, .to_s = 2.0, .method = method});
    ASSERT_TRUE(edit.has_value()) << edit.error().message;
    EXPECT_EQ(edit->first, 60);
    EXPECT_EQ(edit->last, last);
    EXPECT_LT(edit->handles[0].end_error_m, 1e-5);
    EXPECT_LT(edit->handles[0].end_velocity_error_mps, 0.05);
    for (int f = 0; f <= 60; ++f) ASSERT_TRUE(same_frame(edit->clip, walk_, f)) << f;
    // Measured here, too.
    const ClipPositions now = clip_positions(edit->clip);
    EXPECT_LT((now.joint(last, joint("right_hand")) - goal).norm(), 1e-5);
    EXPECT_LT((now.joint(last, joint("left_foot")) - positions_.joint(last, joint("left_foot"))).norm(), 1e-5);
  }
}

TEST_F(EditSegment, AVelocityAtTheClipsEndIsThatOfItsLastStep) {
  const int last = walk_.frame_count() - 1;
  const Vec3d goal = positions_.joint(last, joint("left_hand"));
  const auto edit =
      edit_segment(studied_, {.handles = {{joint("left_hand"), goal, Vec3d(0.1, -0.3, 1.0)}}, .from_s = 2.0});
  ASSERT_TRUE(edit.has_value());
  EXPECT_LT(edit->handles[0].end_error_m, 1e-5);
  EXPECT_LT(edit->handles[0].end_velocity_error_mps, 1e-3);
}

TEST_F(EditSegment, AFootThatStandsDoesNotMoveUntilItSwings) {
  // The left foot stands until 0.64 s and lands again at 1.04 s.
  const JointIndex foot = joint("left_foot");
  const int last = 63;
  const Vec3d goal = positions_.joint(last, foot) + Vec3d(0.05, 0.0, -0.12);
  const auto edit = edit_segment(studied_, {.handles = {{foot, goal}}, .from_s = 0.2, .to_s = last / 60.0});
  ASSERT_TRUE(edit.has_value());
  EXPECT_LT(edit->handles[0].end_error_m, 1e-5);
  const ClipPositions now = clip_positions(edit->clip);
  for (int f = 12; f <= 36; ++f) EXPECT_LT((now.joint(f, foot) - positions_.joint(f, foot)).norm(), 1e-5) << f;
  EXPECT_GT((now.joint(50, foot) - positions_.joint(50, foot)).norm(), 0.02);
  // The baseline slides it.
  const auto linear = edit_segment(
      studied_, {.handles = {{foot, goal}}, .from_s = 0.2, .to_s = last / 60.0, .method = EditMethod::linear});
  const ClipPositions slid = clip_positions(linear->clip);
  EXPECT_GT((slid.joint(30, foot) - positions_.joint(30, foot)).norm(), 0.02);
}

TEST_F(EditSegment, HipsTakeTheBodyAlongWhileTheFeetStay) {
  const JointIndex hips = joint("hips");
  const int last = 60;
  const Vec3d goal = positions_.joint(last, hips) + Vec3d(0.0, -0.15, 0.0);
  const auto edit = edit_segment(studied_, {.handles = {{hips, goal}}, .to_s = 1.0});
  ASSERT_TRUE(edit.has_value());
  EXPECT_LT(edit->handles[0].end_error_m, 1e-4);
  const ClipPositions now = clip_positions(edit->clip);
  EXPECT_NEAR(now.joint(last, joint("head")).y(), positions_.joint(last, joint("head")).y() - 0.15, 1e-3);
  // The right foot stands, the left one is about to land.
  EXPECT_LT((now.joint(last, joint("right_toes")) - positions_.joint(last, joint("right_toes"))).norm(), 1e-4);
  EXPECT_LT((now.joint(last, joint("left_foot")) - positions_.joint(last, joint("left_foot"))).norm(), 0.005);
  EXPECT_LT(edit->max_feet_error_m, 1e-4);
}

TEST_F(EditSegment, ThePinAndDragSolverMeetsTheSameEnd) {
  const int last = 120;
  const Vec3d goal = positions_.joint(last, joint("right_hand")) + Vec3d(0.05, 0.2, 0.1);
  const auto edit = edit_segment(studied_, {.handles = {{joint("right_hand"), goal}},
                                            .from_s = 1.0,
                                            .to_s = 2.0,
                                            .reconstruction = Reconstruction::pin_drag});
  ASSERT_TRUE(edit.has_value()) << edit.error().message;
  EXPECT_LT(edit->handles[0].end_error_m, 1e-3);
  for (int f = 0; f <= 60; ++f) ASSERT_TRUE(same_frame(edit->clip, walk_, f)) << f;
}

TEST_F(EditSegment, AfterTheEndTheChangeStaysAndNothingJumps) {
  const JointIndex hand = joint("left_hand");
  const Vec3d goal = positions_.joint(60, hand) + Vec3d(0.1, 0.2, 0.0);
  const auto edit = edit_segment(studied_, {.handles = {{hand, goal, Vec3d(0.0, 1.0, 1.25)}}, .to_s = 1.0});
  ASSERT_TRUE(edit.has_value());
  const ClipPositions now = clip_positions(edit->clip);
  for (int f = 1; f + 1 < now.frame_count(); ++f) {
    const Vec3d bend = now.joint(f + 1, hand) - 2.0 * now.joint(f, hand) + now.joint(f - 1, hand);
    EXPECT_LT(bend.norm() * 3600.0, 40.0) << f;
  }
}

TEST_F(EditSegment, RefusesWhatMakesNoSense) {
  const auto error = [&](SegmentEditParams params) {
    const auto edit = edit_segment(studied_, params);
    return edit ? std::string() : edit.error().message;
  };
  const Vec3d p = Vec3d::Zero();
  EXPECT_THAT(error({}), testing::HasSubstr("no handle"));
  EXPECT_THAT(error({.handles = {{joint("left_hand"), p}}, .from_s = 2.0, .to_s = 1.0}),
              testing::HasSubstr("from 2 s to 1 s"));
  EXPECT_THAT(error({.handles = {{joint("left_hand"), p}}, .to_s = 99.0}), testing::HasSubstr("lasts"));
  EXPECT_THAT(error({.handles = {{joint("left_hand"), p}}, .from_s = 1.0, .to_s = 1.02}),
              testing::HasSubstr("at least 4 frames"));
  EXPECT_THAT(error({.handles = {{joint("left_hand"), Vec3d(NAN, 0, 0)}}}), testing::HasSubstr("not finite"));
  EXPECT_THAT(error({.handles = {{joint("left_hand"), Vec3d(1e100, 1.0, 1.0)}}}), testing::HasSubstr("beyond 10 km"));
  EXPECT_THAT(error({.handles = {{joint("left_hand"), p}, {joint("left_hand"), p}}}), testing::HasSubstr("twice"));
  EXPECT_THAT(error({.handles = {{joint("left_shoulder"), p}}}), testing::HasSubstr("is no handle"));
}

TEST(SegmentEditor, AnEndThatChangesWhilePlayingLeavesWhatWasShown) {
  const Clip walk = scenes::walk({.duration_s = 2.0}).clip;
  const JointIndex hand = walk.skeleton().find("left_hand");
  auto editor = SegmentEditor::create(test::study_scene(walk), 0, 100, {.handles = {{hand, {}}}});
  ASSERT_TRUE(editor.has_value());
  ASSERT_TRUE(editor->set_end(0, {.position = Vec3d(0.1, 0.1, 0.0)}));
  Pose shown[3], again;
  for (int i = 0; i < 3; ++i) editor->evaluate(38 + i, shown[i]);
  ASSERT_TRUE(editor->set_end(0, {.position = Vec3d(-0.1, 0.2, 0.0)}, 40));
  for (int i = 0; i < 3; ++i) {
    editor->evaluate(38 + i, again);
    EXPECT_TRUE(std::ranges::equal(again.rotation_lanes(), shown[i].rotation_lanes()));
  }
  // Frames can be asked for in any order.
  editor->evaluate(100, again);
  const Vec3d end = forward_kinematics(walk.skeleton(), again).positions[hand];
  EXPECT_LT((end - editor->source(0, 100) - Vec3d(-0.1, 0.2, 0.0)).norm(), 1e-5);
  EXPECT_FALSE(editor->set_end(0, {.position = Vec3d(0.5, 0.0, 0.0)}, 99));
}

TEST_F(EditSegment, HeadsAndHandsLedStraightDownBendTheBodyForwardAndNeverBack) {
  for (const auto& [name, way] :
       {std::pair{"head", Vec3d(0.0, -0.3, 0.0)}, std::pair{"left_hand", Vec3d(0.0, -0.6, 0.0)}}) {
    const Vec3d goal = positions_.joint(120, joint(name)) + way;
    const auto edit = edit_segment(studied_, {.handles = {{joint(name), goal}}, .from_s = 1.0, .to_s = 2.0});
    ASSERT_TRUE(edit.has_value()) << edit.error().message;
    EXPECT_LT(edit->handles[0].end_error_m, 1e-3);
    const ClipPositions now = clip_positions(edit->clip);
    for (int f = 60; f < walk_.frame_count(); ++f) {
      // The walk goes along +Z.
      const Vec3d trunk = now.joint(f, joint("neck")) - now.joint(f, joint("hips"));
      const Vec3d own = positions_.joint(f, joint("neck")) - positions_.joint(f, joint("hips"));
      EXPECT_GT(std::atan2(trunk.z(), trunk.y()), std::atan2(own.z(), own.y()) - 0.1) << name << f;
      EXPECT_LT((now.joint(f, joint("neck")) - now.joint(f - 1, joint("neck"))).norm(), 0.075) << name << f;
    }
  }
}

TEST_F(EditSegment, BeyondReachTheFeetStayAndAWarningSaysSo) {
  const Vec3d goal = positions_.joint(120, joint("right_hand")) + Vec3d(0.0, 1.5, 0.0);
  for (const auto how : {Reconstruction::particles, Reconstruction::pin_drag}) {
    const auto edit = edit_segment(
        studied_, {.handles = {{joint("right_hand"), goal}}, .from_s = 1.0, .to_s = 2.0, .reconstruction = how});
    ASSERT_TRUE(edit.has_value()) << edit.error().message;
    EXPECT_GT(edit->handles[0].end_error_m, 0.1);
    EXPECT_LT(edit->max_feet_error_m, 1e-3);
    EXPECT_THAT(edit->warnings, testing::ElementsAre(testing::HasSubstr("out of the body's reach")));
    const ClipPositions now = clip_positions(edit->clip);
    for (int f = 0; f < walk_.frame_count(); ++f)
      EXPECT_LT((now.joint(f, joint("left_foot")) - positions_.joint(f, joint("left_foot"))).norm(), 0.025) << f;
  }
}

analysis::StudiedClip captured(const std::string& name) {
  const auto file = io::read_motion(test::real_data_dir() / "cmu-bvh" / (name + ".bvh"), {.drop_tpose = true});
  EXPECT_TRUE(file.has_value()) << name;
  return analysis::study(file->clips[0], file->body_map);
}

TEST(EditSegmentReal, HandsAndHeadsLedFarAreMetWithStillFeet) {
  SHOSA_NEEDS_REAL_DATA();
  const struct {
    body::Role role;
    Vec3d way;
  } ways[] = {{body::Role::right_hand, {0.0, 0.0, 0.6}},
              {body::Role::right_hand, {0.0, -0.6, 0.3}},
              {body::Role::head, {0.1, -0.3, 0.2}}};
  for (const char* name : {"16_21", "26_09", "08_07", "69_68"}) {
    const auto studied = captured(name);
    const Clip& clip = studied.clip();
    const auto& positions = studied.positions();
    for (const auto& [role, way] : ways) {
      const JointIndex handle = studied.map().joint(role);
      const int last = clip.frame_count() * 3 / 5;
      const Vec3d goal = positions.joint(last, handle) + way;
      for (const auto how : {Reconstruction::particles, Reconstruction::pin_drag}) {
        // The solver takes a hundred times as long; one clip is enough for it.
        if (how == Reconstruction::pin_drag && name != std::string("08_07")) continue;
        const auto edit = edit_segment(
            studied, {.handles = {{handle, goal}}, .to_s = last * clip.frame_time_s(), .reconstruction = how});
        ASSERT_TRUE(edit.has_value()) << edit.error().message;
        EXPECT_LT(edit->handles[0].end_error_m, 1e-3) << name << ' ' << way.transpose();
        EXPECT_LT(edit->max_feet_error_m, 1e-3) << name << ' ' << way.transpose();
      }
    }
  }
}

TEST(EditSegmentReal, CapturedWalksMeetAHandsEnd) {
  SHOSA_NEEDS_REAL_DATA();
  for (const char* name : {"02_01", "07_01", "16_15", "35_01"}) {
    const auto studied = captured(name);
    const Clip& clip = studied.clip();
    const auto& positions = studied.positions();
    const JointIndex hand = studied.map().joint(body::Role::left_hand);
    const int last = clip.nearest_frame(1.5);
    const Vec3d goal = positions.joint(last, hand) + Vec3d(0.0, 0.12, 0.05);
    const auto edit = edit_segment(studied, {.handles = {{hand, goal, Vec3d::Zero()}}, .from_s = 0.5, .to_s = 1.5});
    ASSERT_TRUE(edit.has_value()) << edit.error().message;
    EXPECT_LT(edit->handles[0].end_error_m, 1e-4) << name;
    EXPECT_LT(edit->handles[0].end_velocity_error_mps, 0.02) << name;
  }
}

TEST_F(EditSegment, AFreeAxisStaysAsTheClipHasIt) {
  const Vec3d own = positions_.joint(90, joint("right_hand"));
  const HandleEnd end{.joint = joint("right_hand"),
                      .position_m = own + Vec3d(0.1, 9.0, 0.1),
                      .velocity_mps = {},
                      .free = {false, true, false}};
  const auto edit = edit_segment(studied_, {.handles = {end}, .from_s = 1.0, .to_s = 1.5});
  ASSERT_TRUE(edit.has_value()) << edit.error().message;
  const Vec3d made = clip_positions(edit->clip).joint(90, joint("right_hand"));
  EXPECT_NEAR(made.x(), own.x() + 0.1, 1e-4);
  EXPECT_NEAR(made.y(), own.y(), 1e-4);
  EXPECT_NEAR(made.z(), own.z() + 0.1, 1e-4);
  EXPECT_LT(edit->handles[0].end_error_m, 1e-4);
}

// A hand reaches higher straight above its shoulder than beside it.
TEST_F(EditSegment, AFreeAxisIsUsedWhereTheBodyReachesTheRestElsewhere) {
  const Vec3d own = positions_.joint(90, joint("right_hand"));
  const auto miss = [&](double up_m, bool free) {
    const HandleEnd end{.joint = joint("right_hand"),
                        .position_m = own + Vec3d(-0.3, up_m, 0.3),
                        .velocity_mps = {},
                        .free = {free, false, free}};
    const auto edit = edit_segment(studied_, {.handles = {end}, .from_s = 1.0, .to_s = 1.5});
    EXPECT_TRUE(edit.has_value());
    return edit->handles[0].end_error_m;
  };
  double up_m = 0.3;
  while (miss(up_m, false) < 0.02) up_m += 0.05;
  EXPECT_LT(miss(up_m, true), 1e-3) << up_m;
}

TEST_F(EditSegment, NoHandleGoesFasterThanIsAllowed) {
  const JointIndex hand = joint("right_hand");
  const Vec3d goal = positions_.joint(90, hand) + Vec3d(0.0, 0.5, 0.3);
  SegmentEditParams params{.handles = {{hand, goal}}, .from_s = 1.0, .to_s = 1.5};
  const auto free = edit_segment(studied_, params);
  params.max_speed_mps = 2.0;
  const auto slow = edit_segment(studied_, params);
  ASSERT_TRUE(free.has_value() && slow.has_value());
  const double dt = walk_.frame_time_s();
  const auto fastest = [&](const Clip& clip) {
    const ClipPositions made = clip_positions(clip);
    double most = 0.0;
    for (int f = 60; f < 90; ++f) most = std::max(most, (made.joint(f + 1, hand) - made.joint(f, hand)).norm() / dt);
    return most;
  };
  ASSERT_GT(fastest(free->clip), 2.2);
  EXPECT_LT(fastest(slow->clip), 2.0 * 1.001);
  EXPECT_NEAR(slow->handles[0].max_speed_mps, 2.0, 1e-6);
  EXPECT_LT(slow->handles[0].share, 1.0);
  // What was not made of the change is the error.
  const Vec3d whole = goal - positions_.joint(90, hand);
  EXPECT_NEAR(slow->handles[0].end_error_m, (1.0 - slow->handles[0].share) * whole.norm(), 1e-3);
  EXPECT_THAT(slow->warnings, testing::Contains(testing::HasSubstr("faster than 2 m/s")));
  params.max_speed_mps = 0.0;
  EXPECT_FALSE(edit_segment(studied_, params).has_value());
}

}  // namespace
}  // namespace shosa::segment
