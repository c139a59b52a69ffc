#pragma once

#include <vector>

#include "graph/clip_stream.h"
#include "graph/decay.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/graph/motion_set.h"

namespace shosa::graph {

/// Keeps feet where they stand while postures are blended and the body's path is bent.
///
/// While the playing clip's foot stands, the played foot follows the clip's own roll from heel to toe, laid out over
/// the ground where the foot came down: it slides no more than the clip's foot does. What is left of an earlier
/// posture (height, tilt) dies out. In the swing the difference from the blended posture dies out. The leg then reaches
/// for the foot: two bones in the plane that the leg has. Where a standing foot would
/// be out of reach the hips sink.
class FootKeeper {
 public:
  FootKeeper() = default;
  explicit FootKeeper(const MotionSet& set);

  /// What the playing clip's feet do in this frame; `raw` is its posture before it was placed, `raw_before` that of the
  /// frame before where the clip has just taken over, else null.
  void look_at_clip(const Pose& raw, const Pose* raw_before, std::uint8_t contact_bits);
  /// Changes the legs of `pose`, and the root's height, for this frame.
  void keep(Pose& pose, double frame_time_s);

  std::uint8_t standing() const { return standing_; }

 private:
  struct Foot {
    JointIndex limb = kNoJoint, knee = kNoJoint, ankle = kNoJoint;
    Vec3d ball = Vec3d::Zero();    ///< In the ankle's frame.
    Vec3d hinge = Vec3d::UnitX();  ///< About which the knee bends, in the thigh's frame.
    bool usable = false;           ///< Hip, knee and ankle follow each other in the tree.
    bool locked = false;
    bool started = false;
    bool lifted = false;  ///< Before the clip's foot does, because it could not be reached.
    analysis::GroundPlace world_from_clip;
    JointTransform in_clip, in_clip_before;
    JointTransform out, out_before;                                 ///< As played in the last two frames.
    Vec3d shift = Vec3d::Zero(), turn = Vec3d::Zero();              ///< Played minus blended, last frame …
    Vec3d shift_speed = Vec3d::Zero(), turn_speed = Vec3d::Zero();  ///< … and how that changes.
    Decay shift_left, turn_left;
  };
  void aim(Foot& foot, bool contact, const JointTransform& blended, double frame_time_s, JointTransform& target);
  /// How far from its hip a foot may be: nearly the leg's length, or what the blended posture has.
  double reachable_m(const Foot& foot) const;
  /// A distance from the hip brought smoothly below the leg's length; the blended posture's own stays as it is.
  double eased_m(const Foot& foot, double distance_m) const;
  double sink_needed(const Foot& foot, const JointTransform& target) const;
  void reach(const Foot& foot, const JointTransform& target, Pose& pose);

  const Skeleton* skeleton_ = nullptr;
  std::vector<Foot> feet_;
  std::vector<JointTransform> targets_;
  std::uint8_t contact_ = 0, standing_ = 0;
  bool clip_changed_ = false;
  double sink_m_ = 0.0;
  WorldPose world_;
};

}  // namespace shosa::graph
