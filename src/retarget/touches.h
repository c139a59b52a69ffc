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
/// Where a hand lies within `touch_m` of such a bone, its place relative to the nearest point of the bone is kept
/// (turned with the bone, scaled); from there to twice the distance the hold fades out. Arms are solved by
/// `PinDragSolver`, frame by frame: hand position high, the arm's own rotations desired, elbows within their range.
/// `work` is the motion of `body`.
Result<TouchResult> keep_touches(const MeasuredMotion& source, const BodyMap& map, const Reference& reference,
                                 const WorkBody& body, const Clip& work, const Standing& standing, double touch_m);

}  // namespace shosa::retarget
