#pragma once

#include <vector>

#include "shosa/body/body_map.h"

namespace shosa::body::body_map_detail {

std::vector<int> joint_depths(const Skeleton& skeleton);
bool is_ancestor(const Skeleton& skeleton, JointIndex ancestor, JointIndex joint);  ///< Strict.
bool is_self_or_ancestor(const Skeleton& skeleton, JointIndex ancestor, JointIndex joint);
/// The deepest joint that carries both.
JointIndex common_ancestor(const Skeleton& skeleton, JointIndex a, JointIndex b);
/// The joints from below `from` down to `to`, `to` included; empty when `to` does not hang on `from`.
std::vector<JointIndex> path_below(const Skeleton& skeleton, JointIndex from, JointIndex to);
/// The child of `from` through which `to` hangs on it; kNoJoint when it does not.
JointIndex child_towards(const Skeleton& skeleton, JointIndex from, JointIndex to);
/// Joints in the subtree, itself included; one entry per joint.
std::vector<int> subtree_sizes(const Skeleton& skeleton);

/// The roles of one side's limbs.
struct SideRoles {
  Role upper_leg, lower_leg, foot, toes, shoulder, upper_arm, lower_arm, hand, eye, thumb, index, middle, ring, little;
};
const SideRoles& side_roles(bool left);

/// The middle of the body between `hips` and `head`, in order: back joints become spine, chest and upper chest by their
/// place; the first joint of the neck becomes the neck.
void set_back_roles(BodyMap& map, const std::vector<JointIndex>& back);

}  // namespace shosa::body::body_map_detail
