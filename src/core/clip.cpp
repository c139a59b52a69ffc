#include "shosa/core/clip.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/lanes.h"

namespace shosa {

namespace {

[[maybe_unused]] bool ascending_and_unique(const std::vector<JointIndex>& joints, int joint_count) {
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (joints[i] < 0 || joints[i] >= joint_count) return false;
    if (i > 0 && joints[i - 1] >= joints[i]) return false;
  }
  return true;
}

}  // namespace

Clip::Clip(std::shared_ptr<const Skeleton> skeleton, int frame_count, double frame_time_s,
           std::vector<JointIndex> translated)
    : skeleton_(std::move(skeleton)),
      frame_count_(frame_count),
      frame_time_s_(frame_time_s),
      translated_(std::move(translated)),
      slot_of_joint_(static_cast<std::size_t>(skeleton_->joint_count()), -1),
      rotation_stride_(rotation_lane_floats(skeleton_->joint_count())),
      translation_stride_(static_cast<std::ptrdiff_t>(3 * translated_.size())) {
  assert(frame_count >= 1);
  assert(std::isfinite(frame_time_s) && frame_time_s > 0.0);
  assert(ascending_and_unique(translated_, skeleton_->joint_count()));

  for (std::size_t slot = 0; slot < translated_.size(); ++slot) {
    slot_of_joint_[translated_[slot]] = static_cast<int>(slot);
  }
  rotations_.resize(static_cast<std::size_t>(frame_count * rotation_stride_));
  translations_.resize(static_cast<std::size_t>(frame_count * translation_stride_));
  const Pose rest = Pose::rest(*skeleton_);
  for (int f = 0; f < frame_count; ++f) set_frame(f, rest);
}

int Clip::nearest_frame(double time_s) const {
  const double frame = std::round(time_s / frame_time_s_);
  if (!(frame > 0.0)) return 0;
  return frame >= frame_count_ - 1 ? frame_count_ - 1 : static_cast<int>(frame);
}

Quatf Clip::rotation(int frame, JointIndex joint) const {
  assert(frame >= 0 && frame < frame_count_ && joint >= 0 && joint < joint_count());
  return load_rotation(rotation_lanes(frame), joint);
}

void Clip::set_rotation(int frame, JointIndex joint, const Quatf& parent_from_joint) {
  assert(frame >= 0 && frame < frame_count_ && joint >= 0 && joint < joint_count());
  store_rotation(rotations_.data() + frame * rotation_stride_, joint, parent_from_joint);
}

Vec3f Clip::translation(int frame, JointIndex joint) const {
  assert(frame >= 0 && frame < frame_count_ && joint >= 0 && joint < joint_count());
  const int slot = slot_of_joint_[joint];
  if (slot < 0) return skeleton_->joint(joint).rest_translation_m;
  return Eigen::Map<const Vec3f>(translation_values(frame) + 3 * slot);
}

void Clip::set_translation(int frame, JointIndex joint, const Vec3f& in_parent_m) {
  assert(frame >= 0 && frame < frame_count_ && is_translated(joint));
  const int slot = slot_of_joint_[joint];
  Eigen::Map<Vec3f>(translations_.data() + frame * translation_stride_ + 3 * slot) = in_parent_m;
}

void Clip::get_frame(int frame, Pose& pose) const {
  assert(frame >= 0 && frame < frame_count_);
  if (pose.joint_count() != joint_count()) pose = Pose(joint_count());
  std::copy_n(rotation_lanes(frame), rotation_stride_, pose.rotation_lanes().data());
  std::ranges::copy(skeleton_->rest_translation_lanes(), pose.translation_lanes().data());
  for (const JointIndex joint : translated_) pose.set_translation(joint, translation(frame, joint));
}

Pose Clip::frame(int frame) const {
  Pose pose(joint_count());
  get_frame(frame, pose);
  return pose;
}

void Clip::set_frame(int frame, const Pose& pose) {
  assert(frame >= 0 && frame < frame_count_ && pose.joint_count() == joint_count());
  std::copy_n(pose.rotation_lanes().data(), rotation_stride_, rotations_.data() + frame * rotation_stride_);
  for (const JointIndex joint : translated_) set_translation(frame, joint, pose.translation(joint));
}

}  // namespace shosa
