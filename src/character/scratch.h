#pragma once

#include "shosa/core/forward_kinematics.h"
#include "shosa/core/thread_scratch.h"

namespace shosa::character {

/// What the parts of a frame compute and forget, one after the other. Nothing that calls what others wrote (a ground)
/// may rely on it across that call.
struct Scratch {
  explicit Scratch(int joints) : size(joints), sampled(joints), again(joints), carried(joints), wanted(joints) {
    world.positions.resize(static_cast<std::size_t>(joints));
    world.rotations.resize(static_cast<std::size_t>(joints));
  }
  int size;
  Pose sampled, again;   ///< Of layers.
  Pose carried, wanted;  ///< Of goals.
  WorldPose world;
};

}  // namespace shosa::character
