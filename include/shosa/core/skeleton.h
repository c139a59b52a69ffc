#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shosa/core/aligned.h"
#include "shosa/core/result.h"
#include "shosa/core/types.h"

namespace shosa {

/// One joint with its rest transform relative to its parent joint.
struct Joint {
  std::string name;
  JointIndex parent = kNoJoint;
  Vec3f rest_translation_m = Vec3f::Zero();  ///< In the parent's frame.
  Quatf rest_rotation = Quatf::Identity();   ///< parent_from_joint at rest.
};

/// A point fixed to a joint that ends a chain: finger tip, toe tip, crown.
struct EndSite {
  std::string name;
  JointIndex parent = kNoJoint;
  Vec3f offset_m = Vec3f::Zero();  ///< In the parent's frame.
};

/// The tree a motion moves. Constant once made; clips share one by pointer.
///
/// Rules, checked by `create`, which names the one broken:
/// - at least one joint; joint 0 is the only root; every other parent index is smaller than the joint's own;
/// - names are not empty and no two joints or end sites share one;
/// - rest translations and offsets are finite; rest rotations are finite and not zero (they are normalised).
class Skeleton {
 public:
  static Result<Skeleton> create(std::vector<Joint> joints, std::vector<EndSite> end_sites = {});

  int joint_count() const { return static_cast<int>(joints_.size()); }
  const Joint& joint(JointIndex index) const { return joints_[index]; }
  JointIndex parent(JointIndex index) const { return joint(index).parent; }
  const std::string& name(JointIndex index) const { return joint(index).name; }
  std::span<const Joint> joints() const { return joints_; }
  std::span<const EndSite> end_sites() const { return end_sites_; }
  std::span<const JointIndex> children(JointIndex index) const { return children_[index]; }
  std::span<const JointIndex> parents() const { return parents_; }  ///< Contiguous, for kernels.

  /// Exact name; kNoJoint when there is none.
  JointIndex find(std::string_view name) const;

  /// Rest translations in the lane layout of `Pose`, for kernels.
  std::span<const float> rest_translation_lanes() const { return rest_translation_lanes_; }

  /// Every joint's rest position in the root's parent frame, metres.
  const std::vector<Vec3d>& rest_positions() const { return rest_positions_; }
  /// world_from_joint rotations at rest.
  const std::vector<Quatd>& rest_rotations() const { return rest_rotations_; }

 private:
  Skeleton() = default;

  std::vector<Joint> joints_;
  std::vector<EndSite> end_sites_;
  std::vector<JointIndex> parents_;
  FloatBuffer rest_translation_lanes_;
  std::vector<std::vector<JointIndex>> children_;
  std::vector<Vec3d> rest_positions_;
  std::vector<Quatd> rest_rotations_;
  std::unordered_map<std::string, JointIndex> by_name_;
};

/// The same joints and end sites in the same order: names, parents, rest translations and offsets within `tolerance_m`,
/// rest rotations within 1e-3 rad.
bool same_skeleton(const Skeleton& a, const Skeleton& b, double tolerance_m = 1e-5);

}  // namespace shosa
