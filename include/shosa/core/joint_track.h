#pragma once

#include <vector>

#include "shosa/core/clip.h"

namespace shosa {

enum class JointSpace {
  world,
  parent
};

/// What a joint does in a clip, a sample each frame.
struct JointTrack {
  std::vector<Vec3d> positions_m;
  std::vector<Quatd> rotations;
};
/// `joint` must be one of the clip's. O(frames * joints) in the world, O(frames) in the parent.
JointTrack joint_track(const Clip& clip, JointIndex joint, JointSpace space = JointSpace::world);

}  // namespace shosa
