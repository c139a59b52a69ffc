#include "posing/motion_edit_rules.h"

#include <cmath>

namespace shosa::posing {

Result<void> check_motion_edit(const Clip& reference, const MotionEditParams& params) {
  const auto known = [&](JointIndex joint) { return joint >= 0 && joint < reference.joint_count(); };
  for (const MotionPin& pin : params.pins) {
    if (!known(pin.joint))
      return fail(ErrorCode::invalid_argument, "pin: joint {}, expected one of the skeleton", pin.joint);
    if (!(pin.weight > 0.0) || !std::isfinite(pin.weight)) {
      return fail(ErrorCode::invalid_argument, "pin on '{}': weight {}, expected a positive number",
                  reference.skeleton().name(pin.joint), pin.weight);
    }
    if (!std::isfinite(pin.from_s) || (pin.to_s && !std::isfinite(*pin.to_s))) {
      return fail(ErrorCode::invalid_argument, "pin on '{}': from {} s to {} s, expected finite times",
                  reference.skeleton().name(pin.joint), pin.from_s, pin.to_s.value_or(0.0));
    }
    if (!(pin.fade_s >= 0.0) || !std::isfinite(pin.fade_s)) {
      return fail(ErrorCode::invalid_argument, "pin on '{}': fade {} s, expected >= 0",
                  reference.skeleton().name(pin.joint), pin.fade_s);
    }
    if (pin.position_m && !pin.position_m->allFinite()) {
      return fail(ErrorCode::invalid_argument, "pin on '{}': a position that is not finite",
                  reference.skeleton().name(pin.joint));
    }
  }
  for (const DragLayer& layer : params.drags) {
    if (!known(layer.joint)) {
      return fail(ErrorCode::invalid_argument, "drag: joint {}, expected one of the skeleton", layer.joint);
    }
    const std::string& name = reference.skeleton().name(layer.joint);
    if (layer.keys.empty())
      return fail(ErrorCode::invalid_argument, "drag of '{}': no keys, expected at least one", name);
    for (std::size_t k = 0; k < layer.keys.size(); ++k) {
      if (!layer.keys[k].position_m.allFinite() || !std::isfinite(layer.keys[k].time_s)) {
        return fail(ErrorCode::invalid_argument, "drag of '{}': key {} is not finite", name, k);
      }
      if (k > 0 && layer.keys[k].time_s <= layer.keys[k - 1].time_s) {
        return fail(ErrorCode::invalid_argument, "drag of '{}': key {} at {} s, expected a time after {} s", name, k,
                    layer.keys[k].time_s, layer.keys[k - 1].time_s);
      }
    }
    if (!(layer.fade_in_s >= 0.0) || !(layer.fade_out_s >= 0.0)) {
      return fail(ErrorCode::invalid_argument, "drag of '{}': fades of {} and {} s, expected >= 0", name,
                  layer.fade_in_s, layer.fade_out_s);
    }
  }
  for (const auto& [joint, weight] : params.desired_weights) {
    if (!known(joint)) {
      return fail(ErrorCode::invalid_argument, "desired weight: joint {}, expected one of the skeleton", joint);
    }
    if (!(weight >= 0.0) || !std::isfinite(weight)) {
      return fail(ErrorCode::invalid_argument, "desired weight of '{}': {}, expected >= 0",
                  reference.skeleton().name(joint), weight);
    }
  }
  for (const auto& [joint, stiffness] : params.stiffness) {
    if (!known(joint))
      return fail(ErrorCode::invalid_argument, "stiffness: joint {}, expected one of the skeleton", joint);
  }
  for (const auto& [joint, freedom] : params.freedoms) {
    if (!known(joint))
      return fail(ErrorCode::invalid_argument, "freedom: joint {}, expected one of the skeleton", joint);
  }
  for (const HumanRange& entry : params.ranges) {
    if (!known(entry.joint)) {
      return fail(ErrorCode::invalid_argument, "range: joint {}, expected one of the skeleton", entry.joint);
    }
  }
  if (params.weights && params.weights->inertia_m2.size() != static_cast<std::size_t>(reference.joint_count())) {
    return fail(ErrorCode::invalid_argument, "motion edit: weights of {} joints, expected {}",
                params.weights->inertia_m2.size(), reference.joint_count());
  }
  if (params.prior && !same_skeleton(params.prior->skeleton(), reference.skeleton(), 1e-3))
    return fail(ErrorCode::invalid_argument, "motion edit: a prior of another skeleton");
  if (!(params.limb_first >= 1.0) || !std::isfinite(params.limb_first)) {
    return fail(ErrorCode::invalid_argument, "motion edit: limb_first {}, expected >= 1", params.limb_first);
  }
  if (!(params.return_weight >= 0.0) || !std::isfinite(params.return_weight)) {
    return fail(ErrorCode::invalid_argument, "motion edit: return weight {}, expected >= 0", params.return_weight);
  }
  if (!(params.smooth_s >= 0.0) || !std::isfinite(params.smooth_s)) {
    return fail(ErrorCode::invalid_argument, "motion edit: smoothing over {} s, expected >= 0", params.smooth_s);
  }
  if (params.steps_per_frame < 1) {
    return fail(ErrorCode::invalid_argument, "motion edit: {} steps per frame, expected at least 1",
                params.steps_per_frame);
  }
  return {};
}

}  // namespace shosa::posing
