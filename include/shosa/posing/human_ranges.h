#pragma once

#include <vector>

#include "shosa/body/body_map.h"
#include "shosa/posing/joint_range.h"

namespace shosa::posing {

/// How far one joint of a human turns, in degrees, the way anatomy books state it.
///
/// The four swings are turns of the bone away from its zero direction, each alone; between them the bound is an
/// ellipse.
struct HumanLimits {
  body::Role role = body::Role::hips;  ///< The left one of a pair; the right is its mirror image.
  double forward_deg = 0.0;            ///< Flexion of shoulder, hip, spine, neck; of the elbow.
  double backward_deg = 0.0;           ///< Extension; flexion of the knee.
  double outward_deg = 0.0;  ///< Away from the middle: abduction; up for arms, to the left for spine and neck.
  double inward_deg = 0.0;
  double twist_out_deg = 0.0;  ///< External rotation, supination; to the left for spine and neck.
  double twist_in_deg = 0.0;
};

/// The standard set: active ranges of healthy adults, docs/methods/joint_ranges.md names the sources.
const std::vector<HumanLimits>& human_limits();

struct HumanRange {
  JointIndex joint = kNoJoint;
  JointRange range;
};

/// The standard set laid on a humanoid through its body map and rest pose, whatever its joint axes are.
///
/// The zero of each joint is anatomical: thigh down, upper arm to the side, shank and forearm in line with thigh and
/// upper arm of the rest pose, all others as at rest. The rest pose is taken to be free of twist. Limits of the spine
/// and of the neck are for the whole and are shared among the joints there are. Fails when the body is no humanoid or
/// lacks hips or legs.
Result<std::vector<HumanRange>> human_ranges(const Skeleton& skeleton, const body::BodyMap& map,
                                             const std::vector<HumanLimits>& limits = human_limits());

}  // namespace shosa::posing
