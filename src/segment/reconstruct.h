#pragma once

#include <memory>
#include <span>
#include <vector>

#include "segment/particles.h"
#include "segment/point_body.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::segment {

/// Where one point of the body is to be.
struct PointGoal {
  int point = 0;
  Vec3d position_m = Vec3d::Zero();
  bool fixed = true;  ///< Met exactly as far as the body reaches; false: where links allow.
};

/// How a limb's end (foot, hand) is turned.
struct EndTurn {
  JointIndex end = kNoJoint;
  Quatd world_from_end = Quatd::Identity();
};

struct ReconstructGoals {
  std::span<const PointGoal> points;
  std::span<const EndTurn> turns;       ///< Feet without one keep their orientation in the world, hands in the arm.
  Quatd body_turn = Quatd::Identity();  ///< Of everything, about the hips, before the points are met.
};

struct ReconstructReport {
  int iterations = 0;              ///< Of the particle method; 0 where the closed form of the limbs was enough.
  double max_link_error_m = 0.0;   ///< Left after it.
  double max_fixed_error_m = 0.0;  ///< Of fixed goals in the posture that came out: how far a limb did not reach.
};

/// A posture from edited points: the particle method, then joint rotations with the base posture's texture on them.
///
/// 1. Points without a goal go with the body (`body_turn`, and the hips' goal where there is one). Knees and elbows are
///    set in closed form. Where links are still off, the particle method moves what is not fixed.
/// 2. The rough posture of a set of points is a frame per bone (the bone and its hinge). The texture is what turns the
///    rough posture of the base's own points into the base; laid on the new rough posture it gives the new rotations.
///    Only joints whose frame changed are written: a joint that nothing moves keeps its bits.
/// 3. Limbs are closed on their fixed ends exactly; one that is too short is stretched toward its goal. Knees and
/// elbows
///    keep the base's bend side; a straight limb bends to the side that its clip taught.
/// No allocation after the constructor. Not thread-safe: one per thread.
class Reconstructor {
 public:
  explicit Reconstructor(std::shared_ptr<const PointBody> body, RelaxParams params = {});

  const PointBody& body() const { return *body_; }
  RelaxParams& params() { return params_; }

  /// `out` may be `base`. What carries the body is `PointBody::carrier`.
  ReconstructReport solve(const Pose& base, const ReconstructGoals& goals, Pose& out);

  /// World transforms of the base posture of the last call.
  const WorldPose& base_world() const { return world_; }

 private:
  void place_points(const ReconstructGoals& goals);
  void come_along();
  void place_middles();
  void close(const ReconstructGoals& goals);
  void reach_on(const ReconstructGoals& goals);
  void turn_trunk(const ReconstructGoals& goals);
  void close_limb(const Limb& limb, const ReconstructGoals& goals);
  void aim_head();
  void write(const Pose& base, Pose& out);
  Vec3d bend_direction(const Limb& limb) const;
  Vec3d amid(const Limb& limb) const;
  struct Carried {
    Vec3d position;
    Quatd turn;
  };
  Carried carried_to(std::span<const JointIndex> path) const;
  const Vec3d& base_at(JointIndex joint) const { return world_.positions[joint]; }

  std::shared_ptr<const PointBody> body_;
  RelaxParams params_;
  WorldPose world_;  // of the base
  std::vector<Vec3d> base_points_;
  std::vector<Vec3d> points_;
  std::vector<double> mobility_;
  std::vector<char> given_;
  std::vector<PointLink> links_;
  std::vector<Quatd> turns_;    // per joint: new world rotation = turn * base world rotation
  std::vector<char> own_turn_;  // differs from the parent's
  Vec3d hips_;                  // new position
  Quatd pelvis_turn_;
  double fixed_error_m_ = 0.0;
  Vec3d leg_miss_, arm_miss_;  // sums of what legs are short of their goals, and arms and head of theirs
  int short_legs_ = 0;
};

}  // namespace shosa::segment
