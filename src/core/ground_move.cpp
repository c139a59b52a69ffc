#include "shosa/core/ground_move.h"

#include "shosa/core/rotations.h"

namespace shosa {

Quatd GroundMove::turn() const {
  return about_y(yaw_rad);
}

GroundMove GroundMove::operator*(const GroundMove& other) const {
  return {yaw_rad + other.yaw_rad, turn() * other.shift_m + shift_m};
}

GroundMove GroundMove::inverse() const {
  return {-yaw_rad, -(about_y(-yaw_rad) * shift_m)};
}

void move_posture(const GroundMove& move, Pose& pose) {
  if (move.is_identity()) return;
  const Quatd turn = move.turn();
  pose.set_rotation(0, (turn * pose.rotation(0).cast<double>()).normalized().cast<float>());
  pose.set_translation(0, (turn * pose.translation(0).cast<double>() + move.shift_m).cast<float>());
}

void move_posture(const Skeleton& skeleton, JointIndex carrier, const GroundMove& move, Pose& pose) {
  if (move.is_identity()) return;
  // The carrier's parents, in the world.
  Vec3d parent_at = Vec3d::Zero();
  Quatd parent_turn = Quatd::Identity();
  for (JointIndex j = skeleton.parent(carrier); j != kNoJoint; j = skeleton.parent(j)) {
    const Quatd turn = pose.rotation(j).cast<double>();
    parent_at = pose.translation(j).cast<double>() + turn * parent_at;
    parent_turn = turn * parent_turn;
  }
  const Vec3d at = parent_at + parent_turn * pose.translation(carrier).cast<double>();
  const Quatd turn = parent_turn * pose.rotation(carrier).cast<double>();
  pose.set_translation(carrier, (parent_turn.conjugate() * (move * at - parent_at)).cast<float>());
  pose.set_rotation(carrier, (parent_turn.conjugate() * (move.turn() * turn)).normalized().cast<float>());
}

}  // namespace shosa
