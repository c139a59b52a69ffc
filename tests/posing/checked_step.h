#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "posing/random_problem.h"

// What the property tests of pin-and-drag share: random bodies and pins, and a step that is checked by plain
// kinematics.
namespace shosa::posing::test {

inline constexpr double kStep = 1.0 / 60.0;
inline constexpr int kDofs[] = {5, 8, 12, 20, 35, 50, 70, 95, 120};
inline constexpr std::uint64_t kSeeds = 12;

/// Pins that leave the body room: at most a third of its freedoms are taken.
inline std::vector<Goal> random_pins(const RandomBody& body, const Articulation& at, scenes::Random& random) {
  std::vector<Goal> pins;
  int rows = 0;
  const int most = std::min(body.dof / 3, 18);
  while (rows < most) {
    pins.push_back(random_goal(at, random, most - rows >= 3));
    pins.back().weight = random.uniform(0.5, 3.0);
    rows += most - rows >= 3 ? 3 : 1;
  }
  return pins;
}

inline std::vector<double> turned_rad(const Articulation& before, const Articulation& after) {
  std::vector<double> angles;
  for (JointIndex j = 0; j < before.joint_count(); ++j) {
    angles.push_back(before.rotation(j).angularDistance(after.rotation(j)));
  }
  return angles;
}

/// A step with everything that must hold of any step: rates within their bound, the posture finite and moved no more
/// than the rates say, and a report that plain kinematics agrees with.
inline StepReport checked_step(PinDragSolver& solver, const std::string& where) {
  const Articulation before = solver.body();
  const StepReport report = solver.step(kStep);
  const double bound = solver.params().max_rate_radps * (1.0 + 1e-9);
  EXPECT_LE(report.max_rate_radps, bound) << where;
  EXPECT_LE(solver.root_velocity_mps().norm(), solver.params().max_speed_mps * (1.0 + 1e-9)) << where;
  for (const Vec3d& place : solver.body().world().positions) EXPECT_TRUE(place.allFinite()) << where;
  for (const double angle : turned_rad(before, solver.body())) EXPECT_LE(angle, bound * kStep + 1e-6) << where;
  double drag = 0.0, pin = 0.0;
  for (int id = 0; id < solver.goal_count(); ++id) {
    const Goal& goal = solver.goal(id);
    const double really = plain_error_m(solver.body(), goal);
    EXPECT_NEAR(solver.position_error_m(id), really, 1e-9 * (1.0 + really)) << where;
    double& largest = goal.priority == Priority::high ? drag : pin;
    if (goal.on) largest = std::max(largest, really);
  }
  EXPECT_NEAR(report.max_drag_error_m, drag, 1e-9 * (1.0 + drag)) << where;
  EXPECT_NEAR(report.max_pin_error_m, pin, 1e-9 * (1.0 + pin)) << where;
  return report;
}

template <class Check>
void for_random_bodies(Check check) {
  for (const int dof : kDofs) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      check(RandomBody(dof, seed + 100 * std::uint64_t(dof)), seed,
            "dof " + std::to_string(dof) + ", seed " + std::to_string(seed));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

}  // namespace shosa::posing::test
