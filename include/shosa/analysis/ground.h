#pragma once

#include <span>

#include "shosa/body/body_map.h"
#include "shosa/body/foot_points.h"
#include "shosa/core/clip.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/result.h"

namespace shosa::analysis {

/// The level of a clip's floor, estimated from where its feet come down to.
///
/// The `percentile` of the lowest foot point over all frames: robust against a few frames below the floor. On stairs
/// this is the lowest floor that is stood on for some time; the floor under each single contact is in
/// `FootContact::ground_m`. Joints are inside the foot, so this is the level of the lowest joint or end site, some
/// centimetres above the real floor for skeletons without toe tips. O(frames log frames).
struct GroundParams {
  double percentile = 0.05;  ///< In [0, 1].
};
struct Ground {
  double height_m = 0.0;  ///< World y.
  double lowest_m = 0.0;  ///< The lowest foot point of all frames.
};
/// Fails when there are no feet, no frames, or `percentile` is outside [0, 1].
Result<Ground> find_ground(const ClipPositions& positions, std::span<const body::FootPoints> feet,
                           const GroundParams& params = {});

/// The motion moved up or down as a whole, so that its `find_ground` lies at y = 0 (to single precision).
/// Fails when the body map knows no feet or the root's translation does not vary in the clip.
Result<Clip> put_on_ground(const Clip& clip, const body::BodyMap& map, const GroundParams& params = {});

}  // namespace shosa::analysis
