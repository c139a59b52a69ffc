#pragma once

#include <span>
#include <vector>

#include "shosa/core/types.h"

namespace shosa::posing {

/// A path of vectors over frames, as smooth as what is asked of it allows.
///
/// c(f) = z[variable(f)] + given(f): frames that share a variable are known up to one common constant; all others are
/// free. Minimises  sum weight(f) |c(f) - wanted(f)|^2 + sum span_frames(f)^6 |c(f+3) - 3 c(f+2) + 3 c(f+1) - c(f)|^2,
/// with the least span of the four frames. What lies further than about a span from a disturbance does not feel it.
struct SmoothPathFrame {
  int held_by = -1;  ///< Frames with the same number >= 0 share a variable; -1: free.
  Vec3d given = Vec3d::Zero();
  Vec3d wanted = Vec3d::Zero();
  double weight = 1.0;       ///< > 0.
  double span_frames = 1.0;  ///< > 0.
};
/// One sparse factorisation, O(frames). Numbers of `held_by` must be consecutive from 0 in the order of first use.
std::vector<Vec3d> smooth_path(std::span<const SmoothPathFrame> frames);

}  // namespace shosa::posing
