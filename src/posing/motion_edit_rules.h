#pragma once

#include "shosa/posing/motion_edit.h"

namespace shosa::posing {

/// The rules of MotionEditParams; the error names the one that is broken.
Result<void> check_motion_edit(const Clip& reference, const MotionEditParams& params);

}  // namespace shosa::posing
