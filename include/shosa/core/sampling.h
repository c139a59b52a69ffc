#pragma once

#include "shosa/core/clip.h"

namespace shosa {

/// The posture at any time, clamped to the first and last sample.
///
/// Rotations by normalised linear interpolation along the shorter arc between neighbouring samples; a stored sample
/// comes back bit for bit. O(joints), the same for any time asked (no cursor, no decompression). Allocates only when
/// `pose` has another joint count.
void sample(const Clip& clip, double time_s, Pose& pose);

/// a * (1 - weight) + b * weight: rotations along the shorter arc, normalised; translations linearly.
/// weight 0 gives a and 1 gives b, bit for bit. `out` may be `a` or `b`. Rules (assert): `a` and `b` have the same
/// joint count; `weight` is in [0, 1], there is no extrapolation.
void mix_poses(const Pose& a, const Pose& b, float weight, Pose& out);

}  // namespace shosa
