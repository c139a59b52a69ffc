#pragma once

#include <span>

#include "blend/source_feet.h"

namespace shosa::blend {

/// Gives the two feet of a long bridge as many steps as time and way ask for, one foot after the other.
///
/// `bridges` tells where each foot is on both sides, and when one in the air lands or lifts; `swings` how long each
/// moves (frames). Between, a foot stands beside the hips' way as it does in the middle of the clips' own stances.
/// Returns one way per foot; empty where there is no room for a step, or the body has not two feet.
std::vector<FootWay> take_steps(SourceFeet& feet, const Junction& junction, std::span<const FootBridge> bridges,
                                std::span<const double> swings);

}  // namespace shosa::blend
