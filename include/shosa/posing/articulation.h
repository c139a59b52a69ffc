#pragma once

#include <memory>
#include <span>
#include <vector>

#include "shosa/core/clip.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa {
class StateBytes;
}

namespace shosa::posing {

/// How a joint may turn. The root also moves.
enum class JointKind {
  ball,   ///< Three turns.
  hinge,  ///< One turn about `axis`.
  fixed,  ///< None: keeps its rotation.
};

struct JointFreedom {
  JointKind kind = JointKind::ball;
  Vec3d axis = Vec3d::UnitX();  ///< For hinges: unit, in the joint's own frame.
};

/// A skeleton's posture in double precision, with a floating root: what the solver moves.
class Articulation {
 public:
  explicit Articulation(std::shared_ptr<const Skeleton> skeleton);

  const Skeleton& skeleton() const { return *skeleton_; }
  int joint_count() const { return skeleton_->joint_count(); }

  void set_pose(const Pose& pose);
  void get_pose(Pose& pose) const;

  const Quatd& rotation(JointIndex joint) const { return rotations_[joint]; }
  void set_rotation(JointIndex joint, const Quatd& parent_from_joint);

  /// The whole body, by a way in the world. Keeps `world()` up to date.
  void move(const Vec3d& way_m);

  const WorldPose& world() const { return world_; }
  /// A point fixed to a joint, in the world.
  Vec3d point(JointIndex joint, const Vec3d& offset_m) const;

  /// Moves the root by `root_velocity` and turns every joint by `turn_rates[j]` (relative to its parent, axes of the
  /// world, rad/s; the root's turns the whole body), for `step_s`. Then brings `world()` up to date.
  void integrate(const Vec3d& root_velocity, std::span<const Vec3d> turn_rates, double step_s);

  void update_world();
  /// Only these joints, in ascending order; what carries them is up to date.
  void update_world(std::span<const JointIndex> joints);

  /// All that changes (`StateBytes`).
  void visit_state(StateBytes& bytes);

 private:
  void update_world(JointIndex joint);

  std::shared_ptr<const Skeleton> skeleton_;
  std::vector<Quatd> rotations_;     // parent_from_joint
  std::vector<Vec3d> translations_;  // in the parent's frame, metres
  WorldPose world_;
};

}  // namespace shosa::posing
