#include "shosa/posing/motion_edit.h"

namespace shosa::posing {

std::vector<std::pair<JointIndex, double>> human_stiffness(const Skeleton& skeleton, const body::BodyMap& map) {
  std::vector<std::pair<JointIndex, double>> list;
  if (map.kind != body::BodyKind::humanoid) return list;
  std::vector<double> stiffness(static_cast<std::size_t>(skeleton.joint_count()), 1.0);
  const auto column = [&](body::Role top, body::Role bottom, double value) {
    // From the top down to, and without, the bottom.
    for (JointIndex j = map.joint(top); j != kNoJoint && j != map.joint(bottom); j = skeleton.parent(j)) {
      stiffness[j] = value;
    }
  };
  // Chosen by eye on walks that duck, reach and bend.
  constexpr double kNeck = 40.0, kTrunk = 12.0, kPelvis = 6.0, kShoulder = 4.0;
  if (map.has(body::Role::neck)) column(body::Role::neck, body::Role::hips, kTrunk);
  if (map.has(body::Role::head))
    column(body::Role::head, map.has(body::Role::neck) ? body::Role::neck : body::Role::hips, kNeck);
  if (map.has(body::Role::neck)) stiffness[map.joint(body::Role::neck)] = kNeck;
  for (const body::Role role : {body::Role::left_shoulder, body::Role::right_shoulder}) {
    if (map.has(role)) stiffness[map.joint(role)] = kShoulder;
  }
  stiffness[map.joint(body::Role::hips)] = kPelvis;
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    if (stiffness[j] != 1.0) list.emplace_back(j, stiffness[j]);
  }
  return list;
}

}  // namespace shosa::posing
