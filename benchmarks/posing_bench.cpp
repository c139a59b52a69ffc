// One step of pin-and-drag: 56 degrees of freedom, 15 pin rows and 3 drag rows; growth with joints and with rows.

#include <benchmark/benchmark.h>

#ifdef SHOSA_BENCH_KDL
#include <kdl/frames.hpp>
#include <kdl/tree.hpp>
#include <kdl/treeiksolvervel_wdls.hpp>
#endif

#include "scenes/scenes.h"
#include "shosa/posing/human_ranges.h"
#include "shosa/posing/pin_drag_solver.h"

namespace shosa::posing {
namespace {

constexpr double kStep = 1.0 / 60.0;

// A humanoid with 3 + 3 * 18 - 1 = 56 degrees of freedom: 17 ball joints and a hinge beside the free root.
PinDragSolver doll(bool ranges) {
  PinDragSolver solver(scenes::humanoid());
  const Skeleton& skeleton = solver.body().skeleton();
  solver.body().set_pose(scenes::stand().clip.frame(0));
  int freedoms = 3;
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    const int left = 56 - freedoms;
    JointFreedom freedom;
    if (left == 0) freedom.kind = JointKind::fixed;
    if (left == 1 || left == 2) freedom.kind = JointKind::hinge;
    freedoms += freedom.kind == JointKind::ball ? 3 : freedom.kind == JointKind::hinge ? 1 : 0;
    if (!solver.set_freedom(j, freedom)) std::abort();
  }
  if (ranges) {
    const auto human = human_ranges(skeleton, guess_body_map(skeleton));
    for (const HumanRange& entry : *human) solver.set_range(entry.joint, entry.range);
  }
  return solver;
}

void add_goal(PinDragSolver& solver, const char* joint, Priority priority) {
  Goal goal;
  goal.joint = solver.body().skeleton().find(joint);
  goal.position_m = solver.body().world().positions[static_cast<std::size_t>(goal.joint)];
  goal.priority = priority;
  if (!solver.add_goal(goal)) std::abort();
}

void step(benchmark::State& state, bool ranges) {
  PinDragSolver solver = doll(ranges);
  for (const char* pin : {"left_foot", "right_foot", "left_toes", "right_toes", "left_hand"}) {
    add_goal(solver, pin, Priority::low);
  }
  add_goal(solver, "right_hand", Priority::high);
  const Vec3d home = solver.goal(5).position_m;
  Goal drag = solver.goal(5);
  double time_s = 0.0;
  for (auto _ : state) {
    drag.position_m = home + Vec3d(0.1 * std::sin(time_s), 0.15 * std::sin(0.7 * time_s), 0.1 + 0.1 * std::cos(time_s));
    if (!solver.set_goal(5, drag)) std::abort();
    benchmark::DoNotOptimize(solver.step(kStep));
    time_s += kStep;
  }
}
void step_without_ranges(benchmark::State& state) {
  step(state, false);
}
void step_with_all_ranges(benchmark::State& state) {
  step(state, true);
}
BENCHMARK(step_without_ranges)->Unit(benchmark::kMicrosecond);
BENCHMARK(step_with_all_ranges)->Unit(benchmark::kMicrosecond);

void joints(benchmark::State& state) {
  PinDragSolver solver(scenes::random_tree(static_cast<int>(state.range(0)), 1));
  for (int g = 0; g < 6; ++g) {
    Goal goal;
    goal.joint = static_cast<JointIndex>(state.range(0) - 1 - g);
    goal.position_m = solver.body().world().positions[static_cast<std::size_t>(goal.joint)];
    goal.priority = g == 0 ? Priority::high : Priority::low;
    if (!solver.add_goal(goal)) std::abort();
  }
  for (auto _ : state) benchmark::DoNotOptimize(solver.step(kStep));
  state.counters["degrees_of_freedom"] = 3.0 + 3.0 * static_cast<double>(state.range(0));
}
BENCHMARK(joints)->Arg(17)->Arg(34)->Arg(68)->Arg(136)->Unit(benchmark::kMicrosecond);

void rows(benchmark::State& state) {
  PinDragSolver solver(scenes::random_tree(66, 1));
  for (int g = 0; g < state.range(0) / 3; ++g) {
    Goal goal;
    goal.joint = static_cast<JointIndex>(65 - g);
    goal.position_m = solver.body().world().positions[static_cast<std::size_t>(goal.joint)];
    if (!solver.add_goal(goal)) std::abort();
  }
  for (auto _ : state) benchmark::DoNotOptimize(solver.step(kStep));
}
BENCHMARK(rows)->Arg(9)->Arg(18)->Arg(36)->Arg(72)->Unit(benchmark::kMicrosecond);

#ifdef SHOSA_BENCH_KDL
// Orocos KDL's weighted damped tree solver on the same body: three hinges for every ball joint, six for the root; the
// same six points as tasks of one priority, no ranges.
void kdl_weighted_damped_tree(benchmark::State& state) {
  const PinDragSolver solver = doll(false);
  const Skeleton& skeleton = solver.body().skeleton();
  KDL::Tree tree("world");
  const auto hinge = [&](const std::string& name, const std::string& above, KDL::Joint::JointType type,
                         const KDL::Frame& tip) {
    if (!tree.addSegment(KDL::Segment(name, KDL::Joint(name + "_joint", type), tip), above)) std::abort();
  };
  hinge("root_x", "world", KDL::Joint::TransX, KDL::Frame());
  hinge("root_y", "root_x", KDL::Joint::TransY, KDL::Frame());
  hinge("root_z", "root_y", KDL::Joint::TransZ, KDL::Frame());
  int freedoms = 3;
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    const Joint& joint = skeleton.joint(j);
    const std::string above = joint.parent == kNoJoint ? "root_z" : skeleton.name(joint.parent);
    const KDL::Frame at(
        KDL::Vector(joint.rest_translation_m.x(), joint.rest_translation_m.y(), joint.rest_translation_m.z()));
    const int left = 56 - freedoms;
    hinge(joint.name + "_0", above, KDL::Joint::None, at);
    if (left >= 3) {
      hinge(joint.name + "_1", joint.name + "_0", KDL::Joint::RotX, KDL::Frame());
      hinge(joint.name + "_2", joint.name + "_1", KDL::Joint::RotY, KDL::Frame());
      hinge(joint.name, joint.name + "_2", KDL::Joint::RotZ, KDL::Frame());
      freedoms += 3;
    } else {
      hinge(joint.name, joint.name + "_0", left > 0 ? KDL::Joint::RotX : KDL::Joint::None, KDL::Frame());
      freedoms += left > 0 ? 1 : 0;
    }
  }
  const std::vector<std::string> ends = {"left_foot",  "right_foot", "left_toes",
                                         "right_toes", "left_hand",  "right_hand"};
  KDL::TreeIkSolverVel_wdls kdl(tree, ends);
  kdl.setLambda(0.01);
  Eigen::MatrixXd task = Eigen::MatrixXd::Zero(36, 36);
  for (int e = 0; e < 6; ++e) task.block<3, 3>(6 * e, 6 * e).setIdentity();
  kdl.setWeightTS(task);
  KDL::JntArray q(tree.getNrOfJoints()), rates(tree.getNrOfJoints());
  for (unsigned i = 3; i < q.rows(); ++i) q(i) = 0.01 * i;
  KDL::Twists twists;
  for (const std::string& end : ends) twists[end] = KDL::Twist::Zero();
  twists["right_hand"].vel = KDL::Vector(0.1, 0.05, 0.02);
  for (auto _ : state) benchmark::DoNotOptimize(kdl.CartToJnt(q, twists, rates));
}
BENCHMARK(kdl_weighted_damped_tree)->Unit(benchmark::kMicrosecond);
#endif

}  // namespace
}  // namespace shosa::posing
