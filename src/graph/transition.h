#pragma once

#include <array>
#include <memory>
#include <vector>

#include "graph/clip_stream.h"
#include "graph/decay.h"
#include "graph/foot_keeper.h"
#include "graph/speed_limit.h"
#include "shosa/analysis/root_motion.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/ground_move.h"
#include "shosa/graph/player.h"

namespace shosa::graph {

/// Plays clips one after the other without jumps: what `LinkMotion::velocity_matched` means.
///
/// Holds a clip that is playing, where it is laid out in the world, and the differences that are still dying out.
/// Allocates nothing after construction.
class TransitionPlayer {
 public:
  TransitionPlayer() = default;
  /// Copies of a player that was not begun yet are players of their own, which share what is known about the set.
  TransitionPlayer(const MotionSet& set, double frame_time_s, bool keep_feet);

  /// The first clip: its posture at `time_s` stands at `place`.
  void begin(int clip, double time_s, const analysis::GroundPlace& place);
  /// Another clip takes over: at the end of the coming frame it will be at `time_s`, playing at `pace` of its own
  /// speed, turned by `turn_rad` against the one playing. The change should last about `length_s`.
  void change(int clip, double time_s, double pace, double turn_rad, double length_s);
  /// Moves the playing clip to a time (the end of the coming frame).
  void go_to(double time_s, double pace) { time_s_ = time_s, pace_ = pace; }
  /// `Player::set_rate`: how much faster joints may go.
  void set_rate(double rate) { limit_.set_rate(rate); }
  /// Steps become longer or shorter and lead a little aside: the path over the ground is scaled and turned from now on.
  void set_stride(double scale, double veer_rad) { stride_ = scale, veer_rad_ = veer_rad; }
  /// The frame at the time set by `change` or `go_to`.
  void frame(Pose& pose);

  int clip() const { return clip_; }
  double time_s() const { return time_s_; }
  std::uint8_t standing() const { return standing_; }
  /// The last frame and where its joints are.
  const Pose& pose() const { return shown_; }
  const WorldPose& world() const { return world_shown_; }
  Landing next_landing(int foot) const;
  void visit_state(StateBytes& bytes);
  analysis::GroundPlace place() const {
    const SetClip& playing = set_->clips[clip_];
    const auto frame = static_cast<std::size_t>(playing.clip().nearest_frame(time_s_));
    return {hips_.x(), hips_.z(), world_from_clip_.yaw_rad + playing.root().places[frame].heading_rad};
  }

 private:
  void start_differences(double length_s);
  /// Posture and place of the playing clip, without what still differs.
  void lay_out(Pose& pose);
  void add_differences(Pose& pose);
  /// Nothing but feet, which are led by themselves, comes lower than the lowest joint of the two clips.
  void keep_over_ground(Pose& pose, WorldPose& world);
  /// Limbs that would be faster than in both clips stay behind.
  void hold_back(Pose& pose, WorldPose& world);
  void start_root(const Vec3d& x0, const Vec3d& v0, double length_s);
  Vec3d hips_of(const Pose& pose) const { return joint_transform(*set_->skeleton, pose, shared_->hips).position; }

  struct Limb {
    std::vector<JointIndex> moved, watched;
    std::vector<JointIndex> carried;  ///< Joints that what is moved takes along, ascending.
  };
  struct Shared {
    JointIndex hips = 0;
    std::vector<double> lowest_m;        ///< Per clip: of all its joints and frames.
    std::vector<JointIndex> above_feet;  ///< Joints that no foot carries.
    std::vector<Limb> limbs;  ///< Trunk, then arms (and legs that nothing else limits): what is held back together.
  };

  const MotionSet* set_ = nullptr;
  std::shared_ptr<const Shared> shared_;
  double frame_time_s_ = 0.0;
  bool keep_feet_ = true;
  int clip_ = 0, clip_before_ = 0;
  double time_s_ = 0.0, pace_ = 1.0;
  GroundMove world_from_clip_;
  int frames_ = 0;  ///< Played so far.
  bool changed_ = false;
  double change_length_s_ = 0.0;
  double stride_ = 1.0, veer_rad_ = 0.0;
  std::vector<Decay> turns_, shifts_;  ///< Per joint; the root's shift is apart:
  Decay root_, height_;                ///< Over the ground, and above it.
  bool differs_ = false;               ///< Some of the joints' differences have not died out.
  Vec3d hips_ = Vec3d::Zero();
  std::uint8_t standing_ = 0;
  /// Blended postures of the last three frames, the last one first, without what keeps the feet.
  std::array<Pose, 3> played_;
  FootKeeper feet_;
  double raised_m_ = 0.0;  ///< By `keep_over_ground`, for what legs do.
  SpeedLimit limit_;
  std::vector<double> shares_;  ///< Per limb: of its way that it went in the last frame.
  Pose shown_;                  ///< The last frame …
  WorldPose world_shown_;       ///< … and where its joints are.
};

}  // namespace shosa::graph
