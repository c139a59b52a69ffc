#pragma once

#include "graph/clip_stream.h"
#include "graph/decay.h"
#include "shosa/analysis/root_motion.h"
#include "shosa/core/ground_move.h"
#include "shosa/core/sampling.h"
#include "shosa/core/state_bytes.h"
#include "shosa/graph/motion_set.h"

namespace shosa::graph {

/// Keyframes joined by straight lines, as in the seed (section 3.3): what `LinkMotion::linear` means.
class LinearPlayer {
 public:
  LinearPlayer() = default;
  explicit LinearPlayer(const MotionSet& set);

  void begin(int clip, double time_s, const analysis::GroundPlace& place);
  /// The next keyframe, `length_s` after the last one. Within a clip the hips go where the clip takes them; otherwise
  /// the clip is turned by `turn_rad` and they go on with the mean of both velocities.
  void next(int clip, double time_s, bool same_clip, double turn_rad, double length_s);
  /// The keyframe is given up: what comes next comes from the last frame.
  void stop_here() { to_ = shown_; }
  /// `share` of the way to it, 0 … 1.
  void frame(double share, Pose& pose);
  void visit_state(StateBytes& bytes) {
    bytes(world_from_clip_.yaw_rad, world_from_clip_.shift_m, clip_, time_s_, from_, to_, shown_, hips_);
  }

  analysis::GroundPlace place() const {
    const SetClip& playing = set_->clips[clip_];
    const auto frame = static_cast<std::size_t>(playing.clip().nearest_frame(time_s_));
    return {hips_.x(), hips_.z(), world_from_clip_.yaw_rad + playing.root().places[frame].heading_rad};
  }

 private:
  Vec3d hips_velocity(int clip, double time_s) const;
  Vec3d hips_of(const Pose& pose) const { return joint_transform(*set_->skeleton, pose, hips_joint_).position; }

  const MotionSet* set_ = nullptr;
  JointIndex hips_joint_ = 0;
  GroundMove world_from_clip_;
  int clip_ = 0;
  double time_s_ = 0.0;
  Pose from_, to_, shown_;
  Vec3d hips_ = Vec3d::Zero();
};

}  // namespace shosa::graph
