#pragma once

#include <vector>

#include "segment/standing_feet.h"

namespace shosa::segment {

/// One foot as captured, per frame, in world space where not said otherwise; what StandingFoot is made from.
struct CapturedFoot {
  double dt_s = 0.0;
  std::vector<Vec3d> place_m;  ///< Ankle.
  std::vector<Quatd> turn;     ///< world_from_foot.
  // Empty where the foot has no toes:
  std::vector<Vec3d> ball_in_foot;
  std::vector<Quatd> toe_world;   ///< world_from_toes.
  std::vector<Quatd> toe_local;   ///< parent_from_toes.
  std::vector<Quatd> toe_parent;  ///< foot_from_parent of the toes.

  int frame_count() const { return static_cast<int>(place_m.size()); }
};
CapturedFoot captured_foot(const Clip& clip, const Limb& limb);

/// Moves a stance that was made to stand to where it is least wrong on the mean over all its frames; heights stay.
void centre_stance(const CapturedFoot& captured, StillStance& stance, StandingFoot& foot);

/// What the stances that end at frame `from` and begin at frame `to` changed, shared out over the swing between them
/// by delta (path_coefficients.h); the speed of a change dies out over a short time, so that a foot that is let go
/// takes up the captured speed without a jerk. `from` is -1, or `to` the frame count, where there is no such stance.
void spread_over_swing(const CapturedFoot& captured, int from, int to, StandingFoot& foot);

}  // namespace shosa::segment
