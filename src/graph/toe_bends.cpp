#include "shosa/graph/toe_bends.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "shosa/body/leg_proportions.h"
#include "shosa/core/angles.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::graph {

double ToeBends::bend_rad(const Quatd& foot_from_toes) const {
  const Quatd turn = foot_from_toes * rest.conjugate();
  return std::remainder(2.0 * std::atan2(turn.vec().dot(across_in_foot), turn.w()), 2.0 * std::numbers::pi);
}

ToeBends find_toe_bends(const MotionSet& set, std::size_t foot) {
  const Skeleton& skeleton = *set.skeleton;
  const body::FootPoints& points = set.feet[foot];
  if (points.toe < 0 || points.toe >= skeleton.joint_count() || skeleton.parent(points.toe) != points.joint) return {};
  WorldPose at_rest;
  forward_kinematics(skeleton, Pose::rest(skeleton), at_rest);
  Vec3d ahead = at_rest.positions[points.toe] - at_rest.positions[points.joint];
  if (points.tip >= skeleton.joint_count()) {
    const EndSite& tip = skeleton.end_sites()[points.tip - skeleton.joint_count()];
    if (tip.parent != points.toe) return {};
    ahead = at_rest.end_site(tip) - at_rest.positions[points.joint];
  }
  const Vec3d across = ahead.cross(Vec3d::UnitY());
  if (across.norm() < 1e-6) return {};
  ToeBends toes{.joint = points.toe};
  toes.across_in_foot = at_rest.rotations[points.joint].conjugate() * across.normalized();
  toes.rest = skeleton.joint(points.toe).rest_rotation.cast<double>();

  std::vector<double> standing;
  for (const SetClip& clip : set.clips) {
    for (int f = 0; f < clip.clip().frame_count(); ++f) {
      const double rad = toes.bend_rad(clip.clip().rotation(f, toes.joint).cast<double>());
      toes.least_rad = std::min(toes.least_rad, rad), toes.most_rad = std::max(toes.most_rad, rad);
      if ((clip.contact[f] >> foot & 1u) != 0) standing.push_back(rad);
    }
  }
  if (standing.empty()) standing.push_back(0.0);
  const auto middle = standing.begin() + static_cast<std::ptrdiff_t>(standing.size() / 2);
  std::nth_element(standing.begin(), middle, standing.end());
  toes.least_rad = std::min(toes.least_rad, *middle - body::kToeFlexion_deg * kRadPerDeg);
  toes.most_rad = std::max(toes.most_rad, *middle + body::kToeExtension_deg * kRadPerDeg);
  return toes;
}

}  // namespace shosa::graph
