#include "graph/clip_stream.h"

#include <algorithm>
#include <cmath>

#include "graph/decay.h"
#include "shosa/core/rotations.h"
#include "shosa/core/sampling.h"

namespace shosa::graph {
namespace {

/// How far joints go on beyond a clip's end, however long it lasts.
constexpr double kLongest_s = 0.15;

}  // namespace

void sample_beyond(const Clip& clip, double time_s, Pose& pose, Pose& scratch) {
  sample(clip, time_s, pose);
  const double last = clip.last_time_s();
  const double beyond = time_s < 0.0 ? time_s : time_s > last ? time_s - last : 0.0;
  if (beyond == 0.0 || clip.frame_count() < 2) return;
  // Velocity from the two samples at the end, in the direction of growing time.
  const double step = clip.frame_time_s();
  sample(clip, beyond < 0.0 ? step : last - step, scratch);
  const double sign = beyond < 0.0 ? 1.0 : -1.0;
  const double eased = std::copysign(kLongest_s * (1.0 - std::exp(-std::abs(beyond) / kLongest_s)), beyond);
  for (JointIndex j = 0; j < clip.joint_count(); ++j) {
    const Quatd here = pose.rotation(j).cast<double>(), there = scratch.rotation(j).cast<double>();
    const Vec3d turn = log_rotation(there * here.conjugate()) * (sign / step);
    pose.set_rotation(j, (exp_rotation(turn * eased) * here).normalized().cast<float>());
    const Vec3f velocity = (scratch.translation(j) - pose.translation(j)) * static_cast<float>(sign / step);
    Vec3f moved = pose.translation(j) + velocity * static_cast<float>(eased);
    if (j == 0) {
      moved.x() = pose.translation(0).x() + velocity.x() * static_cast<float>(beyond);
      moved.z() = pose.translation(0).z() + velocity.z() * static_cast<float>(beyond);
    }
    pose.set_translation(j, moved);
  }
}

JointTransform joint_transform(const Skeleton& skeleton, const Pose& pose, JointIndex joint) {
  JointTransform result;
  for (JointIndex j = joint; j != kNoJoint; j = skeleton.parent(j)) {
    const Quatd rotation = pose.rotation(j).cast<double>();
    result.position = pose.translation(j).cast<double>() + rotation * result.position;
    result.rotation = rotation * result.rotation;
  }
  return result;
}

void update_world(const Skeleton& skeleton, const Pose& pose, std::span<const JointIndex> joints, WorldPose& world) {
  for (const JointIndex j : joints) {
    const auto at = static_cast<std::size_t>(j);
    const Vec3d translation = pose.translation(j).cast<double>();
    const Quatd rotation = pose.rotation(j).cast<double>().normalized();
    const JointIndex parent = skeleton.parent(j);
    if (parent == kNoJoint) {
      world.positions[at] = translation, world.rotations[at] = rotation;
      continue;
    }
    const auto above = static_cast<std::size_t>(parent);
    world.positions[at] = world.positions[above] + world.rotations[above] * translation;
    world.rotations[at] = world.rotations[above] * rotation;
  }
}

void move_root(const Vec3d& way_m, Pose& pose, WorldPose& world) {
  const Vec3f from = pose.translation(0);
  pose.set_translation(0, from + way_m.cast<float>());
  // As far as it came in single precision.
  const Vec3d came_m = pose.translation(0).cast<double>() - from.cast<double>();
  for (Vec3d& position : world.positions) position += came_m;
}

std::vector<JointIndex> joints_below(const Skeleton& skeleton, JointIndex joint) {
  std::vector<JointIndex> below;
  if (joint == kNoJoint) return below;
  below.push_back(joint);
  for (JointIndex j = joint + 1; j < skeleton.joint_count(); ++j) {
    if (std::binary_search(below.begin(), below.end(), skeleton.parent(j))) below.push_back(j);
  }
  return below;
}

}  // namespace shosa::graph
