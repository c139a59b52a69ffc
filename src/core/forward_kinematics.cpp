#include "shosa/core/forward_kinematics.h"

#include <cassert>

#include "core/kernels.h"
#include "shosa/core/parallel.h"

namespace shosa {

void world_matrices(const Skeleton& skeleton, const Pose& pose, std::span<Eigen::Matrix4f> world_from_joint) {
  assert(pose.joint_count() == skeleton.joint_count());
  assert(static_cast<int>(world_from_joint.size()) == skeleton.joint_count());
  kernels::world_matrices(pose.rotation_lanes().data(), pose.translation_lanes().data(), skeleton.parents().data(),
                          skeleton.joint_count(), world_from_joint.data()->data());
}

void world_matrices(const Skeleton& skeleton, std::span<const Pose> poses,
                    std::span<Eigen::Matrix4f> world_from_joint) {
  const auto joints = static_cast<std::size_t>(skeleton.joint_count());
  assert(world_from_joint.size() == poses.size() * joints);
  constexpr std::size_t kCharactersPerTask = 64;
  parallel_for(poses.size(), kCharactersPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      world_matrices(skeleton, poses[c], world_from_joint.subspan(c * joints, joints));
    }
  });
}

void forward_kinematics(const Skeleton& skeleton, const Pose& pose, WorldPose& world) {
  assert(pose.joint_count() == skeleton.joint_count());
  world.positions.resize(static_cast<std::size_t>(skeleton.joint_count()));
  world.rotations.resize(static_cast<std::size_t>(skeleton.joint_count()));
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    const auto index = static_cast<std::size_t>(j);
    const Vec3d translation = pose.translation(j).cast<double>();
    const Quatd rotation = pose.rotation(j).cast<double>().normalized();
    const JointIndex parent = skeleton.parent(j);
    if (parent == kNoJoint) {
      world.positions[index] = translation;
      world.rotations[index] = rotation;
      continue;
    }
    const auto above = static_cast<std::size_t>(parent);
    world.positions[index] = world.positions[above] + world.rotations[above] * translation;
    world.rotations[index] = world.rotations[above] * rotation;
  }
}

WorldPose forward_kinematics(const Skeleton& skeleton, const Pose& pose) {
  WorldPose world;
  forward_kinematics(skeleton, pose, world);
  return world;
}

ClipPositions clip_positions(const Clip& clip) {
  const Skeleton& skeleton = clip.skeleton();
  const int joints = skeleton.joint_count();
  ClipPositions positions(clip.frame_count(), joints, static_cast<int>(skeleton.end_sites().size()));
  constexpr std::size_t kFramesPerTask = 64;
  parallel_for(static_cast<std::size_t>(clip.frame_count()), kFramesPerTask, [&](std::size_t begin, std::size_t end) {
    Pose pose(joints);
    WorldPose world;
    for (int f = static_cast<int>(begin); f < static_cast<int>(end); ++f) {
      clip.get_frame(f, pose);
      forward_kinematics(skeleton, pose, world);
      for (JointIndex j = 0; j < joints; ++j) positions.point(f, j) = world.positions[j];
      int point = joints;
      for (const EndSite& site : skeleton.end_sites()) positions.point(f, point++) = world.end_site(site);
    }
  });
  return positions;
}

}  // namespace shosa
