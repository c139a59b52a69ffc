#pragma once

#include <vector>

#include "shosa/posing/joint_range.h"

namespace shosa::posing {

/// Directions of the bone (the range frame's x axis) along the edge of the swing region, in the parent's frame and in
/// order; `per_edge` >= 1 on every edge. A region with holes or of several pieces gives its first edge only.
std::vector<Vec3d> range_outline(const JointRange& range, int per_edge = 4);

}  // namespace shosa::posing
