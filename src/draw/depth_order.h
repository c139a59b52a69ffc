#pragma once

#include <span>
#include <vector>

#include "shosa/core/types.h"

namespace shosa::draw {

/// A ball as the viewer sees it: x right and y down on the page, z towards the viewer; one unit for all three and the
/// radius.
struct SeenBall {
  Vec3d centre = Vec3d::Zero();
  double radius = 0.0;
};

/// A solid: the convex hull of its balls.
using SeenHull = std::vector<SeenBall>;
/// Hulls that are painted as one.
using SeenBody = std::vector<SeenHull>;

/// The order in which to paint bodies so that the nearer covers the farther.
///
/// Two bodies are compared where their middle lines come closest on the page, not by one depth each: a long arm may
/// start behind the chest and end in front of the thigh. Bodies that do not overlap are not compared; ones that meet in
/// space there (neighbours of a limb) are ordered by their mean depth, and where that is equal too the later in the
/// list is nearer. A cycle is broken at its farthest member. Returns every index once, farthest first. O(n^2) for n
/// hulls. Deterministic.
std::vector<std::size_t> depth_order(std::span<const SeenBody> bodies);

}  // namespace shosa::draw
