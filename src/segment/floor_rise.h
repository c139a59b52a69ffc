#pragma once

#include "shosa/analysis/studied_clip.h"

namespace shosa::segment {

/// By how much the floor rises over a cycle of frames `first`..`last`: from a stance of a foot to its next one, on the
/// mean over the feet.
struct FloorRise {
  double rise_m = 0.0;  ///< 0 where no foot stands twice.
  bool climbs = false;  ///< Every foot stands twice, and each is carried up, or each down, as on stairs or a slope.
};
FloorRise floor_rise(const analysis::StudiedClip& studied, int first, int last);

}  // namespace shosa::segment
