#pragma once

#include <optional>
#include <vector>

#include "shosa/analysis/studied_clip.h"

namespace shosa::retarget {

/// What a body's joints mean: how each one is turned in the canonical posture (limbs.h), whatever its axes and its rest
/// pose are.
struct Reference {
  bool standing = false;       ///< The rest pose is a body on its feet.
  std::vector<Quatd> neutral;  ///< parent_from_joint of joints that nothing moves.
  WorldPose pose;              ///< With `neutral` rotations.
  std::vector<std::optional<Quatd>>
      canonical;            ///< world_from_joint in the canonical posture; of joints with a meaning.
  std::vector<Quatd> laid;  ///< world_from_joint of every joint when its nearest meaningful ancestor is canonical.
};

/// How steeply the bone of a foot falls toward the toe, as a sine, where neither rest pose nor motion tells: a human's
/// 25°.
inline constexpr double kFootFall = 0.42;

/// From the rest pose where that stands: bones are swung into the canonical directions from the hips outward, so that
/// no twist is added, and feet are only turned about the vertical, for their soles are flat.
///
/// Where it does not (rest poses of many BVH files have all bones along one axis), from `motion`: the trunk's joints by
/// their mean orientation over the clip with the heading taken out, limbs by their bones and the axis about which knees
/// and elbows bend, feet by their flat stances. Without a motion bones are swung all the same.
///
/// `calibrate_feet`: also with a standing rest pose, a foot is flat as it is in the flat stances of `motion`. So it is
/// where the legs of the rest pose are spread, for then its feet may be anything.
Reference make_reference(const Skeleton& skeleton, const body::BodyMap& map, const analysis::StudiedClip* motion,
                         bool calibrate_feet);

}  // namespace shosa::retarget
