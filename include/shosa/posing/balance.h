#pragma once

#include <span>
#include <vector>

#include "shosa/body/body_map.h"
#include "shosa/core/result.h"
#include "shosa/core/skeleton.h"
#include "shosa/core/types.h"

namespace shosa::posing {

/// A part of the body's mass, fixed to a joint.
struct PointMass {
  JointIndex joint = kNoJoint;
  Vec3d offset_m = Vec3d::Zero();  ///< In the joint's frame.
  double mass = 0.0;               ///< Any unit; only shares count.
};

/// A point of the body that stands on the ground.
struct SupportPoint {
  JointIndex joint = kNoJoint;
  Vec3d offset_m = Vec3d::Zero();
  /// How much it carries, 0 to 1: between, the support is drawn in toward what carries more, so that a foot that lifts
  /// off takes its part of the support with it smoothly.
  double share = 1.0;
};

/// Keeps the centre of mass over the ground that the support points span.
struct Balance {
  bool on = true;
  bool only_held = true;              ///< A support point counts while a goal holds its joint, or the joint next to it.
  double weight = 1.0;                ///< Against pins of weight 1; > 0.
  double margin_m = 0.02;             ///< How far inside the rim the centre of mass is kept; >= 0.
  std::vector<PointMass> masses;      ///< Their sum must be > 0.
  std::vector<SupportPoint> support;  ///< At least one.
};

/// Masses of a human's segments (body/body_segments.h) at their centres, the trunk's along its bones, as shares of the
/// whole. A segment whose far joint is missing sits at its near one; without that it is left out. Fails when none is
/// there.
Result<std::vector<PointMass>> human_masses(const Skeleton& skeleton, const body::BodyMap& map);

/// Ankles, toes and toe tips of both feet.
std::vector<SupportPoint> human_support(const Skeleton& skeleton, const body::BodyMap& map);

/// The shortest way, on the ground plane (x, z), from a point to the convex hull of others; zero inside.
Eigen::Vector2d way_into_hull(const Eigen::Vector2d& point, std::span<const Eigen::Vector2d> others);

}  // namespace shosa::posing
