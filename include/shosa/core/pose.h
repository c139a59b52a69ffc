#pragma once

#include <span>

#include "shosa/core/aligned.h"
#include "shosa/core/skeleton.h"
#include "shosa/core/types.h"

namespace shosa {

/// One posture: for every joint the rotation and translation relative to its parent (parent_from_joint).
///
/// Single precision in blocks of kLanes joints, `[x8 y8 z8 w8]` for rotations and `[x8 y8 z8]` for translations, so
/// that sampling and blending work on whole registers. Padding lanes hold the identity. Copying a pose into another of
/// the same joint count allocates nothing.
class Pose {
 public:
  Pose() = default;
  /// Identity rotations, zero translations.
  explicit Pose(int joint_count);
  static Pose rest(const Skeleton& skeleton);

  int joint_count() const { return joint_count_; }

  Quatf rotation(JointIndex joint) const;
  void set_rotation(JointIndex joint, const Quatf& parent_from_joint);
  Vec3f translation(JointIndex joint) const;
  void set_translation(JointIndex joint, const Vec3f& in_parent_m);

  /// The raw lanes, for kernels.
  std::span<float> rotation_lanes() { return rotations_; }
  std::span<const float> rotation_lanes() const { return rotations_; }
  std::span<float> translation_lanes() { return translations_; }
  std::span<const float> translation_lanes() const { return translations_; }

 private:
  int joint_count_ = 0;
  FloatBuffer rotations_;
  FloatBuffer translations_;
};

}  // namespace shosa
