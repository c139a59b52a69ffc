#pragma once

#include <vector>

#include "body/body_map_tree.h"

namespace shosa::body::body_map_detail {

enum class Stance {
  unclear,
  upright,
  on_fours
};

/// How a body with known limbs stands: upright when the legs point away from the trunk, on fours when legs and arms
/// point the same way across the trunk. Unclear for rest poses that lay every bone along one axis. Needs no up axis.
Stance find_stance(const BodyMap& map, const std::vector<Vec3d>& positions);

}  // namespace shosa::body::body_map_detail
