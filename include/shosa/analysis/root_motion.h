#pragma once

#include <vector>

#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/result.h"

namespace shosa::analysis {

class StudiedClip;

/// A place on the ground and a heading about +Y (0 = +Z).
struct GroundPlace {
  double x_m = 0.0;
  double z_m = 0.0;
  double heading_rad = 0.0;
};

/// The path of the body over the ground, one place per frame. `StudiedClip::root` is that of the hips.
struct RootMotion {
  std::vector<GroundPlace> places;  ///< Headings are unwound.
  double frame_time_s = 0.0;
};

/// From the feet: the path along which the standing feet would not move at all.
///
/// Per frame the hips' step minus the mean step of the feet that stand; in flight the correction is interpolated
/// between the stances around it. On a clean capture this is nearly the path of the hips; it takes out foot slide, and
/// gives a motion made on the spot its way back (with contacts found elsewhere). Fails when no foot ever stands.
Result<RootMotion> root_motion_from_feet(const StudiedClip& studied);

/// Length of the path, low-passed with 0.15 s so that sway does not count, over its time. 0 for one frame.
double root_speed_mps(const RootMotion& motion);

/// The motion on the spot: every frame is moved and turned by the inverse of its place.
/// Fails when frame counts differ or the root's translation does not vary in the clip.
Result<Clip> without_root_motion(const Clip& clip, const RootMotion& motion);
/// The inverse of `without_root_motion`, up to single-precision rounding. Same failures.
Result<Clip> with_root_motion(const Clip& clip, const RootMotion& motion);

}  // namespace shosa::analysis
