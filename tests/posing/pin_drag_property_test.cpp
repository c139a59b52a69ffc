// What must hold of pin-and-drag for any body, any pins and any drags; random trees of 5 to 120 degrees of freedom.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "posing/checked_step.h"

namespace shosa::posing {
namespace {

using test::checked_step;
using test::for_random_bodies;
using test::kStep;
using test::plain_error_m;
using test::random_goal;
using test::random_pins;
using test::RandomBody;

TEST(PinDragProperty, ReachableDragsAreMetWhilePinsHold) {
  for_random_bodies([](const RandomBody& body, std::uint64_t seed, const std::string& where) {
    scenes::Random random(seed);
    PinDragSolver solver = body.solver();
    const auto pins = random_pins(body, solver.body(), random);
    for (const Goal& pin : pins) ASSERT_TRUE(solver.add_goal(pin).has_value());
    Goal drag = random_goal(solver.body(), random, body.dof > 8);
    drag.priority = Priority::high;
    const auto id = *solver.add_goal(drag);

    // The path of the dragged point in a motion that keeps the pins: every target on it is reachable.
    const auto path = body.path_that_keeps(pins, 60, 0.7, seed);
    for (const Goal& pin : pins) ASSERT_LT(plain_error_m(path.back(), pin), 1e-6) << where << ": the oracle is off";
    for (std::size_t f = 1; f < path.size(); ++f) {
      const Vec3d next = path[f].point(drag.joint, drag.offset_m);
      drag.velocity_mps = (next - drag.position_m) / kStep;
      ASSERT_TRUE(solver.set_goal(id, drag).has_value());
      const StepReport report = checked_step(solver, where);
      drag.position_m = next;
      EXPECT_LT(report.max_pin_error_m, 1e-3) << where << ", frame " << f;
    }
    drag.velocity_mps.setZero();
    ASSERT_TRUE(solver.set_goal(id, drag).has_value());
    StepReport report;
    for (int i = 0; i < 30; ++i) report = checked_step(solver, where);
    EXPECT_LT(report.max_drag_error_m, 1e-4) << where;
    EXPECT_LT(report.max_pin_error_m, 1e-3) << where;
  });
}

TEST(PinDragProperty, ForgottenStepsLeaveNoTrace) {
  for_random_bodies([](const RandomBody& body, std::uint64_t seed, const std::string& where) {
    scenes::Random random(seed + 90);
    PinDragSolver fresh = body.solver(), used = body.solver();
    Pose start(fresh.body().joint_count()), first = start, second = start;
    fresh.body().get_pose(start);
    for (const Goal& pin : random_pins(body, fresh.body(), random)) {
      ASSERT_TRUE(fresh.add_goal(pin).has_value());
      ASSERT_TRUE(used.add_goal(pin).has_value());
    }
    Goal goal = random_goal(fresh.body(), random);
    goal.priority = Priority::high;
    goal.position_m += Vec3d(0.3, -0.2, 0.1);
    Goal other = goal;
    other.position_m = Vec3d(-3.0, 2.0, 1.0);  // Out of reach: much is learnt.
    const auto id = *used.add_goal(other);
    for (int i = 0; i < 20; ++i) used.step(kStep);
    used.forget_steps();
    ASSERT_TRUE(used.set_goal(id, goal).has_value());
    ASSERT_TRUE(fresh.add_goal(goal).has_value());
    for (auto* solver : {&fresh, &used}) {
      solver->body().set_pose(start);
      for (int i = 0; i < 10; ++i) solver->step(kStep);
    }
    fresh.body().get_pose(first);
    used.body().get_pose(second);
    for (JointIndex j = 0; j < first.joint_count(); ++j)
      EXPECT_EQ(first.rotation(j).coeffs(), second.rotation(j).coeffs()) << where << ", joint " << j;
  });
}

TEST(PinDragProperty, JumpsOfSeveralReachableTargetsAreMet) {
  for_random_bodies([](const RandomBody& body, std::uint64_t seed, const std::string& where) {
    scenes::Random random(seed + 50);
    PinDragSolver solver = body.solver();
    const auto pins = random_pins(body, solver.body(), random);
    for (const Goal& pin : pins) ASSERT_TRUE(solver.add_goal(pin).has_value());
    const auto path = body.path_that_keeps(pins, 30, 0.35, seed);
    for (int d = 0; d < (body.dof >= 20 ? 3 : 1); ++d) {
      Goal drag = random_goal(solver.body(), random, body.dof > 8);
      drag.priority = Priority::high;
      drag.position_m = path.back().point(drag.joint, drag.offset_m);
      ASSERT_TRUE(solver.add_goal(drag).has_value());
    }
    StepReport report;
    for (int i = 0; i < 180; ++i) report = checked_step(solver, where);
    EXPECT_LT(report.max_drag_error_m, 1e-4) << where;
    EXPECT_LT(report.max_pin_error_m, 1e-3) << where;
  });
}

TEST(PinDragProperty, AStraightChainPulledAlongItselfNeverJumps) {
  for (const int joints : {2, 4, 10, 30}) {
    PinDragSolver solver(scenes::chain(joints));
    const std::string where = std::to_string(joints) + " joints";
    Goal base;
    base.joint = 0;
    base.orientation_axes = kNoAxes;
    base.position_m = solver.body().world().positions[0];
    base.weight = 100.0;
    ASSERT_TRUE(solver.add_goal(base).has_value());
    Goal tip;
    tip.joint = joints - 1;
    tip.offset_m = Vec3d(0, 0.1, 0);
    tip.priority = Priority::high;
    const Vec3d home = solver.body().point(tip.joint, tip.offset_m);
    tip.position_m = home;
    const auto id = *solver.add_goal(tip);
    Vec3d middle = solver.body().world().positions[std::size_t(joints / 2)];
    // Straight in by half the length, out again and past the reach, half a metre a second.
    for (int i = 0; i < 300; ++i) {
      const double along = std::abs(i - 60) - 60.0;
      tip.position_m = home + Vec3d(0, along * 0.25 * kStep * joints * 0.1 / 0.5, 0);
      ASSERT_TRUE(solver.set_goal(id, tip).has_value());
      checked_step(solver, where);
      const Vec3d now = solver.body().world().positions[std::size_t(joints / 2)];
      EXPECT_LT((now - middle).norm(), 0.05 * joints * 0.1 + 0.02) << where << ", frame " << i;
      middle = now;
    }
    tip.on = false;
    ASSERT_TRUE(solver.set_goal(id, tip).has_value());
    StepReport report;
    for (int i = 0; i < 30; ++i) report = checked_step(solver, where);
    EXPECT_LT(report.max_pin_error_m, 1e-3) << where;
  }
}

TEST(PinDragProperty, AbsurdTargetsLeaveTheBodyFiniteAndItComesBack) {
  for (const double far : {1e12, 1e80, 1e160, 1e300}) {
    const RandomBody body(35, 5);
    PinDragSolver solver = body.solver();
    scenes::Random random(3);
    Goal pin = random_goal(solver.body(), random);
    const Vec3d home = pin.position_m;
    const auto id = *solver.add_goal(pin);
    pin.position_m = Vec3d(far, -far, far);
    ASSERT_TRUE(solver.set_goal(id, pin).has_value());
    for (int i = 0; i < 10; ++i) {
      solver.step(kStep);
      for (const Vec3d& place : solver.body().world().positions) ASSERT_TRUE(place.allFinite()) << far;
    }
    pin.position_m = home;
    ASSERT_TRUE(solver.set_goal(id, pin).has_value());
    StepReport report;
    for (int i = 0; i < 60; ++i) report = checked_step(solver, "back from " + std::to_string(far));
    EXPECT_LT(report.max_pin_error_m, 1e-3) << far;
  }
}

TEST(PinDragProperty, WhatMakesNoSenseIsRefusedAndChangesNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for_random_bodies([&](const RandomBody& body, std::uint64_t seed, const std::string& where) {
    scenes::Random random(seed);
    PinDragSolver solver = body.solver(), untouched = body.solver();
    Goal drag = random_goal(solver.body(), random);
    drag.position_m += random.direction() * 0.1;
    const auto id = *solver.add_goal(drag);
    ASSERT_TRUE(untouched.add_goal(drag).has_value());
    for (const double bad : {nan, inf, -inf}) {
      Goal goal = drag;
      goal.position_m[random.index(3)] = bad;
      EXPECT_FALSE(solver.set_goal(id, goal).has_value()) << where;
      EXPECT_FALSE(solver.add_goal(goal).has_value()) << where;
      goal = drag;
      goal.weight = bad;
      EXPECT_FALSE(solver.set_goal(id, goal).has_value()) << where;
      goal = drag;
      goal.orientation.coeffs()[random.index(4)] = bad;
      EXPECT_FALSE(solver.set_goal(id, goal).has_value()) << where;
      EXPECT_FALSE(solver.set_stiffness(0, bad).has_value()) << where;
      EXPECT_FALSE(solver.set_desired({.joint = 0, .weight = bad}).has_value()) << where;
    }
    Goal weightless = drag;
    weightless.weight = 0.0;
    const auto refused = solver.set_goal(id, weightless);
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().message, testing::HasSubstr("weight 0, expected a positive number"));
    solver.step(kStep);
    untouched.step(kStep);
    EXPECT_EQ(solver.body().world().positions, untouched.body().world().positions) << where;
  });
}

TEST(PinDragProperty, SameInputSameBits) {
  for_random_bodies([](const RandomBody& body, std::uint64_t seed, const std::string&) {
    const auto run = [&] {
      scenes::Random random(seed);
      PinDragSolver solver = body.solver();
      for (const Goal& pin : random_pins(body, solver.body(), random)) EXPECT_TRUE(solver.add_goal(pin).has_value());
      Goal drag = random_goal(solver.body(), random);
      drag.position_m += random.direction() * 0.5;
      drag.priority = Priority::high;
      EXPECT_TRUE(solver.add_goal(drag).has_value());
      for (int i = 0; i < 20; ++i) solver.step(kStep);
      return solver.body().world().positions;
    };
    EXPECT_EQ(run(), run());
  });
}

}  // namespace
}  // namespace shosa::posing
