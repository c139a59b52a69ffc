#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shosa/core/types.h"
#include "shosa/draw/canvas.h"
#include "shosa/draw/projection.h"

namespace shosa::draw {

/// Directions that a bone may take, as triangles in the unit disc: (a_y, a_z) is the swing's axis times the sine of
/// half the swing's angle.
struct RangeRegion {
  std::string name;
  std::vector<Point> corners;
  std::vector<std::array<int, 3>> triangles;
  std::optional<Point> now;  ///< Where the joint is.
  bool violated = false;     ///< Painted red.
};

struct RangeRegionParams {
  int columns = 6;         ///< >= 1.
  double cell_px = 150.0;  ///< Width of one region. In [60, 2000].
  std::string title;
};

/// Each region in its disc, with circles at swings of 45, 90 and 135 degrees. Fails when there is none, a rule above is
/// broken, or a triangle names a corner that is not there.
Result<Canvas> draw_range_regions(std::span<const RangeRegion> regions, const RangeRegionParams& params = {});

/// A range on a figure: the cone of directions that a bone may take, from its joint.
struct RangeCone {
  Vec3d apex_m = Vec3d::Zero();
  std::vector<Vec3d> rim;  ///< Directions in the world along the region's edge, in order; any length but 0.
  double length_m = 0.2;
  bool violated = false;  ///< Red instead of green.
};
/// Fewer than three directions draw nothing.
void draw_range_cone(Canvas& canvas, const RangeCone& cone, const Projection& projection);

inline constexpr Colour kInRange = {0.0, 0.6, 0.42, 1.0};
inline constexpr Colour kOutOfRange = {0.8, 0.1, 0.1, 1.0};

}  // namespace shosa::draw
