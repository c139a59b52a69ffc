// A step takes no memory, and what solvers of a thread share tells none of them of another.

#include <gtest/gtest.h>

#include <cstddef>

#include "scenes/allocations.h"
#include "scenes/scenes.h"
#include "shosa/posing/balance.h"
#include "shosa/posing/human_ranges.h"
#include "shosa/posing/pin_drag_solver.h"

namespace shosa::posing {
namespace {

TEST(PinDragAllocation, TheCounterSeesAllocations) {
  const long before = scenes::allocations();
  auto* number = new std::vector<double>(1000);
  EXPECT_GE(scenes::allocations() - before, 2);
  delete number;
}

TEST(PinDragAllocation, AStepTakesNoMemory) {
  const Clip stand = scenes::stand().clip;
  PinDragSolver solver(stand.skeleton_ptr());
  solver.body().set_pose(stand.frame(0));
  const body::BodyMap map = body::guess_body_map(stand.skeleton());
  const auto ranges = human_ranges(stand.skeleton(), map);
  ASSERT_TRUE(ranges.has_value());
  for (const HumanRange& entry : *ranges) solver.set_range(entry.joint, entry.range);
  Balance balance;
  balance.masses = *human_masses(stand.skeleton(), map);
  balance.support = human_support(stand.skeleton(), map);
  ASSERT_TRUE(solver.set_balance(balance).has_value());
  for (const char* name : {"left_foot", "right_foot", "left_hand"}) {
    Goal pin;
    pin.joint = stand.skeleton().find(name);
    pin.position_m = solver.body().world().positions[pin.joint];
    pin.orientation = solver.body().world().rotations[pin.joint];
    pin.orientation_axes = kAllAxes;
    ASSERT_TRUE(solver.add_goal(pin).has_value());
  }
  Goal drag;
  drag.joint = stand.skeleton().find("right_hand");
  drag.priority = Priority::high;
  drag.position_m = solver.body().world().positions[drag.joint];
  const auto id = *solver.add_goal(drag);
  for (JointIndex j = 0; j < stand.joint_count(); ++j) {
    ASSERT_TRUE(solver.set_desired({.joint = j, .rotation = solver.body().rotation(j), .weight = 0.3}).has_value());
  }

  const long before = scenes::allocations();
  for (int i = 0; i < 60; ++i) {
    // Also while the target runs out of reach.
    drag.position_m += Vec3d(0.02, 0.01, 0.03);
    (void)solver.set_goal(id, drag);
    solver.step(1.0 / 60.0);
  }
  EXPECT_EQ(scenes::allocations() - before, 0);
}

TEST(PinDragAllocation, WhatElseIsSolvedOnTheThreadChangesNoBit) {
  const Clip stand = scenes::stand().clip;
  const auto made = [&](int goals) {
    PinDragSolver solver(stand.skeleton_ptr());
    solver.body().set_pose(stand.frame(0));
    for (int i = 0; i < goals; ++i) {
      const JointIndex joint = (7 * i + 3) % stand.joint_count();
      EXPECT_TRUE(solver.add_goal({.joint = joint, .position_m = Vec3d(0.1 * i, 1.0, 0.2)}).has_value());
    }
    return solver;
  };
  PinDragSolver alone = made(3);
  std::vector<Vec3d> rates;
  for (int i = 0; i < 20; ++i) {
    alone.step(1.0 / 60.0);
    rates.insert(rates.end(), alone.joint_rates_radps().begin(), alone.joint_rates_radps().end());
  }
  PinDragSolver among = made(3), other = made(8);
  auto rate = rates.begin();
  for (int i = 0; i < 20; ++i) {
    other.step(1.0 / 60.0);
    among.step(1.0 / 60.0);
    for (const Vec3d& now : among.joint_rates_radps()) ASSERT_EQ(now, *rate++) << "step " << i;
  }
}

}  // namespace
}  // namespace shosa::posing
