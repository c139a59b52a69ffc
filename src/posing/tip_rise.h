#pragma once

#include <span>
#include <vector>

#include "posing/frame_runs.h"

namespace shosa::posing {

/// How far the toe point has risen over the tip on which a foot leaves the ground or comes down, for each frame of a
/// stance: its captured height beyond that of the stance, entered without a step. Only at both ends of the stance,
/// while the heel is up. `scale` is leg length / 0.85 m; all 0 where `tip_length_m` (toe point to tip) is.
std::vector<double> rise_over_tip(std::span<const Vec3d> toe_m, const std::vector<char>& toe_on,
                                  const std::vector<char>& heel_on, const Run& stance, double scale,
                                  double tip_length_m);

}  // namespace shosa::posing
