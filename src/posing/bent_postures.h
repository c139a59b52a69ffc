#pragma once

#include <optional>

#include "shosa/posing/motion_edit.h"

namespace shosa::posing {

/// The reference with the postures that people would take for the edit's goals, smooth in time: a body bends before its
/// arm is stretched. None where there is no prior, or limbs reach all goals.
std::optional<Clip> bent_postures(const Clip& reference, const MotionEditParams& params);

}  // namespace shosa::posing
