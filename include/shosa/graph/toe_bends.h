#pragma once

#include "shosa/graph/motion_set.h"

namespace shosa::graph {

/// How the toes of a foot bend: about one axis, from how they lie at rest; up is positive.
struct ToeBends {
  JointIndex joint = kNoJoint;            ///< A child of the ankle; kNoJoint: the foot has no such toes.
  Vec3d across_in_foot = Vec3d::UnitX();  ///< A turn about it raises the toes.
  Quatd rest = Quatd::Identity();         ///< foot_from_toes.
  double least_rad = 0.0, most_rad = 0.0;

  double bend_rad(const Quatd& foot_from_toes) const;
};
/// As far as people's toes bend (`body::kToeExtension_deg`) from how they lie while the foot stands, or as far as in
/// any clip of the set.
ToeBends find_toe_bends(const MotionSet& set, std::size_t foot);

}  // namespace shosa::graph
