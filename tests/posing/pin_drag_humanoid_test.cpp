// Pulled where it cannot go, a human body comes back: random pins, drags out of reach and pins against pins.

#include <gtest/gtest.h>

#include <string>

#include "scenes/random.h"
#include "scenes/scenes.h"
#include "shosa/posing/human_ranges.h"
#include "shosa/posing/motion_edit.h"
#include "shosa/posing/pin_drag_solver.h"

namespace shosa::posing {
namespace {

// Four steps a frame, each of which takes the whole error, as `edit_motion` does.
constexpr double kFineStep = 1.0 / 240.0;
constexpr std::uint64_t kSeeds = 150;

struct Pulled {
  PinDragSolver solver;
  std::vector<PinDragSolver::GoalId> pins;
};

// A standing or walking human that likes its posture, with two to five joints pinned where they are.
Pulled pinned_human(scenes::Random& random, bool ranges) {
  const Clip clip = random.uniform() < 0.3 ? scenes::stand().clip : scenes::walk({.duration_s = 1.0}).clip;
  PinDragParams params;
  params.drag_gain = params.pin_gain = 1.0 / kFineStep;
  PinDragSolver solver(clip.skeleton_ptr(), params);
  solver.body().set_pose(clip.frame(random.index(clip.frame_count())));
  const body::BodyMap map = body::guess_body_map(clip.skeleton());
  for (const auto& [joint, stiffness] : human_stiffness(clip.skeleton(), map)) {
    EXPECT_TRUE(solver.set_stiffness(joint, stiffness).has_value());
  }
  const auto human = human_ranges(clip.skeleton(), map);
  if (ranges && human) {
    for (const HumanRange& entry : *human) solver.set_range(entry.joint, entry.range);
  }
  for (JointIndex j = 0; j < clip.joint_count(); ++j) {
    EXPECT_TRUE(solver.set_desired({.joint = j, .rotation = solver.body().rotation(j), .weight = 0.3}).has_value());
  }
  Pulled made{std::move(solver), {}};
  const int count = 2 + random.index(4);
  for (int p = 0; p < count; ++p) {
    Goal pin;
    pin.joint = random.index(clip.joint_count());
    pin.position_m = made.solver.body().world().positions[pin.joint];
    pin.weight = random.uniform(0.5, 3.0);
    made.pins.push_back(*made.solver.add_goal(pin));
  }
  return made;
}

double worst_pin_m(const Pulled& body) {
  double worst = 0.0;
  for (const auto id : body.pins) worst = std::max(worst, body.solver.position_error_m(id));
  return worst;
}

// Four seconds of pulling, then half a second of freedom; the largest error of a pin then.
double pull_and_release(Pulled& body, PinDragSolver::GoalId pulled) {
  for (int i = 0; i < 960; ++i) {
    const StepReport report = body.solver.step(kFineStep);
    EXPECT_LE(report.max_rate_radps, body.solver.params().max_rate_radps * (1.0 + 1e-9));
  }
  Goal off = body.solver.goal(pulled);
  off.on = false;
  EXPECT_TRUE(body.solver.set_goal(pulled, off).has_value());
  for (int i = 0; i < 120; ++i) body.solver.step(kFineStep);
  return worst_pin_m(body);
}

// A body that is folded over a shoulder 20 degrees outside its range is caught: ranges and pins then disagree for good,
// 3 cm apart, as the method page says. Which drag does so is a matter of rounding; that it is rare is not.
constexpr std::size_t kCaught = kSeeds / 30;

class PinDragHumanoid : public testing::TestWithParam<bool> {};

TEST_P(PinDragHumanoid, PinsReturnHalfASecondAfterADragOutOfReach) {
  std::vector<std::uint64_t> caught;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    scenes::Random random(seed);
    Pulled body = pinned_human(random, GetParam());
    Goal drag;
    drag.joint = random.index(body.solver.body().joint_count());
    drag.position_m = body.solver.body().world().positions[drag.joint] + random.direction() * random.uniform(0.5, 2.0);
    drag.priority = Priority::high;
    const auto id = *body.solver.add_goal(drag);
    if (pull_and_release(body, id) > 1e-3) caught.push_back(seed);
  }
  EXPECT_LE(caught.size(), GetParam() ? kCaught : 0) << "seeds " << testing::PrintToString(caught);
}

TEST_P(PinDragHumanoid, PinsReturnHalfASecondAfterAPinAgainstAPin) {
  std::string missed;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    scenes::Random random(seed + 1000);
    Pulled body = pinned_human(random, GetParam());
    Goal against = body.solver.goal(body.pins[random.index(static_cast<int>(body.pins.size()))]);
    against.position_m += random.direction() * random.uniform(0.3, 1.5);
    const auto id = *body.solver.add_goal(against);
    if (pull_and_release(body, id) > 1e-3) missed += "seed " + std::to_string(seed) + "; ";
  }
  EXPECT_EQ(missed, "");
}

INSTANTIATE_TEST_SUITE_P(Ranges, PinDragHumanoid, testing::Values(false, true),
                         [](const auto& one) { return one.param ? "on" : "off"; });

}  // namespace
}  // namespace shosa::posing
