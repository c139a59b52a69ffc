#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shosa/core/skeleton.h"

namespace shosa::body {

/// The parts of a body that joints can play: VRM 1.0 humanoid bones in snake_case. A quadruped uses the same words: its
/// front legs are the arms (`left_hand` is the front foot), its hind legs the legs.
// clang-format off
enum class Role : int {
  hips, spine, chest, upper_chest, neck, head, left_eye, right_eye, jaw,
  left_upper_leg, left_lower_leg, left_foot, left_toes,
  right_upper_leg, right_lower_leg, right_foot, right_toes,
  left_shoulder, left_upper_arm, left_lower_arm, left_hand,
  right_shoulder, right_upper_arm, right_lower_arm, right_hand,
  left_thumb_metacarpal, left_thumb_proximal, left_thumb_distal,
  left_index_proximal, left_index_intermediate, left_index_distal,
  left_middle_proximal, left_middle_intermediate, left_middle_distal,
  left_ring_proximal, left_ring_intermediate, left_ring_distal,
  left_little_proximal, left_little_intermediate, left_little_distal,
  right_thumb_metacarpal, right_thumb_proximal, right_thumb_distal,
  right_index_proximal, right_index_intermediate, right_index_distal,
  right_middle_proximal, right_middle_intermediate, right_middle_distal,
  right_ring_proximal, right_ring_intermediate, right_ring_distal,
  right_little_proximal, right_little_intermediate, right_little_distal,
  count
};
// clang-format on
inline constexpr int kRoleCount = static_cast<int>(Role::count);

/// "left_foot"; aliases for quadrupeds are understood by `find_role` only.
std::string_view role_name(Role role);
/// snake_case or VRM camelCase ("leftFoot"); `left_front_foot` and `left_hind_foot` name a quadruped's feet.
std::optional<Role> find_role(std::string_view name);
/// left_* <-> right_*; itself for the middle of the body.
Role mirrored(Role role);

enum class BodyKind {
  unknown,
  humanoid,
  quadruped
};

/// Which joint plays which role.
class BodyMap {
 public:
  BodyMap() { joints_.fill(kNoJoint); }

  BodyKind kind = BodyKind::unknown;
  std::vector<std::string> warnings;  ///< What was unclear, for people.

  JointIndex joint(Role role) const { return joints_[static_cast<int>(role)]; }
  bool has(Role role) const { return joint(role) != kNoJoint; }
  void set(Role role, JointIndex joint) { joints_[static_cast<int>(role)] = joint; }
  std::optional<Role> role_of(JointIndex joint) const;

 private:
  std::array<JointIndex, kRoleCount> joints_;
};

/// The hips, or joint 0 where no hips are known: what carries the body through the world.
inline JointIndex root_joint(const BodyMap& map) {
  return map.has(Role::hips) ? map.joint(Role::hips) : 0;
}

/// Guesses the roles, from names where they say something and from the shape of the tree and its rest pose where not.
///
/// Names are compared without namespace, prefix, case and separators; the vocabularies of CMU, Mixamo, LAFAN, 3ds Max
/// Biped, Bandai Namco, HumanIK, VRM, MakeHuman, Poser, DAZ, Biovision, SMPL, Xsens, Unreal, Rigify and Reallusion are
/// known. A role's joint hangs on the joint of the role before it in its limb; where only a loose foot is named (an IK
/// rig), that one is given with a warning. Never fails: a skeleton that is no body gives kind unknown. Any unit, any up
/// axis. `posed`, where given, are joint positions in a typical posture of the motion (used when the rest pose is
/// degenerate); another size than the joint count is ignored. How it decides and where it fails:
/// docs/methods/body_map.md
BodyMap guess_body_map(const Skeleton& skeleton, const std::vector<Vec3d>* posed = nullptr);

/// What a body of the map's kind lacks, for people: the last of `guess_body_map`'s warnings. Empty when nothing does.
std::vector<std::string> missing_roles(const BodyMap& map);

/// A joint by the file's own name or by role ("LeftFoot", "left_foot"). The error lists near names.
Result<JointIndex> resolve_joint(const Skeleton& skeleton, const BodyMap& map, std::string_view name);

/// True for joints of the lower body (hips and what carries them, legs, feet and what hangs on the legs), false for the
/// upper, a tail included. One entry per joint. Where no hips are known everything is upper.
std::vector<bool> lower_body(const Skeleton& skeleton, const BodyMap& map);

/// For `mirror`: left and right joints exchanged, by role first, then by name (L/R, left/right) and place in the tree;
/// every other joint is its own partner.
std::vector<JointIndex> mirror_partners(const Skeleton& skeleton, const BodyMap& map);

/// Trunk and head, each arm, each leg: a number per joint. Joints without a role belong to the limb they hang on.
std::vector<int> limb_groups(const Skeleton& skeleton, const BodyMap& map);

}  // namespace shosa::body
