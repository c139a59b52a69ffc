#pragma once

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
};

/// The path as the clip has it. `anchor_in_foot_m` is the toe point (the ankle of a foot without toes) in the foot's
/// own frame, per frame: other joints may lie between.
struct SourceFoot {
  FootPath path;
  std::vector<Vec3d> anchor_m;
  std::vector<Vec3d> anchor_in_foot_m;
};
SourceFoot source_foot(const Clip& clip, const ClipPositions& positions, const analysis::FootPoints& points);

/// Steps 1 of `keep_feet` for one foot.
FootPath plan_foot(const SourceFoot& source, const analysis::FootContactTrack& track, double ground_m, double scale,
                   double frame_time_s, const KeepFeetParams& params);

}  // namespace shosa::posing
