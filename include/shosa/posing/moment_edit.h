#pragma once

#include "shosa/posing/motion_edit.h"

namespace shosa::posing {

/// One moment of an edit, to be pulled at: the posture in which the body comes to rest while the goals stay as they are
/// at that time. For editors: what a drag shows before it is let go is what the edit makes of it afterwards.
///
/// A pull goes on from the posture of the one before, by as many steps as a picture leaves time for. Pulled at long
/// enough the body rests, and what it rests in is what the edit has at that time when its keys stand still.
class MomentEdit {
 public:
  /// Fails as `edit_motion` does. `time_s` is cut to the reference's length.
  static Result<MomentEdit> create(const Clip& reference, const MotionEditParams& params, double time_s);

  /// A joint that a drag of the edit leads is led there, in the world; one that a pin turns is turned.
  Result<void> lead(JointIndex joint, const Vec3d& position_m);
  Result<void> turn(JointIndex joint, const Quatd& orientation);

  /// `clip` has the posture in its only frame. Above 0 steps.
  Result<MotionEditResult> settle(int most_steps);
  /// More steps would change nothing.
  bool rests() const { return rests_; }

 private:
  MomentEdit(Clip held, MotionEditParams params)
      : held_(std::move(held)), params_(std::move(params)), posture_(held_.frame(0)) {}

  Clip held_;
  MotionEditParams params_;
  Pose posture_;
  bool rests_ = false;
};

}  // namespace shosa::posing
