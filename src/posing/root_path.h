#pragma once

#include <span>
#include <vector>

#include "posing/foot_path.h"

namespace shosa::posing {

/// One leg: the joint it hangs on, and its full length, metres.
struct LegReach {
  std::vector<Vec3d> hip_m;  ///< World, per frame, of the source.
  double length_m = 0.0;
};

/// Step 2 of `keep_feet`: how the root moves off its path, world, per frame. One entry of `sources`, `plans` and
/// `legs` per foot.
std::vector<Vec3d> plan_root(std::span<const SourceFoot> sources, std::span<const FootPath> plans,
                             std::span<const LegReach> legs, double frame_time_s, const KeepFeetParams& params);

/// Holds a foot in the air back from where its leg cannot reach with the root moved like that.
void stay_in_reach(FootPath& plan, const SourceFoot& source, const LegReach& leg, std::span<const Vec3d> root_m,
                   double reach);

}  // namespace shosa::posing
