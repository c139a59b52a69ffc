#pragma once

#include "segment/standing_feet.h"
#include "shosa/core/clip.h"

namespace shosa::segment {

/// Feet that stand still, as close to the capture as they can: what a zero edit of footsteps gives back.
///
/// `standing_feet` holds the ball down until the foot leaves and keeps what it froze to the stance's end. Here the flat
/// part ends where the heel begins to rise; what was frozen dies out over the roll on either side of it; and once the
/// captured ball leaves the ground the foot goes on about the tip of its toes, as far as the captured toes are turned.
/// The point that stands still does not move at all. Swings take up the difference by delta. O(frames).
void roll_as_captured(const Clip& clip, StandingFoot& foot);

}  // namespace shosa::segment
