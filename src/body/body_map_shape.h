#pragma once

#include <vector>

#include "shosa/core/skeleton.h"

namespace shosa::body::body_map_detail {

/// The tree without names: joints first, then the end sites that have a length. Lengths do not depend on the posture.
struct Shape {
  explicit Shape(const Skeleton& skeleton);

  int joint_count = 0;
  std::vector<int> parent;  ///< -1 for the root.
  std::vector<std::vector<int>> children;
  std::vector<double> length;  ///< To the parent.
  std::vector<double> reach;   ///< Longest way down to a leaf.
  std::vector<int> size;       ///< Nodes in the subtree, itself included.
  std::vector<int> depth;
  std::vector<Vec3d> rest;  ///< Rest positions of joints and end sites.

  bool is_joint(int node) const { return node < joint_count; }
  double extent(int node) const { return at(length, node) + at(reach, node); }
  /// From `node` down the longest way to a leaf, `node` first.
  std::vector<int> longest_chain(int node) const;
  bool is_below(int node, int ancestor) const;  ///< Itself included.

  template <class T>
  static const T& at(const std::vector<T>& values, int node) {
    return values[node];
  }
};

/// Two branches of one joint that look like mirror images: nearly the same lengths and numbers of joints.
struct MirrorPair {
  int attachment = -1;
  int a = -1, b = -1;
  double extent = 0.0;    ///< Mean length of the two.
  double likeness = 0.0;  ///< 0 to 1.
};
/// Largest first.
std::vector<MirrorPair> find_mirror_pairs(const Shape& shape);

/// The three joints that make a leg or an arm out of a chain with twist links and helpers.
struct LimbJoints {
  int upper = -1, lower = -1, end = -1;  ///< Positions in the chain, -1 when there is no limb.
  bool found() const { return upper >= 0; }
};
enum class LimbKind {
  leg,
  arm
};

/// Upper, lower and end joint with about equal links between, straight where links are skipped, and a hand or foot of
/// plausible length beyond; the two chains of a pair are judged together. `positions` may lack end sites.
LimbJoints split_limb(const Shape& shape, LimbKind kind, const std::vector<int>& chain_a,
                      const std::vector<int>& chain_b, const std::vector<Vec3d>& positions);

}  // namespace shosa::body::body_map_detail
