#include "shosa/analysis/carried_by_root.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "shosa/analysis/heading.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/rotations.h"
#include "shosa/core/tree_paths.h"

namespace shosa::analysis {

Clip carried_by_root(const Clip& clip, const body::BodyMap& map) {
  const JointIndex hips = body::root_joint(map);
  if (hips == 0) return clip;
  const Skeleton& skeleton = clip.skeleton();
  const std::vector<JointIndex> chain = joint_chain(skeleton, 0, hips);
  const auto in_chain = [&](JointIndex j) { return std::ranges::find(chain, j) != chain.end(); };
  // What hangs beside the chain stays where it is while the chain moves.
  std::vector<JointIndex> beside;
  std::vector<JointIndex> translated = {0};
  for (JointIndex j = 1; j < skeleton.joint_count(); ++j) {
    const JointIndex parent = skeleton.parent(j);
    const bool hangs_beside = !in_chain(j) && in_chain(parent) && parent != hips;
    if (hangs_beside) beside.push_back(j);
    if (hangs_beside || (clip.is_translated(j) && !in_chain(j))) translated.push_back(j);
  }
  Clip carried(clip.skeleton_ptr(), clip.frame_count(), clip.frame_time_s(), std::move(translated));
  carried.set_name(clip.name());
  const Pose rest = Pose::rest(skeleton);
  WorldPose world, moved;
  for (int f = 0; f < clip.frame_count(); ++f) {
    Pose pose = clip.frame(f);
    forward_kinematics(skeleton, pose, world);
    const Quatd facing = about_y(heading_rad(map, world.positions, world.rotations[0]));
    pose.set_rotation(0, facing.cast<float>());
    for (const JointIndex j : chain) {
      if (j == 0) continue;
      pose.set_translation(j, rest.translation(j));
      if (j != hips) pose.set_rotation(j, rest.rotation(j));
    }
    forward_kinematics(skeleton, pose, moved);
    const Vec3d shift = world.positions[hips] - moved.positions[hips];
    pose.set_translation(0, (pose.translation(0).cast<double>() + shift).cast<float>());
    const auto seen_from = [&](JointIndex parent) { return moved.rotations[parent].conjugate(); };
    const JointIndex above = skeleton.parent(hips);
    pose.set_rotation(hips, (seen_from(above) * world.rotations[hips]).normalized().cast<float>());
    for (const JointIndex j : beside) {
      const JointIndex parent = skeleton.parent(j);
      const Vec3d way = world.positions[j] - (moved.positions[parent] + shift);
      pose.set_rotation(j, (seen_from(parent) * world.rotations[j]).normalized().cast<float>());
      pose.set_translation(j, (seen_from(parent) * way).cast<float>());
    }
    carried.set_frame(f, pose);
  }
  return carried;
}

StudiedClip carried_by_root(const StudiedClip& studied) {
  if (body::root_joint(studied.map()) == 0) return studied;
  auto carried = study(carried_by_root(studied.clip(), studied.map()), studied.map(), studied.contacts());
  assert(carried);  // of the same skeleton
  return std::move(*carried);
}

}  // namespace shosa::analysis
