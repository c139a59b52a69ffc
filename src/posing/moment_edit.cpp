#include "shosa/posing/moment_edit.h"

#include <algorithm>
#include <cmath>

#include "posing/edit_goals.h"
#include "posing/motion_edit_rules.h"

namespace shosa::posing {

namespace {

// Of a foot that carries at the moment, and of one that does not.
constexpr TimeInterval kAlways{-1.0, 1e3}, kNever{-3.0, -2.0};

}  // namespace

Result<MomentEdit> MomentEdit::create(const Clip& reference, const MotionEditParams& params, double time_s) {
  if (const auto checked = check_motion_edit(reference, params); !checked) return std::unexpected(checked.error());
  const int frame = static_cast<int>(
      std::clamp(std::round(time_s / reference.frame_time_s()), 0.0, static_cast<double>(reference.frame_count() - 1)));
  // One frame: the first of an edit goes on until the body rests.
  Clip held(reference.skeleton_ptr(), 1, reference.frame_time_s(), reference.translated());
  held.set_frame(0, reference.frame(frame));

  EditGoals goals(reference, params);
  goals.aim(frame);
  MotionEditParams moment = params;
  moment.pins.clear();
  moment.drags.clear();
  moment.smooth_s = 0.0;
  for (std::size_t i = 0; i < goals.all().size(); ++i) {
    const Goal& goal = goals.all()[i];
    if (!goal.on) continue;
    if (i >= params.pins.size()) {
      moment.drags.push_back({.joint = goal.joint, .keys = {{0.0, goals.asked_m(i)}}, .hold_last = true});
      continue;
    }
    MotionPin& pin = moment.pins.emplace_back(params.pins[i]);
    pin.from_s = 0.0, pin.to_s.reset(), pin.fade_s = 0.0;
    pin.weight = goal.weight;
    if (pin.position_m) pin.position_m = goal.position_m;
    if (pin.orientation) pin.orientation = goal.orientation;
  }
  for (auto& [joint, time] : moment.stances)
    time = share_of(time, kStanceFade_s, frame * reference.frame_time_s()) >= 0.5 ? kAlways : kNever;
  return MomentEdit(std::move(held), std::move(moment));
}

Result<void> MomentEdit::lead(JointIndex joint, const Vec3d& position_m) {
  const auto drag = std::ranges::find(params_.drags, joint, &DragLayer::joint);
  if (drag == params_.drags.end())
    return fail(ErrorCode::invalid_argument, "no drag leads joint {} at this time", joint);
  drag->keys = {{0.0, position_m}};
  return {};
}

Result<void> MomentEdit::turn(JointIndex joint, const Quatd& orientation) {
  const auto turned = [&](const MotionPin& pin) { return pin.joint == joint && pin.hold_orientation; };
  const auto pin = std::ranges::find_if(params_.pins, turned);
  if (pin == params_.pins.end()) return fail(ErrorCode::invalid_argument, "no pin turns joint {} at this time", joint);
  pin->orientation = orientation;
  return {};
}

Result<MotionEditResult> MomentEdit::settle(int most_steps) {
  auto settled = edit_posture(held_, params_, posture_, most_steps, rests_);
  if (settled) settled->clip.get_frame(0, posture_);
  return settled;
}

}  // namespace shosa::posing
