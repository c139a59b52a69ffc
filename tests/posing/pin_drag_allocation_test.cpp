// A step takes no memory: malloc itself is counted, so that Eigen's buffers count too.

#include <gtest/gtest.h>

#include <cstddef>

#include "scenes/scenes.h"
#include "shosa/posing/balance.h"
#include "shosa/posing/human_ranges.h"
#include "shosa/posing/pin_drag_solver.h"

extern "C" void* __libc_malloc(std::size_t size);

namespace {

thread_local bool counting = false;
thread_local long allocations = 0;

}  // namespace

extern "C" void* malloc(std::size_t size) {
  if (counting) ++allocations;
  return __libc_malloc(size);
}

namespace shosa::posing {
namespace {

TEST(PinDragAllocation, TheCounterSeesAllocations) {
  counting = true;
  auto* number = new std::vector<double>(1000);
  counting = false;
  EXPECT_GE(allocations, 2);
  delete number;
  allocations = 0;
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
    pin.position_m = solver.body().world().positions[static_cast<std::size_t>(pin.joint)];
    pin.orientation = solver.body().world().rotations[static_cast<std::size_t>(pin.joint)];
    pin.orientation_axes = kAllAxes;
    ASSERT_TRUE(solver.add_goal(pin).has_value());
  }
  Goal drag;
  drag.joint = stand.skeleton().find("right_hand");
  drag.priority = Priority::high;
  drag.position_m = solver.body().world().positions[static_cast<std::size_t>(drag.joint)];
  const auto id = *solver.add_goal(drag);
  for (JointIndex j = 0; j < stand.joint_count(); ++j) {
    ASSERT_TRUE(solver.set_desired({.joint = j, .rotation = solver.body().rotation(j), .weight = 0.3}).has_value());
  }

  allocations = 0;
  counting = true;
  for (int i = 0; i < 60; ++i) {
    // Also while the target runs out of reach.
    drag.position_m += Vec3d(0.02, 0.01, 0.03);
    (void)solver.set_goal(id, drag);
    solver.step(1.0 / 60.0);
  }
  counting = false;
  EXPECT_EQ(allocations, 0);
}

}  // namespace
}  // namespace shosa::posing
