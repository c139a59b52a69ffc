#pragma once

#include <vector>

#include "body/body_map_posture.h"
#include "body/body_map_tree.h"

namespace shosa::body::body_map_detail {

/// Roles without a look at names: two mirrored pairs of limbs on the ends of one trunk, split by their proportions,
/// told left from right by where the feet (or, on fours, the head) point. Fingers, eyes and jaw are left out. Empty
/// where the tree has no such pairs.
struct TopologyBody {
  BodyMap map;
  Stance rest = Stance::unclear;
  Stance posed = Stance::unclear;
  bool tail = false;  ///< A chain of its own leaves the hips besides legs and back.
  bool found() const { return map.has(Role::hips); }
};
TopologyBody roles_from_topology(const Skeleton& skeleton, const std::vector<Vec3d>* posed);

}  // namespace shosa::body::body_map_detail
