#pragma once

#include "shosa/core/clip.h"

namespace shosa::graph {

/// Replaces samples that were captured wrongly: joints that are turned away for one or two frames and back at once, as
/// no body can. A rotation is broken where it lies off the middle of its neighbours by more than an acceleration of
/// `most_radps2` explains (and 5 degrees), and farther than the neighbours lie apart; it is then interpolated. Returns
/// how many there were. O(frames * joints).
int repair_samples(Clip& clip, double most_radps2 = 3000.0);

}  // namespace shosa::graph
