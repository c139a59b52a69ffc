#include "body/body_map_posture.h"

namespace shosa::body::body_map_detail {
namespace {

/// Cosine within which two directions count as the same (opposite, across): 53 degrees.
constexpr double kAlong = 0.6;

struct LimbPair {
  bool known = false;
  Vec3d top = Vec3d::Zero();        ///< Mean of the two upper joints.
  Vec3d direction = Vec3d::Zero();  ///< Unit; zero when left and right point apart.
};

LimbPair limb_pair(const BodyMap& map, const std::vector<Vec3d>& positions, bool legs) {
  LimbPair pair;
  Vec3d unit[2];
  for (int side = 0; side < 2; ++side) {
    const SideRoles& roles = side_roles(side == 0);
    const JointIndex top = map.joint(legs ? roles.upper_leg : roles.upper_arm);
    const JointIndex end = map.joint(legs ? roles.foot : roles.hand);
    if (top == kNoJoint || end == kNoJoint) return pair;
    const Vec3d& from = positions[top];
    unit[side] = (positions[end] - from).normalized();
    pair.top += 0.5 * from;
  }
  pair.known = true;
  if (unit[0].dot(unit[1]) > 0.0) pair.direction = (unit[0] + unit[1]).normalized();
  return pair;
}

}  // namespace

Stance find_stance(const BodyMap& map, const std::vector<Vec3d>& positions) {
  const LimbPair legs = limb_pair(map, positions, true);
  const LimbPair arms = limb_pair(map, positions, false);
  if (!legs.known) return Stance::unclear;
  Vec3d top = arms.top;
  if (!arms.known) {
    const JointIndex end = map.has(Role::neck) ? map.joint(Role::neck) : map.joint(Role::head);
    if (end == kNoJoint) return Stance::unclear;
    top = positions[end];
  }
  const Vec3d trunk = (top - legs.top).normalized();
  const double legs_along_trunk = legs.direction.dot(trunk);
  if (legs_along_trunk < -kAlong) return Stance::upright;
  const bool across = legs.direction.squaredNorm() > 0.5 && legs_along_trunk < kAlong;
  if (arms.known && across && legs.direction.dot(arms.direction) > kAlong) return Stance::on_fours;
  return Stance::unclear;
}

}  // namespace shosa::body::body_map_detail
