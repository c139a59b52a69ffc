#pragma once

#include <initializer_list>
#include <optional>
#include <vector>

#include "draw/body_shape.h"
#include "shosa/core/tree_paths.h"

namespace shosa::draw {

// Groups of parts that are painted as one body.
inline constexpr int kTrunk = 0, kHead = 1, kLeftHand = 2, kRightHand = 3, kFirstAppendage = 4;

/// What the makers of humanoid, quadruped and generic shapes share while one shape is built.
class ShapeBuilder {
 public:
  ShapeBuilder(const Skeleton& skeleton, const body::BodyMap& map, const WorldPose& reference);

  const Skeleton& skeleton() const { return skeleton_; }
  const body::BodyMap& map() const { return map_; }

  /// Bone lengths are measured here.
  const Vec3d& at(JointIndex joint) const { return reference_.positions[joint]; }
  const Vec3d& at(body::Role role) const { return at(map_.joint(role)); }
  const Quatd& reference_rotation(JointIndex joint) const { return reference_.rotations[joint]; }
  bool has(body::Role role) const { return map_.has(role); }
  bool has_all(std::initializer_list<body::Role> roles) const;

  /// A posture that stands upright (see make_body_shape), for the directions of face and sole.
  const WorldPose& upright() const { return upright_; }
  const Vec3d& upright_at(JointIndex joint) const { return upright_.positions[joint]; }
  /// Where the body faces in `upright()`: level, unit length.
  const Vec3d& upright_forward() const { return upright_forward_; }

  /// See tree_paths.h.
  double chain_length_m(JointIndex from_ancestor, JointIndex to) const {
    return shosa::chain_length_m(skeleton_, reference_.positions, from_ancestor, to);
  }
  std::vector<JointIndex> chain(JointIndex from_ancestor, JointIndex to) const {
    return joint_chain(skeleton_, from_ancestor, to);
  }
  /// The end of a joint's longest bone to a child or end site, carried by that child or by the joint.
  std::optional<Ball> far_end(JointIndex joint, double radius_m) const;
  /// The nearest ancestor that plays a role.
  JointIndex role_parent(JointIndex joint) const;
  /// The role of the joint, or of its nearest ancestor that plays one.
  std::optional<body::Role> region(JointIndex joint) const { return regions_[joint]; }
  /// True when the joint or something below it plays a role.
  bool leads_to_role(JointIndex joint) const { return leads_to_role_[joint]; }

  Ball on_joint(JointIndex joint, double radius_m) const { return {joint, Vec3d::Zero(), radius_m}; }
  /// A ball at a world point of the reference posture, carried by `joint`.
  Ball at_reference(JointIndex joint, const Vec3d& world_m, double radius_m) const;
  /// A ball at a world point of `upright()`, carried by `joint`.
  Ball at_upright(JointIndex joint, const Vec3d& world_m, double radius_m) const;

  void add(JointIndex joint, std::vector<Ball> balls, int group = -1);
  /// A tapered capsule on every bone of the chain between two joints; one straight between them where a control rig has
  /// hung `to` elsewhere in the tree.
  void add_chain(JointIndex from_ancestor, JointIndex to, double begin_radius_m, double end_radius_m, int group = -1);
  /// No thin bone is needed from the joint's parent to the joint.
  void cover(JointIndex joint) { covered_[joint] = true; }
  void cover_chain(JointIndex from_ancestor, JointIndex to);
  bool covered(JointIndex joint) const { return covered_[joint]; }
  void cover_end_sites(JointIndex joint) { covered_sites_[joint] = true; }
  bool covered_end_sites(JointIndex joint) const { return covered_sites_[joint]; }

  BodyShape shape;

 private:
  Side side(JointIndex joint) const;
  bool stands(const WorldPose& pose) const;

  const Skeleton& skeleton_;
  const body::BodyMap& map_;
  const WorldPose& reference_;
  WorldPose upright_;
  Vec3d upright_forward_ = Vec3d::UnitZ();
  std::vector<std::optional<body::Role>> regions_;
  std::vector<bool> leads_to_role_;
  std::vector<bool> covered_;
  std::vector<bool> covered_sites_;
};

// Each adds its parts and covers the bones it has clothed; false when the roles it needs are not there.
bool add_humanoid(ShapeBuilder& body);
bool add_quadruped(ShapeBuilder& body);
/// Thin capsules on every bone and end site that is not covered.
void add_other_bones(ShapeBuilder& body);

}  // namespace shosa::draw
