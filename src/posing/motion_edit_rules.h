#pragma once

#include "shosa/posing/motion_edit.h"

namespace shosa::posing {

/// The rules of MotionEditParams; the error names the one that is broken.
Result<void> check_motion_edit(const Clip& reference, const MotionEditParams& params);

/// A clip of one frame, edited from a posture on by some steps of the solver; `rests`: more would change nothing.
Result<MotionEditResult> edit_posture(const Clip& held, const MotionEditParams& params, const Pose& begin,
                                      int most_steps, bool& rests);

}  // namespace shosa::posing
