#pragma once

#include <optional>
#include <vector>

#include "shosa/analysis/foot_contacts.h"
#include "shosa/core/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::retarget {

/// A motion of a body, measured once.
struct MeasuredMotion {
  const Clip* clip = nullptr;
  ClipPositions positions;
  std::vector<double> headings_rad;
  analysis::FootContacts contacts;  ///< No feet: none stand, or the body has none.
};
MeasuredMotion measure_motion(const Clip& clip, const BodyMap& map);

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

/// From the rest pose where that stands: bones are swung into the canonical directions from the hips outward, so that
/// no twist is added, and feet are only turned about the vertical, for their soles are flat.
///
/// Where it does not (rest poses of many BVH files have all bones along one axis), from `motion`: the trunk's joints by
/// their mean orientation over the clip with the heading taken out, limbs by their bones and the axis about which knees
/// and elbows bend, feet by their flat stances. Without a motion bones are swung all the same.
///
/// `calibrate_feet`: also with a standing rest pose, a foot is flat as it is in the flat stances of `motion`. So it is
/// where the legs of the rest pose are spread, for then its feet may be anything.
Reference make_reference(const Skeleton& skeleton, const BodyMap& map, const MeasuredMotion* motion,
                         bool calibrate_feet);

}  // namespace shosa::retarget
