#pragma once

#include <vector>

#include "shosa/posing/motion_edit.h"

namespace shosa::posing {

/// What an edit makes of the costs of moving the body, for the solver; the root's place costs `root_stiffness_lin`.
struct EditWeights {
  std::vector<double> stiffness;    // per joint
  std::vector<double> desired;      // of every joint's reference rotation
  std::vector<JointIndex> hanging;  // upper arms that no goal leads
};
/// Where the limb of a joint meets the trunk; kNoJoint where it is on none, or limbs are not known.
JointIndex limb_top(const Skeleton& skeleton, const MotionEditParams& params, JointIndex joint);
EditWeights edit_weights(const Skeleton& skeleton, const MotionEditParams& params);

}  // namespace shosa::posing
