#pragma once

#include <memory>
#include <string>
#include <vector>

#include "shosa/core/pose.h"
#include "shosa/core/skeleton.h"

namespace shosa {

/// A motion: postures of one skeleton at a constant time step.
///
/// Rotations of every joint and translations of the joints in `translated()`; the others keep their rest translation.
/// Sample i stands at time i * frame_time_s(). Single precision, in the lane layout of `Pose`.
class Clip {
 public:
  /// All frames at rest. Rules: `frame_count >= 1`, `frame_time_s` finite and > 0, `translated` sorted, unique and
  /// within the skeleton. Breaking one is a bug of the caller (assert); readers check their files first.
  Clip(std::shared_ptr<const Skeleton> skeleton, int frame_count, double frame_time_s,
       std::vector<JointIndex> translated = {0});

  const Skeleton& skeleton() const { return *skeleton_; }
  const std::shared_ptr<const Skeleton>& skeleton_ptr() const { return skeleton_; }
  int joint_count() const { return skeleton_->joint_count(); }
  int frame_count() const { return frame_count_; }
  /// Exactly as the file gave it.
  double frame_time_s() const { return frame_time_s_; }
  void set_frame_time_s(double frame_time_s) { frame_time_s_ = frame_time_s; }
  double fps() const { return 1.0 / frame_time_s_; }
  /// frame_count * frame_time: every sample lasts one step, so clips laid end to end keep their rate.
  double duration_s() const { return frame_count_ * frame_time_s_; }
  /// Time of the last sample.
  double last_time_s() const { return (frame_count_ - 1) * frame_time_s_; }
  /// The sample nearest to a time, clamped into the clip; the first for NaN.
  int nearest_frame(double time_s) const;

  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }

  /// Joints whose translation varies, ascending.
  const std::vector<JointIndex>& translated() const { return translated_; }
  bool is_translated(JointIndex joint) const { return slot_of_joint_[joint] >= 0; }

  Quatf rotation(int frame, JointIndex joint) const;
  void set_rotation(int frame, JointIndex joint, const Quatf& parent_from_joint);
  Vec3f translation(int frame, JointIndex joint) const;
  /// Only for joints in `translated()` (assert).
  void set_translation(int frame, JointIndex joint, const Vec3f& in_parent_m);

  /// The stored posture, no interpolation. `pose` is resized when its joint count differs.
  void get_frame(int frame, Pose& pose) const;
  Pose frame(int frame) const;
  /// Stores rotations and the translations of `translated()`; other translations of the pose are ignored.
  void set_frame(int frame, const Pose& pose);

  /// Raw lanes of one frame, for kernels: rotations as in `Pose`; translations as x y z per entry of `translated()`.
  const float* rotation_lanes(int frame) const { return rotations_.data() + frame * rotation_stride_; }
  const float* translation_values(int frame) const { return translations_.data() + frame * translation_stride_; }

  /// Bytes held by the samples.
  std::size_t sample_bytes() const { return (rotations_.size() + translations_.size()) * sizeof(float); }

 private:
  std::shared_ptr<const Skeleton> skeleton_;
  int frame_count_;
  double frame_time_s_;
  std::string name_;
  std::vector<JointIndex> translated_;
  std::vector<int> slot_of_joint_;
  std::ptrdiff_t rotation_stride_;
  std::ptrdiff_t translation_stride_;
  FloatBuffer rotations_;
  FloatBuffer translations_;
};

}  // namespace shosa
