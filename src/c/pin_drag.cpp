#include "shosa/c/pin_drag.h"

#include "c/objects.h"
#include "shosa/posing/body_weights.h"

using namespace shosa;
using namespace shosa::c;

namespace {

constexpr double kMostGain = 1e6, kMostStrength = 1e9;

posing::PinDragParams solver_params(Call& c, const shosa_pin_drag_params& own) {
  posing::PinDragParams params;
  params.drag_gain = c.number(own.drag_gain, "drag_gain", 0.0, kMostGain);
  params.pin_gain = c.number(own.pin_gain, "pin_gain", 0.0, kMostGain);
  params.desired_gain = c.number(own.desired_gain, "desired_gain", 0.0, kMostGain);
  params.range_gain = c.number(own.range_gain, "range_gain", 0.0, kMostGain);
  params.pin_strength = c.number(own.pin_strength, "pin_strength", 1e-9, kMostStrength);
  params.orientation_strength = c.number(own.orientation_strength, "orientation_strength", 1e-9, kMostStrength);
  params.desired_strength = c.number(own.desired_strength, "desired_strength", 1e-9, kMostStrength);
  params.range_strength = c.number(own.range_strength, "range_strength", 1e-9, kMostStrength);
  params.root_stiffness_lin = c.number(own.root_stiffness, "root_stiffness", 1e-9, kMostStrength);
  params.root_stiffness_ang = c.number(own.root_turn_stiffness, "root_turn_stiffness", 1e-9, kMostStrength);
  params.max_rate_radps = c.number(own.max_rate_radps, "max_rate_radps", 1e-6, 1e4);
  params.max_speed_mps = c.number(own.max_speed_mps, "max_speed_mps", 1e-6, 1e4);
  return params;
}

posing::Axes axes_of(std::uint32_t bits) {
  return {(bits & SHOSA_AXIS_X) != 0, (bits & SHOSA_AXIS_Y) != 0, (bits & SHOSA_AXIS_Z) != 0};
}

posing::Goal goal_of(Call& c, const shosa_goal* given) {
  const auto own = c.read(given, shosa_goal SHOSA_GOAL_INIT, "shosa_goal");
  c.index(own.priority, "priority", 2);
  c.index(own.position_axes, "position_axes", 8);
  c.index(own.orientation_axes, "orientation_axes", 8);
  posing::Goal goal;
  goal.joint = own.joint;
  goal.offset_m = c.point(own.offset_m, "offset_m");
  goal.position_axes = axes_of(own.position_axes);
  goal.position_m = c.point(own.position_m, "position_m");
  goal.velocity_mps = c.point(own.velocity_mps, "velocity_mps", 1e4);
  goal.orientation_axes = axes_of(own.orientation_axes);
  goal.orientation = unit_rotation(c, own.orientation, "orientation");
  goal.priority = own.priority == SHOSA_PRIORITY_HIGH ? posing::Priority::high : posing::Priority::low;
  goal.weight = c.number(own.weight, "weight", 1e-9, 1e6);
  goal.on = own.off == 0;
  return goal;
}

/// A joint of the solver's body.
JointIndex joint_of(Call& c, const PinDragObject* object, std::uint32_t joint) {
  return object == nullptr ? kNoJoint
                           : c.index(joint, "joint", static_cast<std::uint64_t>(object->skeleton->joint_count()));
}

/// A call on a solver, its numbers checked by the solver itself.
template <class Body>
shosa_status on_solver(shosa_context* context, const char* function, shosa_pin_drag solver, const Body& body) {
  return call(context, function, [&](Call& c) {
    auto* object = c.find<PinDragObject>(solver);
    if (object != nullptr) body(c, *object);
  });
}

}  // namespace

shosa_status shosa_pin_drag_create(shosa_context* context, shosa_handle of, const shosa_pin_drag_params* params,
                                   shosa_pin_drag* out) {
  return call(context, "shosa_pin_drag_create", [&](Call& c) {
    c.clear(out);
    const auto body = find_body(c, of);
    const auto own = c.read(params, shosa_pin_drag_params SHOSA_PIN_DRAG_PARAMS_INIT, "shosa_pin_drag_params");
    c.index(own.poses, "poses", 4);
    const posing::PinDragParams how = solver_params(c, own);
    if (c.failed()) return;
    auto object = std::make_unique<PinDragObject>(body->skeleton, how);
    object->map = *body->map;
    if (!object->arrays.create(context->allocator, body->skeleton->joint_count(), own.poses))
      return c.fail_plainly(SHOSA_OUT_OF_MEMORY, "no memory for a posture");
    object->solver.body().set_pose(object->pose);
    object->show();
    c.give(out, std::move(object));
  });
}

shosa_status shosa_pin_drag_set_pose(shosa_context* context, shosa_pin_drag solver, const float* rotations,
                                     const float* translations_m, uint32_t joint_count) {
  return on_solver(context, "shosa_pin_drag_set_pose", solver, [&](Call& c, PinDragObject& object) {
    c.same_count(joint_count, "joint_count", static_cast<std::uint64_t>(object.skeleton->joint_count()));
    if (c.failed()) return;
    Pose pose = object.pose;
    read_pose(c, rotations, translations_m, pose);
    if (c.failed()) return;
    object.solver.body().set_pose(pose);
    object.solver.forget_steps();
    object.show();
  });
}

shosa_status shosa_pin_drag_get_pose(shosa_context* context, shosa_pin_drag solver, shosa_pose* out) {
  return on_solver(context, "shosa_pin_drag_get_pose", solver,
                   [&](Call& c, const PinDragObject& object) { c.write(out, object.arrays.view(), "shosa_pose"); });
}

shosa_status shosa_pin_drag_add_goal(shosa_context* context, shosa_pin_drag solver, const shosa_goal* goal,
                                     uint32_t* out) {
  return on_solver(context, "shosa_pin_drag_add_goal", solver, [&](Call& c, PinDragObject& object) {
    c.clear_if_given(out);
    const posing::Goal own = goal_of(c, goal);
    if (object.solver.goal_count() >= 256) c.fail(SHOSA_NOT_POSSIBLE, "256 goals are there already");
    if (c.failed()) return;
    const auto number = c.take(object.solver.add_goal(own));
    if (number && out != nullptr) *out = static_cast<std::uint32_t>(*number);
  });
}

shosa_status shosa_pin_drag_set_goal(shosa_context* context, shosa_pin_drag solver, uint32_t number,
                                     const shosa_goal* goal) {
  return on_solver(context, "shosa_pin_drag_set_goal", solver, [&](Call& c, PinDragObject& object) {
    const int id = c.index(number, "number", static_cast<std::uint64_t>(object.solver.goal_count()));
    const posing::Goal own = goal_of(c, goal);
    if (!c.failed()) c.take(object.solver.set_goal(id, own));
  });
}

shosa_status shosa_pin_drag_clear_goals(shosa_context* context, shosa_pin_drag solver) {
  return on_solver(context, "shosa_pin_drag_clear_goals", solver,
                   [](Call&, PinDragObject& object) { object.solver.clear_goals(); });
}

shosa_status shosa_pin_drag_set_desired(shosa_context* context, shosa_pin_drag solver, uint32_t joint,
                                        const double rotation[4], double weight) {
  return on_solver(context, "shosa_pin_drag_set_desired", solver, [&](Call& c, PinDragObject& object) {
    posing::DesiredRotation desired;
    desired.joint = joint_of(c, &object, joint);
    desired.weight = c.number(weight, "weight", 0.0, 1e6);
    if (!c.present(rotation, "rotation")) return;
    desired.rotation = unit_rotation(c, rotation, "rotation");
    if (!c.failed()) c.take(object.solver.set_desired(desired));
  });
}

shosa_status shosa_pin_drag_set_desired_place(shosa_context* context, shosa_pin_drag solver, const double position_m[3],
                                              double weight) {
  return on_solver(context, "shosa_pin_drag_set_desired_place", solver, [&](Call& c, PinDragObject& object) {
    posing::DesiredPlace desired;
    desired.weight = c.number(weight, "weight", 0.0, 1e6);
    if (!c.present(position_m, "position_m")) return;
    const double values[3] = {position_m[0], position_m[1], position_m[2]};
    desired.position_m = c.point(values, "position_m");
    if (!c.failed()) c.take(object.solver.set_desired_place(desired));
  });
}

shosa_status shosa_pin_drag_set_stiffness(shosa_context* context, shosa_pin_drag solver, uint32_t joint,
                                          double stiffness) {
  return on_solver(context, "shosa_pin_drag_set_stiffness", solver, [&](Call& c, PinDragObject& object) {
    const JointIndex j = joint_of(c, &object, joint);
    c.number(stiffness, "stiffness", 1e-6, 1e6);
    if (!c.failed()) c.take(object.solver.set_stiffness(j, stiffness));
  });
}

shosa_status shosa_pin_drag_use_inertia(shosa_context* context, shosa_pin_drag solver) {
  return on_solver(context, "shosa_pin_drag_use_inertia", solver, [&](Call& c, PinDragObject& object) {
    const posing::BodyWeights weights = posing::body_weights(*object.skeleton, object.map);
    for (JointIndex j = 0; j < object.skeleton->joint_count() && !c.failed(); ++j)
      c.take(object.solver.set_stiffness(j, weights.inertia_m2[j]));
  });
}

shosa_status shosa_pin_drag_set_freedom(shosa_context* context, shosa_pin_drag solver, uint32_t joint, uint32_t freedom,
                                        const double axis[3]) {
  return on_solver(context, "shosa_pin_drag_set_freedom", solver, [&](Call& c, PinDragObject& object) {
    const JointIndex j = joint_of(c, &object, joint);
    posing::JointFreedom own;
    own.kind = static_cast<posing::JointKind>(c.index(freedom, "freedom", 3));
    if (freedom == SHOSA_JOINT_HINGE && c.present(axis, "axis")) {
      const double values[3] = {axis[0], axis[1], axis[2]};
      own.axis = c.point(values, "axis", 1e6);
      if (!(own.axis.norm() > 1e-6)) c.fail(SHOSA_BAD_ARGUMENT, "axis has no length");
      own.axis.normalize();
    }
    if (!c.failed()) c.take(object.solver.set_freedom(j, own));
  });
}

shosa_status shosa_pin_drag_set_ranges(shosa_context* context, shosa_pin_drag solver, const char* json) {
  return on_solver(context, "shosa_pin_drag_set_ranges", solver, [&](Call& c, PinDragObject& object) {
    const auto ranges = ranges_of(c, *object.skeleton, object.map, json);
    if (!ranges) return;
    for (JointIndex j = 0; j < object.skeleton->joint_count(); ++j) object.solver.set_range(j, std::nullopt);
    for (const posing::HumanRange& range : *ranges) object.solver.set_range(range.joint, range.range);
  });
}

shosa_status shosa_pin_drag_clear_ranges(shosa_context* context, shosa_pin_drag solver) {
  return on_solver(context, "shosa_pin_drag_clear_ranges", solver, [](Call&, PinDragObject& object) {
    for (JointIndex j = 0; j < object.skeleton->joint_count(); ++j) object.solver.set_range(j, std::nullopt);
  });
}

shosa_status shosa_pin_drag_enable_range(shosa_context* context, shosa_pin_drag solver, uint32_t joint, uint32_t on) {
  return on_solver(context, "shosa_pin_drag_enable_range", solver, [&](Call& c, PinDragObject& object) {
    const JointIndex j = joint_of(c, &object, joint);
    if (!c.failed()) object.solver.enable_range(j, on != 0);
  });
}

shosa_status shosa_pin_drag_allow_pose(shosa_context* context, shosa_pin_drag solver) {
  return on_solver(context, "shosa_pin_drag_allow_pose", solver,
                   [](Call&, PinDragObject& object) { object.solver.allow(object.solver.body()); });
}

shosa_status shosa_pin_drag_set_balance(shosa_context* context, shosa_pin_drag solver, const shosa_balance* balance) {
  return on_solver(context, "shosa_pin_drag_set_balance", solver, [&](Call& c, PinDragObject& object) {
    const auto own = c.read(balance, shosa_balance SHOSA_BALANCE_INIT, "shosa_balance");
    posing::Balance kept;
    kept.only_held = own.always == 0;
    kept.weight = c.number(own.weight, "weight", 1e-9, 1e6);
    kept.margin_m = c.number(own.margin_m, "margin_m", 0.0, 10.0);
    if (c.failed()) return;
    auto masses = c.take(posing::human_masses(*object.skeleton, object.map));
    if (!masses) return;
    kept.masses = std::move(*masses);
    kept.support = posing::human_support(*object.skeleton, object.map);
    c.take(object.solver.set_balance(std::move(kept)));
  });
}

shosa_status shosa_pin_drag_clear_balance(shosa_context* context, shosa_pin_drag solver) {
  return on_solver(context, "shosa_pin_drag_clear_balance", solver,
                   [](Call& c, PinDragObject& object) { c.take(object.solver.set_balance(std::nullopt)); });
}

shosa_status shosa_pin_drag_step(shosa_context* context, shosa_pin_drag solver, double step_s,
                                 shosa_step_report* report) {
  return on_solver(context, "shosa_pin_drag_step", solver, [&](Call& c, PinDragObject& object) {
    c.number(step_s, "step_s", 1e-6, 1.0);
    shosa_step_report made = SHOSA_STEP_REPORT_INIT;
    if (report != nullptr) c.write(report, made, "shosa_step_report");
    if (c.failed()) return;
    const posing::StepReport step = object.solver.step(step_s);
    object.show();
    if (report == nullptr) return;
    made.max_drag_error_m = step.max_drag_error_m;
    made.max_pin_error_m = step.max_pin_error_m;
    made.max_orientation_error_rad = step.max_orientation_error_rad;
    made.max_range_violation_rad = step.max_range_violation_rad;
    made.balance_error_m = object.solver.balance_error_m();
    made.max_rate_radps = step.max_rate_radps;
    made.shortened = step.shortened;
    c.write(report, made, "shosa_step_report");
  });
}

shosa_status shosa_pin_drag_goal_error(shosa_context* context, shosa_pin_drag solver, uint32_t number,
                                       double* position_m, double* orientation_rad) {
  return on_solver(context, "shosa_pin_drag_goal_error", solver, [&](Call& c, PinDragObject& object) {
    c.clear_if_given(position_m);
    c.clear_if_given(orientation_rad);
    const int id = c.index(number, "number", static_cast<std::uint64_t>(object.solver.goal_count()));
    if (c.failed()) return;
    if (position_m != nullptr) *position_m = object.solver.position_error_m(id);
    if (orientation_rad != nullptr) *orientation_rad = object.solver.orientation_error_rad(id);
  });
}
