#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "posing/checked_step.h"
#include "scenes/random.h"
#include "scenes/scenes.h"
#include "shosa/posing/pin_drag_solver.h"

namespace shosa::posing {
namespace {

using test::kStep;

struct Doll {
  PinDragSolver solver{scenes::humanoid()};

  /// Arms hanging, knees a little bent.
  static Doll standing() {
    Doll doll;
    doll.solver.body().set_pose(scenes::stand().clip.frame(0));
    return doll;
  }

  JointIndex joint(const char* name) const { return solver.body().skeleton().find(name); }
  Vec3d at(const char* name) const { return solver.body().world().positions[std::size_t(joint(name))]; }
  PinDragSolver::GoalId pin(const char* name, double weight = 1.0) {
    Goal goal;
    goal.joint = joint(name);
    goal.position_m = at(name);
    goal.weight = weight;
    return *solver.add_goal(goal);
  }
  PinDragSolver::GoalId drag(const char* name, const Vec3d& to) {
    Goal goal;
    goal.joint = joint(name);
    goal.position_m = to;
    goal.priority = Priority::high;
    return *solver.add_goal(goal);
  }
  StepReport settle(int steps) {
    StepReport report;
    for (int i = 0; i < steps; ++i) report = solver.step(kStep);
    return report;
  }
};

TEST(PinDrag, MeetsReachableDragsAndHoldsPins) {
  Doll doll;
  for (const char* name : {"left_foot", "right_foot", "left_toes", "right_toes", "right_hand"}) doll.pin(name);
  doll.drag("left_hand", doll.at("left_hand") + Vec3d(-0.2, -0.3, 0.25));
  const StepReport report = doll.settle(120);
  EXPECT_LT(report.max_drag_error_m, 1e-4);
  EXPECT_LT(report.max_pin_error_m, 1e-3);
}

TEST(PinDrag, DraggedPelvisKeepsHandsAndFeet) {
  Doll doll = Doll::standing();
  for (const char* name : {"left_foot", "right_foot", "left_hand", "right_hand"}) doll.pin(name);
  doll.drag("hips", doll.at("hips") + Vec3d(0.1, -0.2, 0.05));
  const StepReport report = doll.settle(180);
  EXPECT_LT(report.max_drag_error_m, 1e-4);
  EXPECT_LT(report.max_pin_error_m, 1e-3);
}

TEST(PinDrag, ContradictoryPinsStayBoundedAndRecover) {
  Doll doll;
  doll.pin("left_foot");
  doll.pin("right_foot");
  const auto torn = doll.pin("right_hand");
  Goal away = doll.solver.goal(torn);
  const Vec3d home = away.position_m;
  away.position_m += Vec3d(-3.0, 1.0, 0.0);
  ASSERT_TRUE(doll.solver.set_goal(torn, away).has_value());
  double last_rate = 0.0;
  for (int i = 0; i < 300; ++i) {
    const StepReport report = doll.solver.step(kStep);
    EXPECT_LE(report.max_rate_radps, doll.solver.params().max_rate_radps * (1 + 1e-9));
    last_rate = report.max_rate_radps;
  }
  EXPECT_LT(last_rate, 0.5) << "the stretched body does not come to rest";
  EXPECT_GT(doll.solver.position_error_m(torn), 0.5);

  away.position_m = home;
  ASSERT_TRUE(doll.solver.set_goal(torn, away).has_value());
  const StepReport after = doll.settle(30);  // half a second
  EXPECT_LT(after.max_pin_error_m, 1e-3);
}

TEST(PinDrag, StraightArmNeverJumps) {
  Doll doll;  // The T-pose is singular: both arms are straight.
  for (const char* name : {"left_foot", "right_foot", "hips"}) doll.pin(name, 100.0);
  const Vec3d hand = doll.at("left_hand");
  const auto id = doll.drag("left_hand", hand);
  Goal goal = doll.solver.goal(id);
  Vec3d before = doll.at("left_lower_arm");
  for (int i = 0; i < 240; ++i) {
    // Straight in toward the shoulder, then out past the reach, half a metre a second.
    const double along = i < 60 ? -i : i - 120;
    goal.position_m = hand + Vec3d(along * 0.5 * kStep, 0, 0);
    ASSERT_TRUE(doll.solver.set_goal(id, goal).has_value());
    doll.solver.step(kStep);
    const Vec3d elbow = doll.at("left_lower_arm");
    ASSERT_TRUE(elbow.allFinite());
    EXPECT_LT((elbow - before).norm(), 0.1) << "frame " << i;
    before = elbow;
  }
}

TEST(PinDrag, EveryStepIsFiniteForAnyTarget) {
  scenes::Random random(17);
  Doll doll;
  doll.pin("left_foot");
  const auto id = doll.drag("head", Vec3d::Zero());
  Goal goal = doll.solver.goal(id);
  for (int i = 0; i < 500; ++i) {
    goal.position_m = random.direction() * std::pow(10.0, random.uniform(-3.0, 12.0));
    ASSERT_TRUE(doll.solver.set_goal(id, goal).has_value());
    doll.solver.step(kStep);
    for (const Vec3d& p : doll.solver.body().world().positions) ASSERT_TRUE(p.allFinite()) << "step " << i;
  }
}

TEST(PinDrag, DependentAndCoincidentDragsAreFinite) {
  Doll doll;
  for (int copies = 0; copies < 3; ++copies) doll.drag("left_hand", doll.at("left_hand") + Vec3d(0, -0.3, 0.2));
  doll.drag("left_lower_arm", doll.at("left_hand"));
  const StepReport report = doll.settle(240);
  EXPECT_TRUE(std::isfinite(report.max_drag_error_m));
  EXPECT_LT(report.max_rate_radps, 1.0);
}

TEST(PinDrag, SaysWhichGoalIsOffAndByHowMuch) {
  Doll doll;
  const auto foot = doll.pin("left_foot");
  const auto far = doll.drag("left_hand", doll.at("left_foot") + Vec3d(0, 4.0, 0));
  const StepReport report = doll.settle(400);
  EXPECT_LT(doll.solver.position_error_m(far), 1e-3);
  const Vec3d really = doll.at("left_foot") - doll.solver.goal(foot).position_m;
  EXPECT_GT(really.norm(), 0.5);
  EXPECT_DOUBLE_EQ(doll.solver.position_error_m(foot), really.norm());
  EXPECT_DOUBLE_EQ(report.max_pin_error_m, really.norm());
}

TEST(PinDrag, RefusesWhatIsNotFiniteAndKeepsTheGoal) {
  Doll doll;
  const auto id = doll.drag("head", Vec3d(0, 1.5, 0));
  Goal bad = doll.solver.goal(id);
  bad.position_m.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(doll.solver.set_goal(id, bad).error().message, testing::HasSubstr("'head'"));
  EXPECT_EQ(doll.solver.goal(id).position_m, Vec3d(0, 1.5, 0));
  Goal weightless = doll.solver.goal(id);
  weightless.weight = 0.0;
  EXPECT_THAT(doll.solver.set_goal(id, weightless).error().message, testing::HasSubstr("weight 0"));
  bad = {};
  EXPECT_THAT(doll.solver.add_goal(bad).error().message, testing::HasSubstr("joint -1"));
  EXPECT_FALSE(doll.solver.set_stiffness(0, 0.0).has_value());
  EXPECT_FALSE(doll.solver.set_desired({.joint = 3, .weight = -1.0}).has_value());
  EXPECT_FALSE(doll.solver.set_desired_place({.weight = -1.0}).has_value());
}

TEST(PinDrag, SameInputSameBits) {
  const auto run = [] {
    Doll doll;
    doll.pin("left_foot");
    doll.pin("right_foot");
    doll.drag("head", doll.at("head") + Vec3d(0.1, -0.3, 0.2));
    doll.settle(50);
    return doll.solver.body().world().positions;
  };
  EXPECT_EQ(run(), run());
}

TEST(PinDrag, ContradictoryPinsShareTheErrorByWeight) {
  // Two pins pull one point apart by 0.5 m; the balance of 1 and 4 lies at 4 to 1.
  Doll doll;
  const auto light = doll.pin("left_hand", 1.0);
  const auto heavy = doll.pin("left_hand", 4.0);
  Goal moved = doll.solver.goal(heavy);
  moved.position_m += Vec3d(-0.3, 0.4, 0.0);
  ASSERT_TRUE(doll.solver.set_goal(heavy, moved).has_value());
  doll.settle(400);
  EXPECT_NEAR(doll.solver.position_error_m(light), 0.4, 1e-3);
  EXPECT_NEAR(doll.solver.position_error_m(heavy), 0.1, 1e-3);
}

TEST(PinDrag, AFootFlatOnTheGroundMayTurn) {
  Doll doll;
  Goal flat;
  flat.joint = doll.joint("left_foot");
  flat.position_m = doll.at("left_foot");
  flat.orientation_axes = {true, false, true};
  flat.orientation = Quatd::Identity();
  const auto id = *doll.solver.add_goal(flat);
  Goal turned;
  turned.joint = doll.joint("left_foot");
  turned.position_axes = kNoAxes;
  turned.orientation_axes = {false, true, false};
  turned.orientation = Quatd(Eigen::AngleAxisd(0.5, Vec3d::UnitY()));
  turned.priority = Priority::high;
  ASSERT_TRUE(doll.solver.add_goal(turned).has_value());
  doll.settle(200);
  EXPECT_LT(doll.solver.position_error_m(id), 1e-4);
  const Quatd now = doll.solver.body().world().rotations[std::size_t(flat.joint)];
  EXPECT_LT(now.angularDistance(turned.orientation), 1e-3);
}

TEST(PinDrag, RangesOnTopHoldAgainstADrag) {
  // The elbow may turn 0.3 about z only; the drag asks for far more.
  for (const Priority priority : {Priority::high, Priority::low}) {
    Doll doll;
    doll.solver.params().range_priority = priority;
    const double s = std::sin(0.15), t = 0.05;
    const auto range =
        JointRange::create({{-t, -t, -t, t}, {t, -t, -t, t}, {t, s, -t, t}, {-t, s, -t, t}}, {{0, 1, 2}, {0, 2, 3}});
    ASSERT_TRUE(range.has_value());
    const JointIndex elbow = doll.joint("left_lower_arm");
    doll.solver.set_range(elbow, *range);
    for (const char* name : {"hips", "chest", "left_foot", "right_foot"}) doll.pin(name, 100.0);
    doll.drag("left_hand", doll.at("left_upper_arm") + Vec3d(0.15, 0, 0.1));
    doll.settle(300);
    const double violation = doll.solver.range_violation_rad(elbow);
    EXPECT_LT(violation, priority == Priority::high ? 0.02 : 0.6);
  }
}

TEST(PinDrag, NoJointGoesFasterThanItMay) {
  const Clip stand = scenes::stand().clip;
  PinDragSolver solver(stand.skeleton_ptr());
  solver.body().set_pose(stand.frame(0));
  const JointIndex hand = stand.skeleton().find("right_hand");
  // Behind the body: the arm has to come round.
  ASSERT_TRUE(solver.add_goal({.joint = hand, .position_m = Vec3d(0.4, 1.3, -1.0)}).has_value());
  const double step_s = 1.0 / 120.0;
  const auto fastest_mps = [&](double most_mps) {
    solver.params().max_point_mps = most_mps;
    double fastest = 0.0;
    for (int i = 0; i < 20; ++i) {
      const WorldPose before = solver.body().world();
      solver.step(step_s);
      for (std::size_t j = 0; j < before.positions.size(); ++j)
        fastest = std::max(fastest, (solver.body().world().positions[j] - before.positions[j]).norm() / step_s);
    }
    return fastest;
  };
  EXPECT_LT(fastest_mps(1.0), 1.02);
  EXPECT_GT(fastest_mps(1e9), 2.0) << "the bound held nothing back";
}

}  // namespace
}  // namespace shosa::posing
