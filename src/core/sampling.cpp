#include "shosa/core/sampling.h"

#include <algorithm>
#include <cassert>

#include "core/kernels.h"
#include "core/lanes.h"

namespace shosa {

void sample(const Clip& clip, double time_s, Pose& pose) {
  const double position = time_s / clip.frame_time_s();
  const int last = clip.frame_count() - 1;
  // Written so that a NaN time reads the first sample.
  if (!(position > 0.0)) return clip.get_frame(0, pose);
  if (position >= last) return clip.get_frame(last, pose);
  const int frame = static_cast<int>(position);
  const auto weight = static_cast<float>(position - frame);
  if (weight == 0.0f) return clip.get_frame(frame, pose);

  if (pose.joint_count() != clip.joint_count()) pose = Pose(clip.joint_count());
  kernels::nlerp_rotations(clip.rotation_lanes(frame), clip.rotation_lanes(frame + 1), weight,
                           block_count(clip.joint_count()), pose.rotation_lanes().data());

  float* lanes = pose.translation_lanes().data();
  std::ranges::copy(clip.skeleton().rest_translation_lanes(), lanes);
  const float* from = clip.translation_values(frame);
  const float* to = clip.translation_values(frame + 1);
  for (const JointIndex joint : clip.translated()) {
    float* lane = lanes + translation_lane(joint);
    for (int axis = 0; axis < 3; ++axis, ++from, ++to) lane[axis * kLanes] = *from + (*to - *from) * weight;
  }
}

void mix_poses(const Pose& a, const Pose& b, float weight, Pose& out) {
  assert(a.joint_count() == b.joint_count());
  assert(weight >= 0.0f && weight <= 1.0f);
  if (weight == 0.0f) {
    if (&out != &a) out = a;
    return;
  }
  if (weight == 1.0f) {
    if (&out != &b) out = b;
    return;
  }
  if (out.joint_count() != a.joint_count()) out = Pose(a.joint_count());
  kernels::nlerp_rotations(a.rotation_lanes().data(), b.rotation_lanes().data(), weight, block_count(a.joint_count()),
                           out.rotation_lanes().data());
  kernels::lerp_values(a.translation_lanes().data(), b.translation_lanes().data(), weight,
                       translation_lane_floats(a.joint_count()), out.translation_lanes().data());
}

}  // namespace shosa
