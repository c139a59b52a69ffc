#pragma once

#include <array>
#include <vector>

#include "shosa/core/body_map.h"

namespace shosa::retarget {

/// One bone of a limb in the canonical posture: the body stands on the origin, faces +Z, +X is its left.
struct LimbBone {
  Role role = Role::hips;
  Role next = Role::hips;           ///< Where the bone ends.
  Vec3d direction = Vec3d::Zero();  ///< Of the bone.
  Vec3d hinge = Vec3d::Zero();      ///< Axis about which the limb bends in its middle.
  Role upper = Role::hips;          ///< The limb's first bone: itself or the one before.
};

/// Thighs, shanks, upper arms and forearms, upper before lower. A humanoid stands in T-pose; a quadruped on four
/// straight legs.
std::vector<LimbBone> limb_bones(BodyKind kind);

/// The part of a body between the hips and the neck, and between that and the head, from the bottom up. Joints without
/// a role between two of a column belong to it.
struct Columns {
  std::vector<JointIndex> spine;  ///< Without the hips.
  std::vector<JointIndex> neck;   ///< Without the last of the spine; ends with the head.
};
Columns find_columns(const Skeleton& skeleton, const BodyMap& map);

/// Foot and toe roles, left and right.
struct FootRoles {
  Role lower, foot, toes;
};
inline constexpr FootRoles kFeet[] = {{Role::left_lower_leg, Role::left_foot, Role::left_toes},
                                      {Role::right_lower_leg, Role::right_foot, Role::right_toes}};

struct ArmRoles {
  Role upper, lower, hand;
};
/// Left, right.
inline constexpr std::array<ArmRoles, 2> kArms = {{{Role::left_upper_arm, Role::left_lower_arm, Role::left_hand},
                                                   {Role::right_upper_arm, Role::right_lower_arm, Role::right_hand}}};

struct HandRoles {
  Role lower, hand, first_finger;  ///< `first_finger` and the 14 roles after it are the hand's fingers.
};
inline constexpr HandRoles kHands[] = {{Role::left_lower_arm, Role::left_hand, Role::left_thumb_metacarpal},
                                       {Role::right_lower_arm, Role::right_hand, Role::right_thumb_metacarpal}};
inline constexpr int kFingerRoles = 15;

inline Role role_at(Role first, int offset) {
  return static_cast<Role>(static_cast<int>(first) + offset);
}

}  // namespace shosa::retarget
