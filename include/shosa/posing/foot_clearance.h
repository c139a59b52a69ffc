#pragma once

#include "shosa/core/types.h"

namespace shosa::posing {

/// Keeps heel, ball and toe tip of one foot in one frame over the ground without a step in time.
///
/// A depth d below its floor is mended by
///     f(d) = 0 for d <= 0,  d^2 / (2 s) for d <= s,  d - s / 2 beyond,
/// which is smooth where it begins and leaves at most s / 2 below (s = `soft_m`). A foot over its floors stays as it
/// is. First the whole foot is lifted: as far as ball and heel ask for it, and for the tip by the share `free`, which a
/// swinging foot has and a planted one has not. What the tip still lacks is made up by turning the toes up about the
/// ball, at most about `most_toes_rad`, and then by pitching the foot about the ball, as far as the heel has room.
/// Where that is not enough even a planted foot is lifted: toes that point straight down, which no turn raises at
/// first, turn the less the steeper they are, so that nothing snaps. Continuous in all it is given. Pure, without
/// allocation.
struct FootClearanceParams {
  Vec3d heel_m = Vec3d::Zero();  ///< Lowest point behind the ankle, or the ankle.
  Vec3d ball_m = Vec3d::Zero();  ///< The toe joint.
  Vec3d tip_m = Vec3d::Zero();
  Vec3d across = Vec3d::UnitX();  ///< Unit: a turn about it, right-handed, raises the toes of a level foot.
  /// How low each may come: ground at the foot plus the point's height over it in a foot that stands flat, or less
  /// where the source itself is lower.
  double heel_floor_m = 0.0, ball_floor_m = 0.0, tip_floor_m = 0.0;
  double free = 1.0;            ///< In [0, 1]; change it slowly from frame to frame.
  double soft_m = 0.006;        ///< > 0.
  double most_toes_rad = 0.7;   ///< > 0.
  double most_pitch_rad = 0.4;  ///< >= 0.
};
struct FootClearance {
  double lift_m = 0.0;     ///< Of the whole foot.
  double pitch_rad = 0.0;  ///< Of foot and toes about the ball and `across`, >= 0 …
  double toes_rad = 0.0;   ///< … and of the toes alone, besides that; >= 0.
};
FootClearance clear_ground(const FootClearanceParams& params);

/// f(d) above.
double soft_depth(double depth_m, double soft_m);

}  // namespace shosa::posing
