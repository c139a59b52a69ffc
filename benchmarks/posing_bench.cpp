// One step of pin-and-drag: 56 degrees of freedom, 15 pin rows and 3 drag rows; growth with joints and with rows.

#include <benchmark/benchmark.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <cstdlib>

#ifdef SHOSA_BENCH_KDL
#include <kdl/frames.hpp>
#include <kdl/tree.hpp>
#include <kdl/treeiksolvervel_wdls.hpp>
#endif

#include "scenes/scenes.h"
#include "shosa/posing/human_ranges.h"
#include "shosa/posing/pin_drag_solver.h"
#include "shosa/posing/posture_prior.h"

namespace shosa::posing {
namespace {

constexpr double kStep = 1.0 / 60.0;

// A humanoid with 3 + 3 * 17 + 2 = 56 degrees of freedom: the root moves, 17 joints with the root are balls, two are
// hinges.
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
    const auto human = human_ranges(skeleton, body::guess_body_map(skeleton));
    for (const HumanRange& entry : *human) solver.set_range(entry.joint, entry.range);
  }
  return solver;
}

void add_goal(PinDragSolver& solver, const char* joint, Priority priority) {
  Goal goal;
  goal.joint = solver.body().skeleton().find(joint);
  goal.position_m = solver.body().world().positions[goal.joint];
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

// A hand to the floor among thousands of postures.
void look_up_a_posture(benchmark::State& state) {
  const Clip walk = scenes::walk({.duration_s = static_cast<double>(state.range(0))}).clip;
  const body::BodyMap map = body::guess_body_map(walk.skeleton());
  auto made = PosturePrior::create(walk.skeleton_ptr(), map, std::vector{walk});
  if (!made) std::abort();
  const auto prior = std::make_shared<const PosturePrior>(std::move(*made));
  PostureLookup lookup(prior);
  Articulation body(walk.skeleton_ptr());
  body.set_pose(scenes::stand().clip.frame(0));
  const auto joint = [&](const char* name) { return walk.skeleton().find(name); };
  std::vector<PriorGoal> goals = {{.joint = joint("right_hand"), .limb_top = joint("right_upper_arm")},
                                  {.joint = joint("left_foot"), .leads = false},
                                  {.joint = joint("right_foot"), .leads = false}};
  for (PriorGoal& goal : goals) goal.position_m = body.world().positions[goal.joint];
  const Vec3d home = goals[0].position_m;
  double time_s = 0.0;
  for (auto _ : state) {
    goals[0].position_m = home + Vec3d(0.0, -0.5 + 0.1 * std::sin(time_s), 0.3);
    benchmark::DoNotOptimize(lookup.find(body, goals));
    time_s += kStep;
  }
  state.counters["postures"] = prior->size();
}
BENCHMARK(look_up_a_posture)->Arg(20)->Arg(60)->Unit(benchmark::kMicrosecond);

// A random tree of ball joints with about `dof` degrees of freedom and `goals` held points on it, one of them dragged.
struct Tree {
  PinDragSolver solver;
  std::vector<PinDragSolver::GoalId> ids;

  Tree(int dof, int goals) : Tree(scenes::random_tree((dof - 2) / 3, 1), goals) {}
  Tree(const std::shared_ptr<const Skeleton>& skeleton, int goals) : solver(skeleton) {
    const int joints = skeleton->joint_count();
    solver.body().set_pose(scenes::random_clip(skeleton, 2, 2).frame(1));
    for (int g = 0; g < goals; ++g) {
      Goal goal;
      goal.joint = static_cast<JointIndex>(joints - 1 - g % joints);
      goal.offset_m = Vec3d(0.05 * (g / joints), 0.02, 0.0);
      goal.position_m = solver.body().point(goal.joint, goal.offset_m);
      goal.priority = g == 0 ? Priority::high : Priority::low;
      ids.push_back(*solver.add_goal(goal));
    }
  }

  // The first goal goes round a small circle.
  void drag(double time_s) {
    Goal goal = solver.goal(ids[0]);
    goal.position_m += 0.05 * kStep * Vec3d(std::cos(time_s), std::sin(time_s), 0.0);
    if (!solver.set_goal(ids[0], goal)) std::abort();
  }
};

void growth(benchmark::State& state) {
  Tree tree(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)) / 3);
  double time_s = 0.0;
  for (auto _ : state) {
    tree.drag(time_s += kStep);
    benchmark::DoNotOptimize(tree.solver.step(kStep));
  }
}
BENCHMARK(growth)
    ->ArgNames({"dof", "rows"})
    ->ArgsProduct({{25, 50, 100, 200}, {18}})
    ->ArgsProduct({{100}, {6, 12, 24, 48}})
    ->Unit(benchmark::kMicrosecond);

// Stands for what a plain kinematics library leaves to its user (MuJoCo and others; none of them is in Debian): the
// dense Jacobian of all rows and one damped least-squares solve of one priority, no ranges, no curvature.
void plain_damped_least_squares(benchmark::State& state) {
  Tree tree(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)) / 3);
  Articulation& body = tree.solver.body();
  const Skeleton& skeleton = body.skeleton();
  const auto rows = static_cast<Eigen::Index>(3 * tree.ids.size());
  const Eigen::Index columns = 3 + 3 * body.joint_count();
  Eigen::MatrixXd jacobian(rows, columns), square(rows, rows);
  Eigen::VectorXd wanted(rows), rates(columns);
  std::vector<Vec3d> turns(static_cast<std::size_t>(body.joint_count()));
  double time_s = 0.0;
  for (auto _ : state) {
    tree.drag(time_s += kStep);
    jacobian.setZero();
    for (std::size_t g = 0; g < tree.ids.size(); ++g) {
      const Goal& goal = tree.solver.goal(tree.ids[g]);
      const auto row = static_cast<Eigen::Index>(3 * g);
      const Vec3d point = body.point(goal.joint, goal.offset_m);
      wanted.segment<3>(row) = (goal.position_m - point) / kStep;
      jacobian.block<3, 3>(row, 0).setIdentity();
      for (JointIndex j = goal.joint; j != kNoJoint; j = skeleton.parent(j)) {
        const Vec3d r = point - body.world().positions[j];
        jacobian.block<3, 3>(row, 3 + 3 * j) << 0, r.z(), -r.y(), -r.z(), 0, r.x(), r.y(), -r.x(), 0;
      }
    }
    square.noalias() = jacobian * jacobian.transpose();
    square.diagonal().array() += 1e-4;
    rates.noalias() = jacobian.transpose() * square.llt().solve(wanted);
    for (JointIndex j = 0; j < body.joint_count(); ++j) {
      turns[j] = rates.segment<3>(3 + 3 * j);
    }
    body.integrate(rates.head<3>(), turns, kStep);
  }
}
BENCHMARK(plain_damped_least_squares)
    ->ArgNames({"dof", "rows"})
    ->ArgsProduct({{25, 50, 100, 200}, {18}})
    ->ArgsProduct({{100}, {6, 12, 24, 48}})
    ->Unit(benchmark::kMicrosecond);

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
