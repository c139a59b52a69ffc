#pragma once

#include <span>
#include <vector>

#include "shosa/core/clip.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/pose.h"

namespace shosa::graph {

/// The posture of a clip at any time, also a little before its first and after its last sample: there the motion goes
/// on as it was moving, each joint ever more slowly, the root's path at constant speed. `scratch` is used beyond the
/// ends. Allocates nothing when both poses fit.
void sample_beyond(const Clip& clip, double time_s, Pose& pose, Pose& scratch);

/// World transform of one joint by its chain alone.
struct JointTransform {
  Vec3d position = Vec3d::Zero();
  Quatd rotation = Quatd::Identity();
};
JointTransform joint_transform(const Skeleton& skeleton, const Pose& pose, JointIndex joint);

/// `forward_kinematics` of some joints only, in ascending order; those above them are right already.
void update_world(const Skeleton& skeleton, const Pose& pose, std::span<const JointIndex> joints, WorldPose& world);
/// Moves the root by its translation, and all joints of its world with it.
void move_root(const Vec3d& way_m, Pose& pose, WorldPose& world);

/// A joint and all that hangs on it, ascending.
std::vector<JointIndex> joints_below(const Skeleton& skeleton, JointIndex joint);

}  // namespace shosa::graph
