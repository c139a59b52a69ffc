#include "retarget/arm_solver.h"

#include "retarget/limbs.h"

namespace shosa::retarget {
namespace {

constexpr int kMaxSteps = 20;
posing::PinDragParams solver_params() {
  posing::PinDragParams params;
  params.drag_gain = params.pin_gain = params.desired_gain = params.range_gain = 1.0;
  params.root_stiffness_lin = params.root_stiffness_ang = 1e12;
  params.max_rate_radps = params.max_speed_mps = 0.5;
  return params;
}

}  // namespace

ArmSolver::ArmSolver(const WorkBody& body) : body_(body), solver_(body.skeleton, solver_params()) {
  for (JointIndex j = 0; j < body.skeleton->joint_count(); ++j)
    (void)solver_.set_freedom(j, {.kind = posing::JointKind::fixed});
  for (const ArmRoles& arm : kArms) {
    if (!body.map.has(arm.hand) || !body.map.has(arm.upper) || !body.map.has(arm.lower)) continue;
    for (const body::Role role : {arm.upper, arm.lower, arm.hand}) {
      (void)solver_.set_freedom(body.map.joint(role), {.kind = posing::JointKind::ball});
      (void)solver_.set_stiffness(body.map.joint(role), 0.05);
    }
    (void)solver_.add_goal({.joint = body.map.joint(arm.hand),
                            .orientation_axes = posing::kAllAxes,
                            .priority = posing::Priority::high,
                            .on = false});
  }
}

void ArmSolver::solve(const HandHolds& frame, Pose& pose) {
  // Which frames a thread was given before must not show.
  solver_.forget_steps();
  solver_.body().set_pose(pose);
  int id = 0;
  for (std::size_t i = 0; i < kArms.size(); ++i) {
    const ArmRoles& arm = kArms[i];
    if (!body_.map.has(arm.hand) || !body_.map.has(arm.upper) || !body_.map.has(arm.lower)) continue;
    posing::Goal goal = solver_.goal(id);
    goal.on = frame.holds[i].weight > 0.0;
    goal.position_m = frame.holds[i].place_m;
    goal.orientation = solver_.body().world().rotations[body_.map.joint(arm.hand)];
    (void)solver_.set_goal(id++, goal);
    for (const body::Role role : {arm.upper, arm.lower}) {
      const JointIndex joint = body_.map.joint(role);
      (void)solver_.set_desired({.joint = joint, .rotation = solver_.body().rotation(joint), .weight = 1.0});
    }
  }
  for (int step = 0; step < kMaxSteps; ++step) {
    const posing::StepReport report = solver_.step(1.0);
    if (report.max_drag_error_m < 1e-5 && report.max_rate_radps < 1e-4) break;
  }
  Pose solved = pose;
  solver_.body().get_pose(solved);
  for (std::size_t i = 0; i < kArms.size(); ++i) {
    if (frame.holds[i].weight <= 0.0) continue;
    for (const body::Role role : {kArms[i].upper, kArms[i].lower, kArms[i].hand})
      pose.set_rotation(body_.map.joint(role), solved.rotation(body_.map.joint(role)));
  }
}

}  // namespace shosa::retarget
