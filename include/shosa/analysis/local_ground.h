#pragma once

#include "shosa/analysis/foot_contacts.h"

namespace shosa::analysis {

/// World y of the ground under a foot at a time: that of its stance; between two stances the lower one of both, so
/// that a stair is no obstacle; `clip_ground_m` for a foot that never stands.
double local_ground_m(const FootContactTrack& foot, double time_s, double clip_ground_m);

}  // namespace shosa::analysis
