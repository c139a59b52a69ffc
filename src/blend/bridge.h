#pragma once

#include "blend/source_feet.h"

namespace shosa::blend {

/// Whether two motions are bridged: they keep their places, or the one has ended before the other begins.
bool is_bridged(const PreviousMotion& previous, const TransitionPlan& plan, bool keep_place);

/// Turns the plan of two such motions into one bridge: every joint and the hips go from the last frame of the previous
/// motion to the first of the next one (where the clips overlap: over the searched intervals), as the cubic of both
/// ends' places and velocities. Nothing else of either motion is touched.
void bridge_intervals(const PreviousMotion& previous, const Motion& next, TransitionPlan& plan);

/// Places the next motion, and its feet over a bridge, with the passes that tell when they stand.
void bridge_feet(SourceFeet& feet, Junction& junction);

}  // namespace shosa::blend
