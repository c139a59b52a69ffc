#pragma once

#include <span>
#include <vector>

#include "shosa/core/skeleton.h"

namespace shosa {

/// `ancestor`, …, `joint`, from the top down; one entry where both are the same joint, none where `joint` does not hang
/// on `ancestor`.
std::vector<JointIndex> joint_chain(const Skeleton& skeleton, JointIndex ancestor, JointIndex joint);

/// Length of the bones from `ancestor` down to `joint`, where `positions` has every joint of one posture (at rest:
/// `skeleton.rest_positions()`). 0 where `joint` does not hang on `ancestor`.
double chain_length_m(const Skeleton& skeleton, std::span<const Vec3d> positions, JointIndex ancestor,
                      JointIndex joint);

}  // namespace shosa
