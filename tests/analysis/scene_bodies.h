#pragma once

#include "shosa/analysis/studied_clip.h"
#include "shosa/body/body_map.h"
#include "shosa/core/skeleton.h"

namespace shosa::test {

/// Roles of a skeleton from scenes/: its joints are named after them, so nothing is guessed.
inline body::BodyMap scene_body_map(const Skeleton& skeleton) {
  body::BodyMap map;
  for (JointIndex joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (const auto role = body::find_role(skeleton.name(joint))) map.set(*role, joint);
  }
  map.kind = skeleton.find("tail_1") == kNoJoint ? body::BodyKind::humanoid : body::BodyKind::quadruped;
  return map;
}

inline analysis::StudiedClip study_scene(const Clip& clip) {
  return analysis::study(clip, scene_body_map(clip.skeleton()));
}

}  // namespace shosa::test
