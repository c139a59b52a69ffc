#pragma once

#include <vector>

#include "shosa/body/body_map.h"

namespace shosa::retarget {

/// Whether the rest pose is a body on its feet: legs down; the trunk up, of a quadruped level.
bool rest_pose_stands(const Skeleton& skeleton, const body::BodyMap& map);

/// Whether a leg leans by more than 10° where the joints are at `positions_m`. Feet under spread legs may be flat or in
/// line with the leg; nothing in the rest pose tells which.
bool legs_are_spread(const body::BodyMap& map, const std::vector<Vec3d>& positions_m);

}  // namespace shosa::retarget
