#pragma once

#include "shosa/core/body_map.h"
#include "shosa/core/skeleton.h"

namespace shosa::test {

/// Roles of a skeleton from scenes/: its joints are named after them, so nothing is guessed.
inline BodyMap scene_body_map(const Skeleton& skeleton) {
  BodyMap map;
  for (JointIndex joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (const auto role = find_role(skeleton.name(joint))) map.set(*role, joint);
  }
  map.kind = skeleton.find("tail_1") == kNoJoint ? BodyKind::humanoid : BodyKind::quadruped;
  return map;
}

}  // namespace shosa::test
