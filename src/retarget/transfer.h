#pragma once

#include "retarget/reference.h"
#include "retarget/work_body.h"

namespace shosa::retarget {

/// How the two bodies stand on their ground, for the path of the hips.
struct Standing {
  double scale = 1.0;            ///< Target / source.
  double source_ground_m = 0.0;  ///< World y of the lowest foot point.
  double target_ground_m = 0.0;
  double source_ankle_m = 0.0;  ///< Of the ankle (of a paw: of the toes) over the lowest foot point in a flat stance.
  double target_ankle_m = 0.0;
};

/// Steps 1 and 2 of `retarget_motion`: turns by role, hips by scale.
Clip transfer(const analysis::StudiedClip& source, const Reference& reference, const WorkBody& body,
              const Standing& standing);

}  // namespace shosa::retarget
