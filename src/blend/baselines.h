#pragma once

#include <span>

#include "shosa/blend/compose.h"

namespace shosa::blend {

struct TimedMotion {
  const Motion* motion = nullptr;
  double at_s = 0.0;
  bool keep_place = false;
};

/// Fills every frame of `clip` by one of the techniques pose, inertial, dead. Motions are in playing order, and their
/// cores do not overlap. Returns when the feet should stand: each motion's own contacts up to the change to the next.
/// docs/methods/optimal_blending.md says what each one does.
analysis::FootContacts compose_baseline(Technique technique, std::span<const TimedMotion> played, Clip& clip);

}  // namespace shosa::blend
