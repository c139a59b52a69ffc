#pragma once

#include <array>

#include "shosa/body/body_map.h"

namespace shosa::body {

/// A part of a human between two joints.
struct BodySegment {
  Role from = Role::hips;
  Role to = Role::hips;
  double mass = 0.0;   ///< Share of the body's mass.
  double place = 0.0;  ///< Where its centre of mass lies, from 0 at `from` to 1 at `to`.
};

/// A whole body, after D. A. Winter, Biomechanics and Motor Control of Human Movement, 4th ed. (2009), table 4.1. The
/// hand is part of the forearm, the foot of the shank.
inline constexpr std::array<BodySegment, 10> kHumanSegments = {{
    {Role::hips, Role::neck, 0.497, 0.50},
    {Role::neck, Role::head, 0.081, 1.00},
    {Role::left_upper_arm, Role::left_lower_arm, 0.028, 0.436},
    {Role::right_upper_arm, Role::right_lower_arm, 0.028, 0.436},
    {Role::left_lower_arm, Role::left_hand, 0.022, 0.682},
    {Role::right_lower_arm, Role::right_hand, 0.022, 0.682},
    {Role::left_upper_leg, Role::left_lower_leg, 0.100, 0.433},
    {Role::right_upper_leg, Role::right_lower_leg, 0.100, 0.433},
    {Role::left_lower_leg, Role::left_foot, 0.061, 0.606},
    {Role::right_lower_leg, Role::right_foot, 0.061, 0.606},
}};

}  // namespace shosa::body
