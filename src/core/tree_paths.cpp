#include "shosa/core/tree_paths.h"

#include <algorithm>

namespace shosa {

std::vector<JointIndex> joint_chain(const Skeleton& skeleton, JointIndex ancestor, JointIndex joint) {
  std::vector<JointIndex> chain;
  for (JointIndex j = joint; j != kNoJoint; j = skeleton.parent(j)) {
    chain.push_back(j);
    if (j == ancestor) {
      std::ranges::reverse(chain);
      return chain;
    }
  }
  return {};
}

double chain_length_m(const Skeleton& skeleton, std::span<const Vec3d> positions, JointIndex ancestor,
                      JointIndex joint) {
  const std::vector<JointIndex> chain = joint_chain(skeleton, ancestor, joint);
  double length_m = 0.0;
  for (std::size_t i = 1; i < chain.size(); ++i) {
    length_m += (positions[chain[i]] - positions[chain[i - 1]]).norm();
  }
  return length_m;
}

}  // namespace shosa
