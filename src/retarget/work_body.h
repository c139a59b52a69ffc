#pragma once

#include <memory>
#include <vector>

#include "retarget/reference.h"

namespace shosa::retarget {

/// The target as the solver wants it: the hips are the root, and feet hang on their legs.
///
/// Rigs for animators often have their feet beside the legs, under the root, so that an IK solver leads them; what the
/// hips hang on carries nothing in most files. Feet without toe and end site get a toe point, so that they can roll.
struct WorkBody {
  std::shared_ptr<const Skeleton> skeleton;
  body::BodyMap map;
  std::vector<JointIndex> original;  ///< Joint of the target, per joint.
  Reference reference;
};

/// `reference` is the target's. Fails when hips or legs are missing.
Result<WorkBody> make_work_body(const Skeleton& target, const body::BodyMap& map, const Reference& reference);

/// A motion of the work body on the target's own skeleton. Joints above the hips, and what hangs beside them, keep
/// their rest transform; hips and loose feet carry their translation.
Clip on_target(const Clip& work, const WorkBody& body, std::shared_ptr<const Skeleton> target);

}  // namespace shosa::retarget
