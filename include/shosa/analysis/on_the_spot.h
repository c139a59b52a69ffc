#pragma once

#include "shosa/analysis/studied_clip.h"

namespace shosa::analysis {

/// Whether a body steps without getting anywhere: a walk on a treadmill, a game's loop, a clip whose root motion was
/// taken out.
///
/// Feet that stand on such a moving ground are not still, so `find_foot_contacts` misses them. True when the hips stay
/// within half a leg's length while every foot, near its own lowest height, sweeps at more than 0.3 m/s (scaled) on the
/// median.
bool moves_on_the_spot(const StudiedClip& studied);

/// Fails, with what can be done, where it does: feet that stand on moving ground have no place to be held in.
Result<void> needs_still_ground(const StudiedClip& studied);

}  // namespace shosa::analysis
