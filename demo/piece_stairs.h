#pragma once

#include <vector>

#include "demo/cast.h"
#include "shosa/segment/footsteps.h"

namespace shosa::demo {

/// From standing over stairs, up and down, to standing again: where each step is to land, and the ground.
struct StairsWalk {
  Clip clip;
  std::vector<segment::Footstep> steps;  ///< The planned ones.
  segment::Terrain terrain;
};

/// A level walk laid over a flight up, a landing and a flight down by its footsteps; a start before it and a stop after
/// it are joined where they are most alike.
Result<StairsWalk> make_stairs_walk(const Cast& cast);

}  // namespace shosa::demo
