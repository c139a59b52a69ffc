#include <cmath>

#include "c_api.h"
#include "scenes/allocations.h"

namespace shosa {
namespace {

using test::CApi;
using testing::HasSubstr;

class CPinDrag : public CApi {
 protected:
  CPinDrag() {
    EXPECT_TRUE(ok(shosa_pin_drag_create(context, motion("idle"), nullptr, &solver)));
    EXPECT_TRUE(ok(shosa_pin_drag_get_pose(context, solver, &pose)));
  }
  int32_t joint(const char* name) const {
    int32_t found = -1;
    EXPECT_TRUE(ok(shosa_joint_find(context, solver, name, &found)));
    return found;
  }
  /// Holds a joint where it is.
  shosa_goal here(const char* name) const {
    shosa_goal goal = SHOSA_GOAL_INIT;
    goal.joint = joint(name);
    for (int axis = 0; axis < 3; ++axis) goal.position_m[axis] = pose.matrices[16 * goal.joint + 12 + axis];
    return goal;
  }
  shosa_step_report settle() const {
    shosa_step_report report = SHOSA_STEP_REPORT_INIT;
    for (int i = 0; i < 120; ++i) EXPECT_TRUE(ok(shosa_pin_drag_step(context, solver, 1.0 / 60.0, &report)));
    return report;
  }

  shosa_pin_drag solver = 0;
  shosa_pose pose = SHOSA_POSE_INIT;
};

TEST_F(CPinDrag, ADraggedHandArrivesAndPinnedFeetStay) {
  shosa_goal left = here("left_foot"), right = here("right_foot"), hand = here("right_hand");
  hand.priority = SHOSA_PRIORITY_HIGH;
  hand.position_m[1] += 0.2;
  uint32_t number = 0;
  ASSERT_TRUE(ok(shosa_pin_drag_add_goal(context, solver, &left, nullptr)));
  ASSERT_TRUE(ok(shosa_pin_drag_add_goal(context, solver, &right, nullptr)));
  ASSERT_TRUE(ok(shosa_pin_drag_add_goal(context, solver, &hand, &number)));
  EXPECT_EQ(number, 2U);
  ASSERT_TRUE(ok(shosa_pin_drag_set_ranges(context, solver, nullptr)));
  ASSERT_TRUE(ok(shosa_pin_drag_allow_pose(context, solver)));
  ASSERT_TRUE(ok(shosa_pin_drag_set_balance(context, solver, nullptr)));
  ASSERT_TRUE(ok(shosa_pin_drag_use_inertia(context, solver)));
  const shosa_step_report report = settle();
  EXPECT_LT(report.max_drag_error_m, 1e-3);
  EXPECT_LT(report.max_pin_error_m, 5e-3);
  EXPECT_NEAR(pose.matrices[16 * hand.joint + 13], hand.position_m[1], 1e-3);
  double error_m = 1.0;
  ASSERT_TRUE(ok(shosa_pin_drag_goal_error(context, solver, number, &error_m, nullptr)));
  EXPECT_LT(error_m, 1e-3);

  // Off: the arm goes nowhere by itself, and the goal does not count.
  hand.off = 1;
  hand.position_m[1] += 5.0;
  ASSERT_TRUE(ok(shosa_pin_drag_set_goal(context, solver, number, &hand)));
  EXPECT_LT(settle().max_drag_error_m, 1e-6);
}

TEST_F(CPinDrag, StepsAllocateNothing) {
  shosa_goal hand = here("right_hand");
  hand.priority = SHOSA_PRIORITY_HIGH;
  ASSERT_TRUE(ok(shosa_pin_drag_add_goal(context, solver, &hand, nullptr)));
  ASSERT_TRUE(ok(shosa_pin_drag_step(context, solver, 0.01, nullptr)));
  const long before = scenes::allocations();
  for (int i = 0; i < 50; ++i) {
    hand.position_m[1] += 0.005;
    ASSERT_EQ(shosa_pin_drag_set_goal(context, solver, 0, &hand), SHOSA_OK);
    ASSERT_EQ(shosa_pin_drag_step(context, solver, 0.01, nullptr), SHOSA_OK);
  }
  EXPECT_EQ(scenes::allocations() - before, 0);
}

TEST_F(CPinDrag, StiffFixedAndDesiredJointsAreRespected) {
  const auto elbow = static_cast<uint32_t>(joint("right_lower_arm"));
  const Eigen::Vector4f before(pose.rotations + 4 * elbow);
  ASSERT_TRUE(ok(shosa_pin_drag_set_freedom(context, solver, elbow, SHOSA_JOINT_FIXED, nullptr)));
  shosa_goal hand = here("right_hand");
  hand.position_m[1] += 0.3;
  hand.priority = SHOSA_PRIORITY_HIGH;
  ASSERT_TRUE(ok(shosa_pin_drag_add_goal(context, solver, &hand, nullptr)));
  settle();
  EXPECT_NEAR(std::abs(before.dot(Eigen::Vector4f(pose.rotations + 4 * elbow))), 1.0, 1e-6);

  ASSERT_TRUE(ok(shosa_pin_drag_clear_goals(context, solver)));
  const auto neck = static_cast<uint32_t>(joint("neck"));
  const double turned[4] = {0.0, std::sin(0.2), 0.0, std::cos(0.2)};
  ASSERT_TRUE(ok(shosa_pin_drag_set_desired(context, solver, neck, turned, 10.0)));
  for (int i = 0; i < 3; ++i) settle();
  EXPECT_NEAR(
      std::abs(
          Eigen::Vector4f(0.0F, std::sin(0.2F), 0.0F, std::cos(0.2F)).dot(Eigen::Vector4f(pose.rotations + 4 * neck))),
      1.0, 1e-4);
}

TEST_F(CPinDrag, ThePostureCanBeSet) {
  const shosa_clip walk = motion("walk_normal");
  const uint32_t joints = info(walk).joint_count;
  std::vector<float> rotations(4 * joints), translations(3 * joints);
  ASSERT_TRUE(ok(shosa_clip_sample(context, walk, 0.5, rotations.data(), translations.data(), joints)));
  ASSERT_TRUE(ok(shosa_pin_drag_set_pose(context, solver, rotations.data(), translations.data(), joints)));
  for (std::size_t i = 0; i < rotations.size(); ++i) EXPECT_NEAR(pose.rotations[i], rotations[i], 1e-6);
  rotations[5] = std::nanf("");
  EXPECT_EQ(shosa_pin_drag_set_pose(context, solver, rotations.data(), nullptr, joints), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_pin_drag_set_pose(context, solver, rotations.data(), nullptr, joints + 1), SHOSA_BAD_ARGUMENT);
}

TEST_F(CPinDrag, AMomentOfAScriptComesToWhatTheScriptGives) {
  const shosa_folder names = folder({"idle"});
  const auto script = [](double y_m) {
    return fmt::format(R"({{"clip": "idle", "at_s": 0.5, "duration_s": 0.5, "ranges": true, "return_s": false,
                          "drags": [{{"joint": "right_hand", "keys": [[0, [-0.3, {}, 0.4]]]}}]}})",
                       y_m);
  };
  const int32_t hand = joint("right_hand");
  shosa_pose_moment first = 0, moment = 0;
  ASSERT_TRUE(ok(shosa_pose_moment_create(context, names, "pose.json", script(1.0).c_str(), 0.1, 0, 3, &first)));
  ASSERT_TRUE(ok(shosa_pose_moment_create(context, names, "pose.json", script(1.0).c_str(), 0.1, first, 3, &moment)));
  const double place[3] = {-0.3, 1.5, 0.4};
  shosa_step_report report = SHOSA_STEP_REPORT_INIT;
  uint32_t rests = 0;
  for (int i = 0; i < 100 && rests == 0; ++i)
    ASSERT_TRUE(ok(shosa_pose_moment_pull(context, moment, hand, place, nullptr, 60, &rests, &report)));
  EXPECT_EQ(rests, 1U);
  EXPECT_LT(report.max_drag_error_m, 1e-4);
  shosa_pose posture = SHOSA_POSE_INIT;
  ASSERT_TRUE(ok(shosa_pose_moment_get_pose(context, moment, &posture)));
  shosa_clip posed = 0;
  ASSERT_TRUE(ok(shosa_evaluate(context, names, "pose", "pose.json", script(1.5).c_str(), &posed, nullptr)));
  std::vector<float> rotations(4 * posture.joint_count), translations(3 * posture.joint_count);
  ASSERT_TRUE(ok(shosa_clip_sample(context, posed, 0.4, rotations.data(), translations.data(), posture.joint_count)));
  for (std::size_t i = 0; i < rotations.size(); ++i) EXPECT_NEAR(posture.rotations[i], rotations[i], 2e-3) << i;

  EXPECT_EQ(shosa_pose_moment_pull(context, moment, hand + 1, place, nullptr, 60, nullptr, nullptr),
            SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_pose_moment_pull(context, moment, hand, place, nullptr, 0, nullptr, nullptr), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_pose_moment_pull(context, solver, hand, place, nullptr, 60, nullptr, nullptr), SHOSA_BAD_HANDLE);
  EXPECT_EQ(shosa_pose_moment_create(context, names, "pose.json", "{}", 0.0, 0, 3, &first), SHOSA_BAD_FILE);
}

TEST_F(CPinDrag, WhatIsWrongIsRefused) {
  shosa_goal goal = SHOSA_GOAL_INIT;
  EXPECT_EQ(shosa_pin_drag_add_goal(context, solver, &goal, nullptr), SHOSA_BAD_ARGUMENT);
  goal = here("head");
  goal.weight = 0.0;
  EXPECT_EQ(shosa_pin_drag_add_goal(context, solver, &goal, nullptr), SHOSA_BAD_ARGUMENT);
  goal = here("head");
  goal.orientation[3] = 0.0;
  EXPECT_EQ(shosa_pin_drag_add_goal(context, solver, &goal, nullptr), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_pin_drag_set_goal(context, solver, 0, &goal), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_pin_drag_goal_error(context, solver, 0, nullptr, nullptr), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_pin_drag_step(context, solver, 0.0, nullptr), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_pin_drag_set_stiffness(context, solver, 0, -1.0), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_pin_drag_set_stiffness(context, solver, 999, 1.0), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_pin_drag_enable_range(context, solver, 999, 1), SHOSA_BAD_ARGUMENT);
  const double none[3] = {0.0, 0.0, 0.0};
  EXPECT_EQ(shosa_pin_drag_set_freedom(context, solver, 0, SHOSA_JOINT_HINGE, none), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_pin_drag_set_ranges(context, solver, "{}"), SHOSA_BAD_FILE);
  shosa_pin_drag_params params = SHOSA_PIN_DRAG_PARAMS_INIT;
  params.drag_gain = std::nan("");
  shosa_pin_drag other = 0;
  EXPECT_EQ(shosa_pin_drag_create(context, motion("idle"), &params, &other), SHOSA_BAD_ARGUMENT);
  EXPECT_THAT(error(), HasSubstr("drag_gain"));
  shosa_step_report report = SHOSA_STEP_REPORT_INIT;
  report.size = 1;
  EXPECT_EQ(shosa_pin_drag_step(context, solver, 0.01, &report), SHOSA_BAD_ARGUMENT);
}

}  // namespace
}  // namespace shosa
