#include "posing/edit_goals.h"

#include <algorithm>
#include <cmath>

#include "posing/drag_path.h"
#include "posing/edit_weights.h"
#include "shosa/core/smooth_steps.h"
#include "shosa/core/tree_paths.h"
#include "shosa/posing/within_reach.h"

namespace shosa::posing {

namespace {

// A pin this faint is off.
constexpr double kLeastShare = 1e-4;

}  // namespace

double share_of(const TimeInterval& within, double fade_s, double time_s) {
  const double outside = std::max({within.begin_s - time_s, time_s - within.end_s, 0.0});
  if (outside == 0.0) return 1.0;
  return fade_s > 0.0 ? 1.0 - minimum_jerk_step(outside / fade_s) : 0.0;
}

EditGoals::EditGoals(const Clip& reference, const MotionEditParams& params)
    : reference_(reference),
      params_(params),
      ghost_(reference.skeleton_ptr()),
      desired_(edit_weights(reference.skeleton(), params).desired) {
  for (const MotionPin& pin : params.pins) {
    Goal& goal = goals_.emplace_back();
    goal.joint = pin.joint;
    goal.weight = pin.weight;
    goal.position_axes = pin.position ? kAllAxes : kNoAxes;
    goal.orientation_axes = pin.hold_orientation ? kAllAxes : kNoAxes;
    const JointIndex top = limb_top(reference.skeleton(), params, pin.joint);
    const bool is_leg =
        pin.position && top != kNoJoint && std::ranges::find(params.weights->arms, top) == params.weights->arms.end();
    leg_m_.push_back(
        is_leg ? chain_length_m(reference.skeleton(), reference.skeleton().rest_positions(), top, pin.joint) : 0.0);
  }
  for (const DragLayer& layer : params.drags) {
    Goal& goal = goals_.emplace_back();
    goal.joint = layer.joint;
    goal.priority = Priority::high;
  }
  asked_m_.resize(params.drags.size());
}

void EditGoals::aim(int frame) {
  ghost_.set_pose(reference_.frame(frame));
  const double time_s = time_s_ = frame * reference_.frame_time_s();
  std::size_t id = 0;
  for (const MotionPin& pin : params_.pins) {
    Goal& goal = goals_[id++];
    const auto joint = static_cast<std::size_t>(pin.joint);
    const double share = share_of({pin.from_s, pin.to_s.value_or(reference_.duration_s())}, pin.fade_s, time_s);
    goal.on = share > kLeastShare;
    // A place of its own is come to along the way from the reference's; what only stays grows firm.
    const Vec3d& place = ghost_.world().positions[joint];
    const Quatd& turn = ghost_.world().rotations[joint];
    if (goal.on && !pin.position_m && !pin.orientation) {
      const double full = pin.weight * params_.solver.pin_strength;
      goal.weight = pin.weight * faded_strength(full, share, stiffness_at(pin.joint)) / full;
    }
    goal.position_m = pin.position_m ? Vec3d(place + share * (*pin.position_m - place)) : place;
    goal.orientation = pin.orientation ? turn.slerp(share, *pin.orientation) : turn;
  }
  for (const DragLayer& layer : params_.drags) {
    Goal& goal = goals_[id++];
    const JointIndex top = limb_top(reference_.skeleton(), params_, layer.joint);
    std::optional<Vec3d> pivot_m;
    if (top != kNoJoint && top != layer.joint) pivot_m = ghost_.world().positions[top];
    const double at_s = of_key(layer, time_s);
    const auto target = [&](const auto& led) {
      return drag_target(layer, at_s, ghost_.world().positions[layer.joint], pivot_m, led);
    };
    const DragTarget led = target([&](const Vec3d& asked_m) { return led_to(layer.joint, top, asked_m); });
    goal.on = led.active;
    goal.position_m = led.position_m;
    asked_m_[id - 1 - params_.pins.size()] = target([](const Vec3d& asked_m) { return asked_m; }).position_m;
  }
}

// Joints above give way one after the other: each by its lever squared over its own stiffness, and the root's place.
double EditGoals::stiffness_at(JointIndex joint) const {
  if (params_.return_weight == 0.0) return 1.0;
  const auto& places = ghost_.world().positions;
  double give = 1.0 / (params_.return_weight * params_.solver.root_stiffness_lin);
  for (JointIndex j = joint; j != kNoJoint; j = reference_.skeleton().parent(j))
    if (desired_[j] > 0.0) give += (places[joint] - places[j]).squaredNorm() / desired_[j];
  return 1.0 / give;
}

// Where a drag begins or ends at once, its first and last key count for the frame that is nearest to them.
double EditGoals::of_key(const DragLayer& layer, double time_s) const {
  const double near_s = 0.5 * reference_.frame_time_s();
  const double first_s = layer.keys.front().time_s, last_s = layer.keys.back().time_s;
  if (layer.fade_in_s == 0.0 && std::abs(time_s - first_s) < near_s) return first_s;
  if (layer.fade_out_s == 0.0 && std::abs(time_s - last_s) < near_s) return last_s;
  return time_s;
}

Vec3d EditGoals::led_to(JointIndex joint, JointIndex top, const Vec3d& asked_m) const {
  double firm = 0.0, leg_m = 0.0;
  for (std::size_t pin = 0; pin < leg_m_.size(); ++pin) {
    if (!goals_[pin].on || leg_m_[pin] == 0.0 || goals_[pin].weight <= firm) continue;
    firm = goals_[pin].weight, leg_m = leg_m_[pin];
  }
  if (firm == 0.0 || top == kNoJoint || top == joint) return asked_m;
  const auto& places = ghost_.world().positions;
  const double limb_m = chain_length_m(reference_.skeleton(), places, top, joint);
  return asked_m + std::min(firm, 1.0) * (within_reach(places[top], limb_m, asked_m, leg_m) - asked_m);
}

bool EditGoals::in_full(std::size_t goal) const {
  // Keys lie between frames: each counts for the frame that is nearest.
  const double near_s = 0.5 * (1.0 + 1e-9) * reference_.frame_time_s();
  const auto within = [&](double from_s, double to_s) {
    return time_s_ >= from_s - near_s && time_s_ <= to_s + near_s;
  };
  if (goal < params_.pins.size()) {
    const MotionPin& pin = params_.pins[goal];
    return within(pin.from_s, pin.to_s.value_or(reference_.duration_s()));
  }
  const DragLayer& layer = params_.drags[goal - params_.pins.size()];
  return within(layer.keys.front().time_s, layer.hold_last ? reference_.duration_s() : layer.keys.back().time_s);
}

bool EditGoals::ask_nothing() const {
  return std::ranges::all_of(goals_, [&](const Goal& goal) {
    const auto joint = static_cast<std::size_t>(goal.joint);
    if (!goal.on) return true;
    if (goal.position_axes != kNoAxes && (goal.position_m - ghost_.world().positions[joint]).norm() > kUnasked_m)
      return false;
    return goal.orientation_axes == kNoAxes ||
           goal.orientation.angularDistance(ghost_.world().rotations[joint]) <= kUnasked_rad;
  });
}

}  // namespace shosa::posing
