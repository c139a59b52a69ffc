#pragma once

#include "retarget/reference.h"
#include "retarget/transfer.h"
#include "retarget/work_body.h"

namespace shosa::retarget {

struct TouchResult {
  Clip clip;
  int touches = 0;  ///< Stretches of time in which a hand touches something, over all hands.
};

/// Hands that touch the other hand, a thigh, the trunk or the head in the source do so in the target.
///
/// Where a hand lies within `touch_m` of such a bone and, but for the other hand, moves slowly against it, its place
/// relative to the nearest point of the bone is kept (turned with the bone, scaled). A hand low over the floor keeps
/// its height above it, scaled: in a cartwheel the wrist rolls over a hand that stands. Arms are solved by
/// `PinDragSolver`, frame by frame: hand position and orientation high, the arm's own rotations desired. Last, hands
/// near or below the floor are lifted (`FloorClearance`). Humanoids only; others come back as they are. `work` is the
/// motion of `body`.
TouchResult keep_touches(const analysis::StudiedClip& source, const Reference& reference, const WorkBody& body,
                         const Clip& work, const Standing& standing, double touch_m);

}  // namespace shosa::retarget
