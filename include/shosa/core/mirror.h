#pragma once

#include <span>
#include <vector>

#include "shosa/core/clip.h"
#include "shosa/core/result.h"

namespace shosa {

/// How each joint of a skeleton is seen in a mirror, across the plane x = 0 of the world, whatever frames its joints
/// have.
///
/// Joint j then plays what its partner o played: world_from_j = M world_from_o C_j with M the reflection of the world
/// and C_j one from the frame of j to that of o. A reflection is a half turn and a change of sign; the signs cancel in
/// every rotation, so that C_j is kept as the rotation `turn[j]` = -C_j. Mirrored twice is the identity because the
/// turns of partners are inverse.
struct JointMirrors {
  std::vector<JointIndex> partner;  ///< Itself for the spine.
  std::vector<Quatd> turn;

  /// world_from_joint of joint j.
  Quatd world_rotation(JointIndex j, const Quatd& of_partner) const;
  /// Of a local transform of the partner, as joint j has it.
  Quatd rotation(const Skeleton& skeleton, JointIndex j, const Quatd& of_partner) const;
  Vec3d translation_m(const Skeleton& skeleton, JointIndex j, const Vec3d& of_partner) const;
};

/// A place in the world, seen in the mirror.
Vec3d mirror_point(const Vec3d& point);

/// Finds the reflection of each joint's frame.
///
/// From the rest posture where it is its own mirror image in a plane through the axes of the world or of the joint that
/// all limbs hang on. Else (files whose rest is a row of bones) from the axes of each frame: of the four ways to
/// reflect them the one that takes the joint's bones to its partner's, and by which the postures look most alike on
/// both sides. Joints above the first that has limbs reflect as the world does. Fails when `partner` is not an
/// involution over the joints that keeps the root.
Result<JointMirrors> joint_mirrors(const Skeleton& skeleton, std::span<const JointIndex> partner,
                                   std::span<const Pose> postures);

/// Postures from all over a clip, for `joint_mirrors`.
std::vector<Pose> spread_postures(const Clip& clip);

}  // namespace shosa
