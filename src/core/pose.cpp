#include "shosa/core/pose.h"

#include <algorithm>
#include <cassert>

#include "core/lanes.h"

namespace shosa {

Pose::Pose(int joint_count)
    : joint_count_(joint_count),
      rotations_(static_cast<std::size_t>(rotation_lane_floats(joint_count)), 0.0f),
      translations_(static_cast<std::size_t>(translation_lane_floats(joint_count)), 0.0f) {
  fill_identity_rotations(rotations_.data(), joint_count);
}

Pose Pose::rest(const Skeleton& skeleton) {
  Pose pose(skeleton.joint_count());
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    pose.set_rotation(j, skeleton.joint(j).rest_rotation);
    pose.set_translation(j, skeleton.joint(j).rest_translation_m);
  }
  return pose;
}

Quatf Pose::rotation(JointIndex joint) const {
  assert(joint >= 0 && joint < joint_count_);
  return load_rotation(rotations_.data(), joint);
}

void Pose::set_rotation(JointIndex joint, const Quatf& parent_from_joint) {
  assert(joint >= 0 && joint < joint_count_);
  store_rotation(rotations_.data(), joint, parent_from_joint);
}

Vec3f Pose::translation(JointIndex joint) const {
  assert(joint >= 0 && joint < joint_count_);
  return load_translation(translations_.data(), joint);
}

void Pose::set_translation(JointIndex joint, const Vec3f& in_parent_m) {
  assert(joint >= 0 && joint < joint_count_);
  store_translation(translations_.data(), joint, in_parent_m);
}

}  // namespace shosa
