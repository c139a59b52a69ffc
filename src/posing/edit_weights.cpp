#include "posing/edit_weights.h"

#include <algorithm>

namespace shosa::posing {

JointIndex limb_top(const Skeleton& skeleton, const MotionEditParams& params, JointIndex joint) {
  if (!params.weights) return kNoJoint;
  const auto& limbs = params.weights->limbs;
  while (joint != kNoJoint && std::ranges::find(limbs, joint) == limbs.end()) joint = skeleton.parent(joint);
  return joint;
}

EditWeights edit_weights(const Skeleton& skeleton, const MotionEditParams& params) {
  const auto joints = static_cast<std::size_t>(skeleton.joint_count());
  EditWeights out;
  out.stiffness.assign(joints, 1.0);
  if (params.weights) {
    // Limbs that are led cost 1 / limb_first and the root its mass of 1: pins stay as strong against the body as ever.
    out.stiffness = params.weights->inertia_m2;
    const auto lead = [&](JointIndex joint) {
      const JointIndex top = limb_top(skeleton, params, joint);
      for (JointIndex j = joint; top != kNoJoint; j = skeleton.parent(j)) {
        out.stiffness[j] = params.weights->inertia_m2[j] / params.limb_first;
        if (j == top) break;
      }
    };
    for (const DragLayer& layer : params.drags) lead(layer.joint);
    for (const MotionPin& pin : params.pins) {
      if (pin.position_m) lead(pin.joint);
    }
    const auto holds = [&](JointIndex arm) {
      const auto below = [&](JointIndex joint) {
        while (joint != kNoJoint && joint != arm) joint = skeleton.parent(joint);
        return joint == arm;
      };
      return std::ranges::any_of(params.pins, below, &MotionPin::joint) ||
             std::ranges::any_of(params.drags, below, &DragLayer::joint);
    };
    for (const JointIndex arm : params.weights->arms) {
      if (arm != 0 && !holds(arm)) out.hanging.push_back(arm);
    }
  }
  for (const auto& [joint, factor] : params.stiffness) out.stiffness[joint] *= factor;

  out.desired.assign(joints, params.desired_weight);
  for (const auto& [joint, own] : params.desired_weights) out.desired[joint] = own;
  if (params.return_weight > 0.0) {
    for (std::size_t j = 0; j < joints; ++j) {
      const double share = params.desired_weight > 0.0 ? out.desired[j] / params.desired_weight : 1.0;
      out.desired[j] = share * params.return_weight * out.stiffness[j];
    }
    out.desired[0] *= params.solver.root_stiffness_ang;
  }
  return out;
}

}  // namespace shosa::posing
