#pragma once

#include <string>
#include <vector>

#include "shosa/body/body_map.h"
#include "shosa/core/skeleton.h"

namespace shosa::body {

/// Which end of the body a foot carries.
enum class FootKind {
  foot,
  front_foot,
  hand
};

/// The points of one foot that can touch the ground, as indices into `ClipPositions::point` (joints, then end sites).
struct FootPoints {
  std::string name;  ///< "left", "right"; quadrupeds "front_left", "hind_left", …; hands "left_hand", ….
  FootKind kind = FootKind::foot;
  Role role = Role::left_foot;  ///< Of the heel joint.
  JointIndex joint = kNoJoint;  ///< The joint that plays `role`.
  JointIndex limb = kNoJoint;   ///< Where the leg begins (upper leg, upper arm); kNoJoint when unknown.
  JointIndex knee = kNoJoint;   ///< The joint above `joint`.
  int heel = -1;  ///< The ankle (wrist) where it can come near the ground; -1 for the raised hock of a paw.
  int toe = -1;   ///< The ball of the foot: the toe joint, or the end site of a foot without toes. -1: none.
  int tip = -1;   ///< The end site beyond the toe joint. -1: none, or it lies on the joint.
};

struct FootPointsParams {
  bool hands = false;  ///< Also the hands of a humanoid (cartwheels, crawling).
};

/// The feet of a body, left before right, hind before front. Empty when the map knows no feet.
std::vector<FootPoints> find_foot_points(const Skeleton& skeleton, const BodyMap& map,
                                         const FootPointsParams& params = {});

/// Length of the leg from hip to ankle along the bones at rest; the mean of the legs that are known and whose
/// foot hangs on their hip. 0 when none is.
double leg_length_m(const Skeleton& skeleton, const BodyMap& map);

/// What the thresholds of this room are tuned for.
inline constexpr double kHumanLegLength_m = 0.85;

}  // namespace shosa::body
