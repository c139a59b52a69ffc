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
