#pragma once

#include "character/min_jerk.h"
#include "shosa/character/commands.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/graph/motion_set.h"

namespace shosa::character {

/// Head and neck turned to a point, as far as necks go.
class Gaze {
 public:
  /// Where the head looks in its own frame is the mean over all clips of where the body faces.
  explicit Gaze(const graph::MotionSet& set);
  bool possible() const { return head_ != kNoJoint; }

  void start(Handle handle, const Vec3d& target_m) { handle_ = handle, target_m_ = target_m; }
  void move_target(const Vec3d& target_m) { target_m_ = target_m; }
  void release() { handle_ = kNoHandle; }
  Handle handle() const { return handle_; }
  /// How far the head still looks past the target; as far as it can turn counts as there.
  bool met() const { return met_; }

  void apply(const Skeleton& skeleton, Pose& pose, double step_s);
  /// `LiveGoals::pause`.
  void pause() { turn_ = {}; }
  void visit_state(StateBytes& bytes) { bytes(handle_, target_m_, turn_, met_); }

 private:
  JointIndex head_ = kNoJoint, neck_ = kNoJoint;
  Vec3d forward_in_head_ = Vec3d::UnitZ();
  Handle handle_ = kNoHandle;
  Vec3d target_m_ = Vec3d::Zero();
  MinJerk<3> turn_;  ///< Of the head against what it had: rotation vector, world.
  bool met_ = false;
};

}  // namespace shosa::character
