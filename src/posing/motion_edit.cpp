#include "shosa/posing/motion_edit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "posing/drag_path.h"
#include "posing/motion_edit_rules.h"
#include "posing/smooth_change.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::posing {

namespace {

// In the last pass a trembling pin is met by its limb, not by the whole body.
constexpr double kPolishRootStiffness = 1e3;
// Ranges were met in the first pass; what capture noise pushes over them is not worth a jolt.
constexpr double kPolishRange = 0.02;

// Goals this near to the reference ask for nothing: there the change, none, keeps clear of the smoothing around it.
constexpr double kUnasked_m = 1e-5, kUnasked_rad = 1e-5, kUnaskedWeight = 1e4;

// A pin this faint is off.
constexpr double kLeastShare = 1e-4;

class Editor {
 public:
  Editor(const Clip& reference, const MotionEditParams& params)
      : reference_(reference),
        params_(params),
        solver_(reference.skeleton_ptr(), fitting(params, reference)),
        ghost_(reference.skeleton_ptr()),
        weights_(desired_weights(params, reference.joint_count())),
        firmness_(static_cast<std::size_t>(reference.frame_count()), 1.0),
        result_{reference} {
    for (const HumanRange& entry : params.ranges) solver_.set_range(entry.joint, entry.range);
  }

  /// How firmly each frame keeps its change when that is smoothed.
  const std::vector<double>& firmness() const { return firmness_; }

  /// Starts each frame from that posture of `start` instead, and lets the limbs do the rest.
  void polish(const Clip& start) {
    start_ = &start;
    solver_.params().root_stiffness_lin = solver_.params().root_stiffness_ang = kPolishRootStiffness;
    solver_.params().desired_gain = solver_.params().drag_gain;
    solver_.params().range_strength *= kPolishRange;
  }

  Result<MotionEditResult> run() {
    for (const MotionPin& pin : params_.pins) {
      Goal goal;
      goal.joint = pin.joint;
      goal.weight = pin.weight;
      goal.position_axes = pin.position ? kAllAxes : kNoAxes;
      goal.orientation_axes = pin.hold_orientation ? kAllAxes : kNoAxes;
      if (const auto added = solver_.add_goal(goal); !added) return std::unexpected(added.error());
    }
    for (const DragLayer& layer : params_.drags) {
      Goal goal;
      goal.joint = layer.joint;
      goal.priority = Priority::high;
      if (const auto added = solver_.add_goal(goal); !added) return std::unexpected(added.error());
    }
    for (const auto& [joint, stiffness] : params_.stiffness) {
      if (const auto set = solver_.set_stiffness(joint, stiffness); !set) return std::unexpected(set.error());
    }
    for (const auto& [joint, freedom] : params_.freedoms) {
      if (const auto set = solver_.set_freedom(joint, freedom); !set) return std::unexpected(set.error());
    }
    if (const auto balanced = solver_.set_balance(params_.balance); !balanced) return std::unexpected(balanced.error());
    Pose pose;
    for (int f = 0; f < reference_.frame_count(); ++f) {
      if (const auto moved = aim(f); !moved) return std::unexpected(moved.error());
      settle();
      measure();
      solver_.body().get_pose(pose);
      result_.clip.set_frame(f, pose);
    }
    return std::move(result_);
  }

 private:
  // Each step takes the whole remaining error; the frame's steps together last one frame.
  static PinDragParams fitting(const MotionEditParams& params, const Clip& reference) {
    PinDragParams solver = params.solver;
    const double step_s = reference.frame_time_s() / params.steps_per_frame;
    solver.drag_gain = solver.pin_gain = 1.0 / step_s;
    solver.range_gain = 1.0 / step_s;
    if (params.return_weight > 0.0) solver.desired_gain = 1.0 / step_s;
    return solver;
  }

  // Per joint.
  static std::vector<double> desired_weights(const MotionEditParams& params, int joints) {
    std::vector<double> weights(static_cast<std::size_t>(joints), params.desired_weight);
    for (const auto& [joint, own] : params.desired_weights) weights[joint] = own;
    if (params.return_weight == 0.0) return weights;
    std::ranges::fill(weights, params.return_weight);
    for (const auto& [joint, stiffness] : params.stiffness) weights[joint] = params.return_weight * stiffness;
    weights[0] *= params.solver.root_stiffness_ang;
    return weights;
  }

  // Starts from the reference's posture with the change that the frame before ended with, and sets the frame's goals.
  Result<void> aim(int frame) {
    const Pose pose = reference_.frame(frame);
    if (start_ != nullptr)
      solver_.body().set_pose(start_->frame(frame));
    else
      carry_change(frame, pose);
    ghost_.set_pose(pose);
    const double time_s = frame * reference_.frame_time_s();
    for (JointIndex j = 0; j < reference_.joint_count(); ++j) {
      const double weight = weights_[j];
      const Quatd& wanted = start_ != nullptr ? solver_.body().rotation(j) : ghost_.rotation(j);
      const auto set = solver_.set_desired({.joint = j, .rotation = wanted, .weight = weight});
      if (!set) return set;
    }
    if (params_.return_weight > 0.0 && start_ == nullptr) {
      const auto set = solver_.set_desired_place({.position_m = ghost_.world().positions[0],
                                                  .weight = params_.return_weight * params_.solver.root_stiffness_lin});
      if (!set) return set;
    }
    int id = 0;
    for (const MotionPin& pin : params_.pins) {
      Goal goal = solver_.goal(id);
      const auto joint = static_cast<std::size_t>(pin.joint);
      const double share = share_at(pin, time_s);
      goal.on = share > kLeastShare;
      if (goal.on) goal.weight = pin.weight * share;
      goal.position_m = pin.position_m.value_or(ghost_.world().positions[joint]);
      goal.orientation = pin.orientation.value_or(ghost_.world().rotations[joint]);
      if (const auto set = solver_.set_goal(id++, goal); !set) return set;
    }
    for (const DragLayer& layer : params_.drags) {
      Goal goal = solver_.goal(id);
      const DragTarget target = drag_target(layer, time_s, ghost_.world().positions[layer.joint]);
      goal.on = target.active;
      goal.position_m = target.position_m;
      if (const auto set = solver_.set_goal(id++, goal); !set) return set;
    }
    if (params_.return_weight > 0.0 && asks_nothing()) firmness_[frame] = kUnaskedWeight;
    return {};
  }

  // Whether the reference meets all goals of the frame as it is.
  bool asks_nothing() const {
    for (int id = 0; id < solver_.goal_count(); ++id) {
      const Goal& goal = solver_.goal(id);
      const auto joint = static_cast<std::size_t>(goal.joint);
      if (!goal.on) continue;
      if (goal.position_axes != kNoAxes && (goal.position_m - ghost_.world().positions[joint]).norm() > kUnasked_m)
        return false;
      if (goal.orientation_axes != kNoAxes &&
          goal.orientation.angularDistance(ghost_.world().rotations[joint]) > kUnasked_rad)
        return false;
    }
    return true;
  }

  // 1 while the pin is on, rising and falling smoothly over its fade.
  double share_at(const MotionPin& pin, double time_s) const {
    const double before = pin.from_s - time_s;
    const double after = time_s - pin.to_s.value_or(reference_.duration_s());
    const double outside = std::max({before, after, 0.0});
    if (outside == 0.0) return 1.0;
    return pin.fade_s > 0.0 ? 1.0 - minimum_jerk_step(outside / pin.fade_s) : 0.0;
  }

  // new = (change of frame f - 1) * reference(f): the reference's rates are fed forward exactly.
  void carry_change(int frame, const Pose& pose) {
    if (frame == 0) {
      solver_.body().set_pose(pose);
      return;
    }
    Pose now, before = reference_.frame(frame - 1);
    solver_.body().get_pose(now);
    Pose carried = pose;
    carried.set_translation(0, pose.translation(0) + (now.translation(0) - before.translation(0)));
    for (JointIndex j = 0; j < reference_.joint_count(); ++j) {
      const Quatf change = now.rotation(j) * before.rotation(j).conjugate();
      carried.set_rotation(j, (change * pose.rotation(j)).normalized());
    }
    solver_.body().set_pose(carried);
  }

  void settle() {
    const double step_s = reference_.frame_time_s() / params_.steps_per_frame;
    for (int step = 0; step < params_.steps_per_frame; ++step) {
      last_ = solver_.step(step_s);
      ++result_.steps;
      const double goals = std::max(last_.max_drag_error_m, last_.max_pin_error_m);
      if (step > 0 && goals < params_.tolerance_m && last_.max_rate_radps * step_s < 1e-4) break;
    }
  }

  void measure() {
    for (int id = 0; id < solver_.goal_count(); ++id) {
      const Goal& goal = solver_.goal(id);
      if (!goal.on) continue;
      const bool drag = goal.priority == Priority::high;
      double& largest = drag ? result_.max_drag_error_m : result_.max_pin_error_m;
      const double error = solver_.position_error_m(id);
      if (error <= largest) continue;
      largest = error;
      (drag ? result_.worst_drag : result_.worst_pin) = goal.joint;
    }
    result_.max_balance_error_m = std::max(result_.max_balance_error_m, solver_.balance_error_m());
    for (const HumanRange& entry : params_.ranges) {
      const double violation = solver_.range_violation_rad(entry.joint) * 180.0 / M_PI;
      if (violation <= result_.max_range_violation_deg) continue;
      result_.max_range_violation_deg = violation;
      result_.worst_range = entry.joint;
    }
  }

  const Clip& reference_;
  const MotionEditParams& params_;
  PinDragSolver solver_;
  Articulation ghost_;
  std::vector<double> weights_;   // of every joint's desired rotation
  std::vector<double> firmness_;  // of every frame's change
  const Clip* start_ = nullptr;
  StepReport last_;
  MotionEditResult result_;
};

}  // namespace

Result<MotionEditResult> edit_motion(const Clip& reference, const MotionEditParams& params) {
  if (const auto checked = check_motion_edit(reference, params); !checked) return std::unexpected(checked.error());
  Editor first(reference, params);
  auto edited = first.run();
  if (!edited || params.smooth_s == 0.0) return edited;
  const Clip smooth = smooth_change(reference, edited->clip, params.smooth_s, first.firmness());
  Editor last(reference, params);
  last.polish(smooth);
  auto polished = last.run();
  if (polished) polished->steps += edited->steps;
  return polished;
}

Result<MotionEditResult> edit_motion(const Clip& reference, std::span<const MotionEditParams> layers) {
  MotionEditResult all{reference};
  for (std::size_t k = 0; k < layers.size(); ++k) {
    auto one = edit_motion(all.clip, layers[k]);
    if (!one) return fail(one.error().code, "layer {}: {}", k, one.error().message);
    all.clip = std::move(one->clip);
    all.steps += one->steps;
    const auto keep_worse = [](double& largest, JointIndex& where, double found, JointIndex joint) {
      if (found <= largest) return;
      largest = found;
      where = joint;
    };
    keep_worse(all.max_drag_error_m, all.worst_drag, one->max_drag_error_m, one->worst_drag);
    all.max_balance_error_m = std::max(all.max_balance_error_m, one->max_balance_error_m);
    keep_worse(all.max_pin_error_m, all.worst_pin, one->max_pin_error_m, one->worst_pin);
    keep_worse(all.max_range_violation_deg, all.worst_range, one->max_range_violation_deg, one->worst_range);
  }
  return all;
}

}  // namespace shosa::posing
