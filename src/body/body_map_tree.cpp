#include "body/body_map_tree.h"

#include <algorithm>

namespace shosa::body::body_map_detail {

std::vector<int> joint_depths(const Skeleton& skeleton) {
  std::vector<int> depths(static_cast<std::size_t>(skeleton.joint_count()), 0);
  for (JointIndex j = 1; j < skeleton.joint_count(); ++j) {
    depths[j] = depths[skeleton.parent(j)] + 1;
  }
  return depths;
}

bool is_ancestor(const Skeleton& skeleton, JointIndex ancestor, JointIndex joint) {
  if (ancestor == kNoJoint || joint == kNoJoint) return false;
  for (JointIndex j = skeleton.parent(joint); j != kNoJoint && j >= ancestor; j = skeleton.parent(j)) {
    if (j == ancestor) return true;
  }
  return false;
}

bool is_self_or_ancestor(const Skeleton& skeleton, JointIndex ancestor, JointIndex joint) {
  return ancestor != kNoJoint && (ancestor == joint || is_ancestor(skeleton, ancestor, joint));
}

JointIndex common_ancestor(const Skeleton& skeleton, JointIndex a, JointIndex b) {
  if (a == kNoJoint) return b;
  if (b == kNoJoint) return a;
  // Parents have smaller indices, so the larger of the two is never an ancestor of the other.
  while (a != b) (a > b ? a : b) = skeleton.parent(a > b ? a : b);
  return a;
}

std::vector<JointIndex> path_below(const Skeleton& skeleton, JointIndex from, JointIndex to) {
  std::vector<JointIndex> path;
  for (JointIndex j = to; j != from; j = skeleton.parent(j)) {
    if (j == kNoJoint) return {};
    path.push_back(j);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

JointIndex child_towards(const Skeleton& skeleton, JointIndex from, JointIndex to) {
  const auto path = path_below(skeleton, from, to);
  return path.empty() ? kNoJoint : path.front();
}

std::vector<int> subtree_sizes(const Skeleton& skeleton) {
  std::vector<int> sizes(static_cast<std::size_t>(skeleton.joint_count()), 1);
  for (JointIndex j = skeleton.joint_count() - 1; j > 0; --j) {
    sizes[skeleton.parent(j)] += sizes[j];
  }
  return sizes;
}

const SideRoles& side_roles(bool left) {
  using enum Role;
  static constexpr SideRoles kLeft{left_upper_leg,     left_lower_leg,        left_foot,           left_toes,
                                   left_shoulder,      left_upper_arm,        left_lower_arm,      left_hand,
                                   left_eye,           left_thumb_metacarpal, left_index_proximal, left_middle_proximal,
                                   left_ring_proximal, left_little_proximal};
  static constexpr SideRoles kRight{
      right_upper_leg,     right_lower_leg,        right_foot,           right_toes,
      right_shoulder,      right_upper_arm,        right_lower_arm,      right_hand,
      right_eye,           right_thumb_metacarpal, right_index_proximal, right_middle_proximal,
      right_ring_proximal, right_little_proximal};
  return left ? kLeft : kRight;
}

void set_back_roles(BodyMap& map, const std::vector<JointIndex>& back) {
  const std::size_t count = back.size();
  if (count >= 1) map.set(Role::spine, back.front());
  if (count == 2) map.set(Role::chest, back[1]);
  if (count >= 3) {
    map.set(Role::chest, back[count / 2]);
    map.set(Role::upper_chest, back.back());
  }
}

}  // namespace shosa::body::body_map_detail
