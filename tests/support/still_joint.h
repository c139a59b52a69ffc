#pragma once

#include <memory>
#include <vector>

#include "shosa/core/clip.h"
#include "shosa/core/rotations.h"

namespace shosa::test {

/// The motion, turned about the vertical, of a body that hangs under one more joint, which stays at the origin: the
/// hips carry it. Joints are one number higher than before.
inline Clip under_still_joint(const Clip& clip, double turn_rad = 0.0) {
  std::vector<Joint> joints = {{.name = "scene"}};
  for (const Joint& joint : clip.skeleton().joints()) joints.push_back(joint), ++joints.back().parent;
  joints[1].parent = 0;
  std::vector<EndSite> sites(clip.skeleton().end_sites().begin(), clip.skeleton().end_sites().end());
  for (EndSite& site : sites) ++site.parent;
  const auto skeleton = std::make_shared<const Skeleton>(*Skeleton::create(joints, sites));
  Clip hung(skeleton, clip.frame_count(), clip.frame_time_s(), {1});
  hung.set_name(clip.name());
  const Quatf turn = about_y(turn_rad).cast<float>();
  for (int f = 0; f < clip.frame_count(); ++f) {
    for (JointIndex j = 0; j < clip.joint_count(); ++j) hung.set_rotation(f, j + 1, clip.rotation(f, j));
    hung.set_rotation(f, 1, turn * clip.rotation(f, 0));
    hung.set_translation(f, 1, turn * clip.translation(f, 0));
  }
  return hung;
}

}  // namespace shosa::test
