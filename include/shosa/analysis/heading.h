#pragma once

#include <span>
#include <vector>

#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::analysis {

/// Where a body faces: radians about +Y, 0 = +Z, positive towards +X, in (-pi, pi].
///
/// From the line across hips and shoulders, which stays level when the body bends. Where that line is steep (lying on
/// the side) the front of the trunk is taken. Without hips and shoulders it is the root's +Z axis. `joints` are world
/// positions of every joint, `root_rotation` is world_from_root.
double heading_rad(const body::BodyMap& map, std::span<const Vec3d> joints, const Quatd& root_rotation);

}  // namespace shosa::analysis
