#include "shosa/posing/body_weights.h"

#include <algorithm>

#include "shosa/posing/balance.h"
#include "shosa/posing/motion_edit.h"

namespace shosa::posing {

namespace {

// Share of the whole body's inertia about its root below which no joint falls: a hand's about its wrist, which the
// table of segments counts to the forearm.
constexpr double kLeastInertia = 1e-3;

std::vector<PointMass> masses_of(const Skeleton& skeleton, const body::BodyMap& map) {
  if (map.kind == body::BodyKind::humanoid) {
    if (auto human = human_masses(skeleton, map)) return std::move(*human);
  }
  // Bones of one weight per metre.
  std::vector<PointMass> rods;
  const auto add = [&](JointIndex joint, const Vec3d& bone) { rods.push_back({joint, 0.5 * bone, bone.norm()}); };
  for (JointIndex j = 1; j < skeleton.joint_count(); ++j)
    add(skeleton.parent(j), skeleton.joint(j).rest_translation_m.cast<double>());
  for (const EndSite& site : skeleton.end_sites()) add(site.parent, site.offset_m.cast<double>());
  return rods;
}

}  // namespace

BodyWeights body_weights(const Skeleton& skeleton, const body::BodyMap& map) {
  BodyWeights weights;
  weights.inertia_m2.assign(static_cast<std::size_t>(skeleton.joint_count()), 0.0);
  double total = 0.0;
  for (const PointMass& mass : masses_of(skeleton, map)) {
    const Vec3d at = skeleton.rest_positions()[mass.joint] + skeleton.rest_rotations()[mass.joint] * mass.offset_m;
    for (JointIndex j = mass.joint; j != kNoJoint; j = skeleton.parent(j))
      weights.inertia_m2[j] += mass.mass * (at - skeleton.rest_positions()[j]).squaredNorm();
    total += mass.mass;
  }
  // A body of one joint, or without length, costs the same everywhere.
  const double whole = total > 0.0 ? weights.inertia_m2[0] / total : 0.0;
  for (double& inertia : weights.inertia_m2)
    inertia = whole > 0.0 ? std::max(inertia / total, kLeastInertia * whole) : 1.0;

  for (const body::Role role : {body::Role::left_upper_arm, body::Role::right_upper_arm}) {
    if (map.has(role)) weights.limbs.push_back(map.joint(role));
  }
  if (map.kind == body::BodyKind::humanoid) weights.arms = weights.limbs;
  // No neck: it cannot fold, so what leads the head leads the trunk.
  for (const body::Role role : {body::Role::left_upper_leg, body::Role::right_upper_leg}) {
    if (map.has(role)) weights.limbs.push_back(map.joint(role));
  }
  return weights;
}

MotionEditParams body_edit(const Skeleton& skeleton, const body::BodyMap& map) {
  MotionEditParams edit;
  edit.weights = body_weights(skeleton, map);
  edit.return_weight = kReturnWeight;
  // Against a root of weight 1, which pins of 1e4 stay far above.
  edit.solver.range_strength = 1.0;
  return edit;
}

}  // namespace shosa::posing
