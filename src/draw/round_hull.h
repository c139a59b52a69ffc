#pragma once

#include <span>
#include <vector>

#include "shosa/draw/canvas.h"

namespace shosa::draw {

struct Disc {
  Point centre = Point::Zero();
  double radius_px = 0.0;
};

/// A stretch of a round hull's outline: on `disc`, from one angle to a greater one.
struct HullArc {
  std::size_t disc = 0;
  double begin_rad = 0.0;
  double end_rad = 0.0;
};

/// The convex hull of discs, which is what the convex hull of balls looks like from afar: one disc is a circle, two a
/// tapered capsule, more a rounded body.
///
/// Disc i forms the outline in the directions u(a) = (cos a, sin a) where its support c_i . u + r_i is the greatest.
/// Two discs change places where (c_i - c_j) . u = r_j - r_i, so the outline is cut at those angles only. O(n^3) for n
/// discs. Fails never; no discs give no arcs.
std::vector<HullArc> round_hull(std::span<const Disc> discs);

/// The hull as a closed path.
Path round_hull_path(std::span<const Disc> discs);

}  // namespace shosa::draw
