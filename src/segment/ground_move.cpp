#include "shosa/segment/ground_move.h"

#include <algorithm>
#include <cmath>

#include "shosa/analysis/pose_distance.h"

namespace shosa::segment {

Quatd GroundMove::rotation() const {
  return Quatd(std::cos(0.5 * turn_rad), 0.0, std::sin(0.5 * turn_rad), 0.0);
}

GroundMove GroundMove::operator*(const GroundMove& other) const {
  return {turn_rad + other.turn_rad, rotation() * other.shift_m + shift_m};
}

GroundMove GroundMove::inverse() const {
  const GroundMove back{-turn_rad, Vec3d::Zero()};
  return {-turn_rad, -(back.rotation() * shift_m)};
}

void move_posture(const Skeleton& skeleton, JointIndex carrier, const GroundMove& move, Pose& pose) {
  if (move.turn_rad == 0.0 && move.shift_m.isZero(0.0)) return;
  // The carrier's parents, in the world.
  Vec3d parent_at = Vec3d::Zero();
  Quatd parent_turn = Quatd::Identity();
  JointIndex chain[64];
  int depth = 0;
  for (JointIndex j = skeleton.parent(carrier); j != kNoJoint && depth < 64; j = skeleton.parent(j)) chain[depth++] = j;
  while (depth > 0) {
    const JointIndex j = chain[--depth];
    parent_at += parent_turn * pose.translation(j).cast<double>();
    parent_turn = parent_turn * pose.rotation(j).cast<double>();
  }
  const Vec3d at = parent_at + parent_turn * pose.translation(carrier).cast<double>();
  const Quatd turn = parent_turn * pose.rotation(carrier).cast<double>();
  pose.set_translation(carrier, (parent_turn.conjugate() * (move * at - parent_at)).cast<float>());
  pose.set_rotation(carrier, (parent_turn.conjugate() * (move.rotation() * turn)).normalized().cast<float>());
}

GroundMove match_postures(const WorldPose& a, const WorldPose& b, double level_m) {
  const std::vector<double> weights(a.positions.size(), 1.0);
  GroundMove move;
  if (const auto match = analysis::match_clouds(a.positions, b.positions, weights)) {
    move.turn_rad = match->a_from_b.heading_rad;
    move.shift_m = {match->a_from_b.x_m, 0.0, match->a_from_b.z_m};
  }
  const auto lowest = [](const WorldPose& world) {
    double y = world.positions[0].y();
    for (const Vec3d& p : world.positions) y = std::min(y, p.y());
    return y;
  };
  const double rise = lowest(a) - lowest(b);
  if (std::abs(rise) > level_m) move.shift_m.y() = rise;
  return move;
}

}  // namespace shosa::segment
