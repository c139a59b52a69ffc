#pragma once

#include <vector>

#include "shosa/core/clip.h"

namespace shosa::feet {

/// Replaces samples that were captured wrongly: joints that are turned away for one or two frames and back at once, as
/// no body can. A rotation is broken where it lies off the middle of its neighbours by more than an acceleration of
/// `most_radps2` explains (and 5 degrees), and farther than the neighbours lie apart; it is then interpolated. One or
/// two frames at an end of the clip that a joint leaps away from, to go on slowly, are played as the next. Returns how
/// many there were. O(frames * joints).
int repair_samples(Clip& clip, double most_radps2 = 3000.0);

/// A first or last frame that the whole body would have to leave, or reach, at a speed that no body has.
struct BrokenEnd {
  int frame = 0;
  double speed_mps = 0.0;  ///< Mean over all joints, to the neighbour.
};
/// Replaces such frames by their neighbours, and says which they were. O(joints).
std::vector<BrokenEnd> repair_ends(Clip& clip, double most_mps = 15.0);

}  // namespace shosa::feet
