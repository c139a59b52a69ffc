#pragma once

#include <cmath>

#include "shosa/core/result.h"
#include "shosa/core/types.h"
#include "shosa/draw/canvas.h"

namespace shosa::draw {

/// From where a parallel (orthographic) view looks, in world angles.
///
/// Yaw 0 looks at the front of a body that faces +Z, and grows anticlockwise seen from above (yaw 90 degrees stands on
/// +X). Pitch 0 looks along the ground, 90 degrees straight down.
struct View {
  double yaw_rad = 0.0;
  double pitch_rad = 0.0;

  Vec3d right() const;
  Vec3d up() const;
  Vec3d towards_viewer() const;
};

/// False for views so low that the ground is a line.
inline bool sees_ground(const View& view) {
  return std::abs(view.pitch_rad) >= 0.03;
}

/// Named views turn with the body's heading: in `side` and `top` it moves to the right of the page.
enum class ViewName {
  side,
  front,
  top,
  three_quarter
};

/// `heading_rad` is the angle of the direction (sin, 0, cos) that the body moves in.
View make_view(ViewName name, double heading_rad);

/// "side", "front", "top", "three_quarter". The error lists them.
Result<ViewName> find_view(std::string_view name);
std::string_view view_name(ViewName name);

/// Metres of the world to pixels of a canvas.
struct Projection {
  View view;
  double px_per_m = 100.0;
  Vec3d centre_m = Vec3d::Zero();   ///< This point of the world ...
  Point centre_px = Point::Zero();  ///< ... lies here.

  Point to_px(const Vec3d& world_m) const;
  /// Metres towards the viewer: greater is nearer.
  double depth_m(const Vec3d& world_m) const;
};

}  // namespace shosa::draw
