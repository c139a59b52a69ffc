#include "shosa/posing/motion_edit.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "posing/drag_path.h"
#include "posing/edit_weights.h"
#include "posing/motion_edit_rules.h"
#include "posing/smooth_change.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::posing {

namespace {

// In the last pass a trembling pin is met by its limb, not by the whole body.
constexpr double kPolishRootStiffness = 1e3;
// Ranges were met in the first pass; what capture noise pushes over them is not worth a jolt.
constexpr double kPolishRange = 0.02;

// Goals this near to the reference ask for nothing: there the change, none, keeps clear of the smoothing around it. A
// change this small is none.
constexpr double kUnasked_m = 1e-5, kUnasked_rad = 1e-5, kUnaskedWeight = 1e4;

// A light limb near its full length may turn this far in a step before the whole step is shortened.
constexpr double kMostTurn_rad = 0.1;

// Times the steps of a frame, at most, while a drag is not met.
constexpr int kMoreSteps = 3;

// A pin this faint is off.
constexpr double kLeastShare = 1e-4;

/// The turn about the vertical that is nearest to a rotation.
Quatd heading_part(const Quatd& rotation) {
  const double length = std::hypot(rotation.w(), rotation.y());
  return length > 1e-9 ? Quatd(rotation.w() / length, 0.0, rotation.y() / length, 0.0) : Quatd::Identity();
}

class Editor {
 public:
  Editor(const Clip& reference, const MotionEditParams& params)
      : reference_(reference),
        params_(params),
        solver_(reference.skeleton_ptr(), fitting(params, reference)),
        ghost_(reference.skeleton_ptr()),
        weights_(edit_weights(reference.skeleton(), params)),
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
    for (JointIndex j = 0; j < reference_.joint_count(); ++j) {
      if (const auto set = solver_.set_stiffness(j, weights_.stiffness[j]); !set) return std::unexpected(set.error());
    }
    for (const auto& [joint, freedom] : params_.freedoms) {
      if (const auto set = solver_.set_freedom(joint, freedom); !set) return std::unexpected(set.error());
    }
    // Balance was met in the first pass: limbs that make up for the smoothing would whip.
    std::optional<Balance> balance = params_.balance;
    if (balance && start_ != nullptr) balance->on = false;
    if (const auto balanced = solver_.set_balance(balance); !balanced) return std::unexpected(balanced.error());
    if (params_.balance) shares_.assign(params_.balance->support.size(), 1.0);
    Pose pose;
    for (int f = 0; f < reference_.frame_count(); ++f) {
      if (const auto moved = aim(f); !moved) return std::unexpected(moved.error());
      const bool unasked = asks_nothing();
      if (params_.return_weight > 0.0 && unasked) firmness_[f] = kUnaskedWeight;
      // Nothing asked and nothing left over: the frame keeps its bits.
      if (unasked && is_reference()) {
        solver_.body().set_pose(reference_.frame(f));
        continue;
      }
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
    solver.max_rate_radps = std::max(solver.max_rate_radps, kMostTurn_rad / step_s);
    if (params.return_weight > 0.0) solver.desired_gain = 1.0 / step_s;
    return solver;
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
      const Quatd& wanted = start_ != nullptr ? solver_.body().rotation(j) : ghost_.rotation(j);
      const auto set = solver_.set_desired({.joint = j, .rotation = wanted, .weight = weights_.desired[j]});
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
      // A place of its own is come to along the way from the reference's; what only stays grows firm.
      const Vec3d& place = ghost_.world().positions[joint];
      const Quatd& turn = ghost_.world().rotations[joint];
      if (goal.on && !pin.position_m && !pin.orientation) {
        const double full = pin.weight * params_.solver.pin_strength;
        goal.weight = pin.weight * faded_strength(full, share) / full;
      }
      goal.position_m = pin.position_m ? Vec3d(place + share * (*pin.position_m - place)) : place;
      goal.orientation = pin.orientation ? turn.slerp(share, *pin.orientation) : turn;
      if (const auto set = solver_.set_goal(id++, goal); !set) return set;
    }
    for (const DragLayer& layer : params_.drags) {
      Goal goal = solver_.goal(id);
      const JointIndex top = limb_top(reference_.skeleton(), params_, layer.joint);
      std::optional<Vec3d> pivot_m;
      if (top != kNoJoint && top != layer.joint) pivot_m = ghost_.world().positions[top];
      const DragTarget target = drag_target(layer, time_s, ghost_.world().positions[layer.joint], pivot_m);
      goal.on = target.active;
      goal.position_m = target.position_m;
      if (const auto set = solver_.set_goal(id++, goal); !set) return set;
    }
    if (params_.balance && !params_.stances.empty()) {
      for (std::size_t i = 0; i < shares_.size(); ++i) shares_[i] = carried_at(params_.balance->support[i], time_s);
      solver_.set_support_shares(shares_);
    }
    solver_.allow(ghost_);
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

  // Whether the body is where the reference has it.
  bool is_reference() const {
    const Articulation& body = solver_.body();
    if ((body.world().positions[0] - ghost_.world().positions[0]).norm() > kUnasked_m) return false;
    for (JointIndex j = 0; j < reference_.joint_count(); ++j) {
      if (body.rotation(j).angularDistance(ghost_.rotation(j)) > kUnasked_rad) return false;
    }
    return true;
  }

  // 1 within, falling smoothly over the fade on both sides.
  static double share_of(const TimeInterval& within, double fade_s, double time_s) {
    const double outside = std::max({within.begin_s - time_s, time_s - within.end_s, 0.0});
    if (outside == 0.0) return 1.0;
    return fade_s > 0.0 ? 1.0 - minimum_jerk_step(outside / fade_s) : 0.0;
  }
  double share_at(const MotionPin& pin, double time_s) const {
    return share_of({pin.from_s, pin.to_s.value_or(reference_.duration_s())}, pin.fade_s, time_s);
  }
  double carried_at(const SupportPoint& point, double time_s) const {
    double share = 0.0;
    for (const auto& [joint, time] : params_.stances) {
      if (joint == point.joint || joint == reference_.skeleton().parent(point.joint))
        share = std::max(share, share_of(time, kStanceFade_s, time_s));
    }
    return share;
  }

  // new = reference(f) * (change of frame f - 1): the reference's rates are fed forward exactly, and a hinge that was
  // turned about its axis still is.
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
      const Quatf change = before.rotation(j).conjugate() * now.rotation(j);
      carried.set_rotation(j, (pose.rotation(j) * change).normalized());
    }
    solver_.body().set_pose(carried);
  }

  void settle() {
    const double step_s = reference_.frame_time_s() / params_.steps_per_frame;
    // A light limb that folds or stretches fast takes more steps to its goal.
    const int most = (params_.weights ? kMoreSteps : 1) * params_.steps_per_frame;
    for (int step = 0; step < most; ++step) {
      if (step >= params_.steps_per_frame && last_.max_drag_error_m < params_.tolerance_m) break;
      if (start_ == nullptr) hang_arms();
      last_ = solver_.step(step_s);
      ++result_.steps;
      const double goals = std::max(last_.max_drag_error_m, last_.max_pin_error_m);
      if (step > 0 && goals < params_.tolerance_m && last_.max_rate_radps * step_s < 1e-4) break;
    }
  }

  // Free arms turn with the trunk's heading and keep, for the rest, how they hang in the world.
  void hang_arms() {
    const WorldPose& now = solver_.body().world();
    const WorldPose& reference = ghost_.world();
    for (const JointIndex arm : weights_.hanging) {
      const JointIndex above = reference_.skeleton().parent(arm);
      const Quatd turned = heading_part(now.rotations[above] * reference.rotations[above].conjugate());
      const Quatd wanted = now.rotations[above].conjugate() * turned * reference.rotations[arm];
      const auto set = solver_.set_desired({.joint = arm, .rotation = wanted, .weight = weights_.desired[arm]});
      assert(set.has_value());
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
  EditWeights weights_;
  std::vector<double> shares_;    // of the support points
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
