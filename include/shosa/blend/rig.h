#pragma once

#include <vector>

#include "shosa/blend/motion.h"
#include "shosa/core/ground_move.h"

namespace shosa::blend {

struct Rigid {
  Quatd rotation = Quatd::Identity();
  Vec3d position = Vec3d::Zero();
};

/// A foot as one rigid piece: the point that it stands on (ball of the foot, or ankle where there are no toes) and
/// world_from_foot.
struct FootPose {
  Vec3d anchor_m = Vec3d::Zero();
  Quatd rotation = Quatd::Identity();
};
FootPose mixed(const FootPose& a, const FootPose& b, double weight);
/// A turn about +Y of the foot about its anchor, and a shift.
struct FootOffset {
  Vec3d shift_m = Vec3d::Zero();
  double yaw_rad = 0.0;
  FootOffset scaled(double share) const { return {shift_m * share, yaw_rad * share}; }
};
FootPose moved(const FootPose& foot, const FootOffset& offset);
/// Where the foot points: heading of ankle to anchor; 0 for a foot without toes.
double foot_heading_rad(const FootPose& foot, const Vec3d& anchor_in_foot_m);

struct Leg {
  JointIndex hip = kNoJoint, knee = kNoJoint, ankle = kNoJoint;
  bool solvable = false;                  ///< The foot hangs on its leg.
  std::vector<JointIndex> below_ankle;    ///< Joints from below the ankle to the anchor's.
  Vec3d anchor_offset_m = Vec3d::Zero();  ///< In the frame of the last of those (of the ankle when empty).
  double length_m = 0.0;
  JointIndex toes = kNoJoint;             ///< Turns about the anchor; kNoJoint where there is no tip beyond it.
  Vec3d tip_offset_m = Vec3d::Zero();     ///< In its frame.
  Vec3d across_in_foot = Vec3d::UnitX();  ///< A turn about it raises the toes.
};

/// World transforms of the joints that carry hips and feet; others are not computed.
using RigWorld = std::vector<Rigid>;

/// What of a skeleton the blends look at. Allocates nothing after construction, but for `make_world`.
class Rig {
 public:
  explicit Rig(const Motion& motion);

  const Skeleton& skeleton() const { return *skeleton_; }
  JointIndex hips() const { return hips_; }
  const std::vector<Leg>& legs() const { return legs_; }
  bool is_lower(JointIndex joint) const { return lower_[joint]; }
  RigWorld make_world() const { return RigWorld(static_cast<std::size_t>(skeleton_->joint_count())); }

  void world(const Pose& pose, RigWorld& out) const;
  /// The anchor in the foot's own frame, as the pose has it.
  Vec3d anchor_in_foot(const Pose& pose, std::size_t leg) const;
  FootPose foot(const Pose& pose, const RigWorld& world, std::size_t leg) const;
  /// Moves the hips to a place in the world by their own translation; `world` follows.
  void set_hips(Pose& pose, RigWorld& world, const Vec3d& hips_m) const;
  /// Bends the knee about `knee_axis` (the knee's frame), turns hip and ankle, so that the foot comes to its target.
  /// Returns how far the ankle stays away: legs that are too short. `world` is as before the call.
  double solve_leg(Pose& pose, const RigWorld& world, std::size_t leg, const FootPose& target,
                   const Vec3d& knee_axis) const;
  /// The tip of the toes of a foot, as `pose` bends them.
  Vec3d tip_of(const FootPose& foot, const Pose& pose, std::size_t leg) const {
    const Leg& l = legs_[leg];
    return foot.anchor_m + foot.rotation * (pose.rotation(l.toes).cast<double>() * l.tip_offset_m);
  }
  /// Ankle that belongs to a foot.
  Vec3d ankle_of(const FootPose& foot, const Vec3d& anchor_in_foot_m) const {
    return foot.anchor_m - foot.rotation * anchor_in_foot_m;
  }

 private:
  std::shared_ptr<const Skeleton> skeleton_;
  JointIndex hips_;
  std::vector<JointIndex> joints_;  ///< Ascending: what `world` computes.
  std::vector<Leg> legs_;
  std::vector<bool> lower_;
};

}  // namespace shosa::blend
