#pragma once

#include <span>
#include <vector>

#include "shosa/analysis/foot_contacts.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/posing/keep_feet.h"

namespace shosa::posing {

/// A foot over all frames of a clip: what was captured, or what is planned. World, metres.
struct FootPath {
  std::vector<Vec3d> ankle_m;
  std::vector<Quatd> rotation;  ///< world_from_foot.
  std::vector<char> standing;   ///< Heel or toe is in contact.
  std::vector<double> firm;     ///< 1 while standing, falling to 0 within 0.04 s before and after.
};

/// The path as the clip has it. `anchor_in_foot_m` is the toe point (the ankle of a foot without toes) in the foot's
/// own frame, per frame: other joints may lie between.
struct SourceFoot {
  FootPath path;
  std::vector<Vec3d> anchor_m;
  std::vector<Vec3d> anchor_in_foot_m;
  double tip_length_m = 0.0;  ///< From the toe point to the tip of the toes; 0 without one.
};
SourceFoot source_foot(const Clip& clip, const ClipPositions& positions, const body::FootPoints& points);

/// Step 1 of `keep_feet` for one foot. `ground_m` and `scale` are those of the contacts. `first` is a plan made before,
/// and `root_m` how the root moves off its path with it (world, per frame): then a foot on its toe turns so that its
/// ankle stays near the leg. Null and empty: it keeps its turn.
FootPath plan_foot(const SourceFoot& source, const analysis::FootContactTrack& track, double ground_m, double scale,
                   double frame_time_s, const KeepFeetParams& params, const FootPath* first,
                   std::span<const Vec3d> root_m);

}  // namespace shosa::posing
