#pragma once

#include <array>
#include <vector>

#include "shosa/body/body_map.h"

namespace shosa::retarget {

/// One bone of a limb in the canonical posture: the body stands on the origin, faces +Z, +X is its left.
struct LimbBone {
  body::Role role = body::Role::hips;
  body::Role next = body::Role::hips;   ///< Where the bone ends.
  Vec3d direction = Vec3d::Zero();      ///< Of the bone.
  Vec3d hinge = Vec3d::Zero();          ///< Axis about which the limb bends in its middle.
  body::Role upper = body::Role::hips;  ///< The limb's first bone: itself or the one before.
};

/// Thighs, shanks, upper arms and forearms, upper before lower. A humanoid stands in T-pose; a quadruped on four
/// straight legs.
std::vector<LimbBone> limb_bones(body::BodyKind kind);

/// The part of a body between the hips and the neck, and between that and the head, from the bottom up. Joints without
/// a role between two of a column belong to it.
struct Columns {
  std::vector<JointIndex> spine;  ///< Without the hips.
  std::vector<JointIndex> neck;   ///< Without the last of the spine; ends with the head.
};
Columns find_columns(const Skeleton& skeleton, const body::BodyMap& map);

/// Foot and toe roles, left and right.
struct FootRoles {
  body::Role lower, foot, toes;
};
inline constexpr FootRoles kFeet[] = {{body::Role::left_lower_leg, body::Role::left_foot, body::Role::left_toes},
                                      {body::Role::right_lower_leg, body::Role::right_foot, body::Role::right_toes}};

struct ArmRoles {
  body::Role upper, lower, hand;
};
/// Left, right.
inline constexpr std::array<ArmRoles, 2> kArms = {
    {{body::Role::left_upper_arm, body::Role::left_lower_arm, body::Role::left_hand},
     {body::Role::right_upper_arm, body::Role::right_lower_arm, body::Role::right_hand}}};

struct HandRoles {
  body::Role lower, hand, first_finger;  ///< `first_finger` and the 14 roles after it are the hand's fingers.
};
inline constexpr HandRoles kHands[] = {
    {body::Role::left_lower_arm, body::Role::left_hand, body::Role::left_thumb_metacarpal},
    {body::Role::right_lower_arm, body::Role::right_hand, body::Role::right_thumb_metacarpal}};
inline constexpr int kFingerRoles = 15;

inline body::Role role_at(body::Role first, int offset) {
  return static_cast<body::Role>(static_cast<int>(first) + offset);
}

}  // namespace shosa::retarget
