// Pulled where it cannot go, any body comes to rest, and its pins are met again once it is let go.

#include <gtest/gtest.h>

#include "posing/checked_step.h"

namespace shosa::posing {
namespace {

using test::checked_step;
using test::for_random_bodies;
using test::random_goal;
using test::random_pins;
using test::RandomBody;

// The posture that the body likes, as an editor or a clip gives it: without one, a body pulled far away may come home
// with its limbs folded another way, in which the pins are not met.
void like_this_posture(PinDragSolver& solver) {
  for (JointIndex j = 0; j < solver.body().joint_count(); ++j) {
    ASSERT_TRUE(solver.set_desired({.joint = j, .rotation = solver.body().rotation(j), .weight = 0.3}).has_value());
  }
}

// Stepped until an unreachable wish has been pulled as far as it goes; the body must not chatter then.
void pull(PinDragSolver& solver, const std::string& where) {
  StepReport report;
  for (int i = 0; i < 240; ++i) report = checked_step(solver, where);
  EXPECT_LT(report.max_rate_radps, 1.5) << where << " does not come to rest";
}

// Half a second after release. Pins met at the start can be met again; yet a tree with random hinges that was torn far
// from its posture may end in another local minimum or need longer. Those are counted; how many is stated on the method
// page, and the report of each is checked like any other.
struct Returns {
  std::string missed;
  int count = 0;

  void release(PinDragSolver& solver, const std::vector<PinDragSolver::GoalId>& ids, const std::string& where) {
    for (const auto id : ids) {
      Goal off = solver.goal(id);
      off.on = false;
      ASSERT_TRUE(solver.set_goal(id, off).has_value());
    }
    StepReport report;
    for (int i = 0; i < 30; ++i) report = checked_step(solver, where);
    if (report.max_pin_error_m < 1e-3) return;
    ++count;
    missed += where + ": " + std::to_string(report.max_pin_error_m) + " m; ";
  }
};

TEST(PinDragRelease, OutOfReachComesToRestAndPinsReturnAfterRelease) {
  Returns returns;
  for_random_bodies([&](const RandomBody& body, std::uint64_t seed, const std::string& where) {
    scenes::Random random(seed + 90);
    PinDragSolver solver = body.solver();
    like_this_posture(solver);
    for (const Goal& pin : random_pins(body, solver.body(), random)) ASSERT_TRUE(solver.add_goal(pin).has_value());
    Goal drag = random_goal(solver.body(), random);
    drag.position_m += random.direction() * random.uniform(0.5, 2.0);
    drag.priority = Priority::high;
    const auto id = *solver.add_goal(drag);
    pull(solver, where);
    returns.release(solver, {id}, where);
  });
  EXPECT_LE(returns.count, 3) << returns.missed;
}

TEST(PinDragRelease, ContradictoryPinsAreBoundedAndMetAgainAfterRelease) {
  Returns returns;
  for_random_bodies([&](const RandomBody& body, std::uint64_t seed, const std::string& where) {
    scenes::Random random(seed + 130);
    PinDragSolver solver = body.solver();
    like_this_posture(solver);
    const auto pins = random_pins(body, solver.body(), random);
    for (const Goal& pin : pins) ASSERT_TRUE(solver.add_goal(pin).has_value());
    // A second pin on the same point, elsewhere: the two cannot both be met.
    Goal against = pins[std::size_t(random.index(int(pins.size())))];
    against.position_axes = kAllAxes;
    against.position_m += random.direction() * random.uniform(0.3, 1.5);
    const auto id = *solver.add_goal(against);
    pull(solver, where);
    returns.release(solver, {id}, where);
  });
  EXPECT_LE(returns.count, 10) << returns.missed;
}

TEST(PinDragRelease, CoincidentAndRepeatedGoalsAreBoundedAndMetAgainAfterRelease) {
  Returns returns;
  for_random_bodies([&](const RandomBody& body, std::uint64_t seed, const std::string& where) {
    scenes::Random random(seed + 170);
    PinDragSolver solver = body.solver();
    like_this_posture(solver);
    for (const Goal& pin : random_pins(body, solver.body(), random)) ASSERT_TRUE(solver.add_goal(pin).has_value());
    // Three drags of two joints to one place, one of them twice.
    Goal drag = random_goal(solver.body(), random);
    drag.priority = Priority::high;
    drag.position_m += random.direction() * 0.3;
    Goal other = random_goal(solver.body(), random);
    other.priority = Priority::high;
    other.position_m = drag.position_m;
    std::vector<PinDragSolver::GoalId> ids;
    for (const Goal& goal : {drag, drag, other}) ids.push_back(*solver.add_goal(goal));
    pull(solver, where);
    returns.release(solver, ids, where);
  });
  EXPECT_LE(returns.count, 3) << returns.missed;
}

}  // namespace
}  // namespace shosa::posing
