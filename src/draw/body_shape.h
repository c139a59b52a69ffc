#pragma once

#include <vector>

#include "shosa/body/body_map.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/skeleton.h"

namespace shosa::draw {

enum class Side {
  middle,
  left,
  right
};

/// A ball that goes with a joint.
struct Ball {
  JointIndex joint = kNoJoint;
  Vec3d offset_m = Vec3d::Zero();  ///< In the joint's frame.
  double radius_m = 0.0;

  Vec3d centre(const WorldPose& world) const {
    const auto index = static_cast<std::size_t>(joint);
    return world.positions[index] + world.rotations[index] * offset_m;
  }
};

/// One solid of a drawn body: the convex hull of its balls. Two balls make a tapered capsule.
struct BodyPart {
  std::vector<Ball> balls;
  Side side = Side::middle;
  JointIndex joint = kNoJoint;  ///< The joint it belongs to: a thigh belongs to the upper leg.
  int group = -1;               ///< Parts of one group (>= 0) are painted as one body: no outline where they meet.
  bool lit_as_group = false;    ///< Shaded as one with the other parts of its group: a trunk without seams.
};

/// How a skeleton is clothed for drawing.
struct BodyShape {
  std::vector<BodyPart> parts;  ///< At least one.
  double size_m = 1.0;          ///< Stature of a humanoid, otherwise the extent of the skeleton.
};

/// Clothes a skeleton with solids, by body role where roles are known.
///
/// A humanoid gets a chest and a pelvis as broad as its shoulders and hips, tapered limbs, wedge feet with a heel, a
/// head with a face; a quadruped a barrel and a muzzle. Every other bone (joint to child joint, joint to end site)
/// becomes a thin capsule: fingers, tails, ears, props, and all bones of a skeleton whose kind is unknown. Limb
/// thickness follows stature, which is taken from the leg bones (Drillis & Contini 1966: thigh and shank are 0.491 of
/// it).
///
/// `reference` gives the bone lengths: any posture of the motion. The directions of face and sole come from the rest
/// pose where that stands upright, else from `reference` as well. Bones of no length get no part; never fails.
BodyShape make_body_shape(const Skeleton& skeleton, const body::BodyMap& map, const WorldPose& reference);

}  // namespace shosa::draw
