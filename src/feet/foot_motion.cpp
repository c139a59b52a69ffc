#include "feet/foot_motion.h"

#include <algorithm>
#include <cmath>

#include "shosa/body/leg_proportions.h"
#include "shosa/core/angles.h"
#include "shosa/core/tree_paths.h"

namespace shosa::feet {

Vec3d heel_in_foot_m(const FootMotion& foot, const std::vector<char>& flat, double heel_rest_m, double scale) {
  Vec3d sum = Vec3d::Zero();
  for (const bool only_flat : {true, false}) {
    for (std::size_t f = 0; f < foot.ball_m.size(); ++f) {
      if (only_flat && !flat[f]) continue;
      const Vec3d heel = -heel_rest_m * Vec3d::UnitY() -
                         body::kHeelBehindAnkle_m * scale * level_direction(foot.ball_m[f] - foot.ankle_m[f]);
      sum += foot.rotation[f].conjugate() * heel;
    }
    if (!sum.isZero()) break;
  }
  return sum.isZero() ? sum : Vec3d(sum.normalized() * std::hypot(heel_rest_m, body::kHeelBehindAnkle_m * scale));
}

Result<FootMotion> observe_foot(const Clip& clip, const ClipPositions& positions, const body::FootPoints& points) {
  if (points.joint < 0 || points.joint >= clip.joint_count() || points.limb == kNoJoint ||
      joint_chain(clip.skeleton(), points.limb, points.joint).size() < 3) {
    return fail(ErrorCode::not_possible,
                "feet: the {} foot does not hang on its leg with a knee, so no leg can lead it", points.name);
  }
  FootMotion foot;
  foot.bones = {.hip = points.limb, .knee = points.knee, .ankle = points.joint};
  foot.has_ball = points.toe >= 0;
  foot.has_heel = points.heel >= 0 && foot.has_ball;
  std::vector<Vec3d> ahead;
  std::vector<Quatd> knee_rotation;
  Pose pose;
  WorldPose world;
  for (int f = 0; f < clip.frame_count(); ++f) {
    clip.get_frame(f, pose);
    forward_kinematics(clip.skeleton(), pose, world);
    foot.rotation.push_back(world.rotations[points.joint]);
    knee_rotation.push_back(world.rotations[points.knee]);
    const Vec3d hip = positions.joint(f, points.limb), knee = positions.joint(f, points.knee),
                ankle = positions.joint(f, points.joint);
    foot.hip_m.push_back(hip);
    foot.ankle_m.push_back(ankle);
    foot.ball_m.push_back(foot.has_ball ? positions.point(f, points.toe) : ankle);
    foot.thigh_m.push_back(std::max((knee - hip).norm(), 1e-6));
    foot.shank_m.push_back(std::max((ankle - knee).norm(), 1e-6));
    foot.knee_rad.push_back(body::knee_angle((ankle - hip).norm(), foot.thigh_m.back(), foot.shank_m.back()).rad);
    ahead.push_back(level_direction(foot.ball_m.back() - ankle));
  }
  foot.heel_m = foot.ankle_m;
  foot.straightest_rad = *std::min_element(foot.knee_rad.begin(), foot.knee_rad.end());
  foot.bones.flexion_axis = body::find_flexion_axis(clip, foot.bones, ahead);
  for (int f = 0; f < clip.frame_count(); ++f) {
    const auto k = static_cast<std::size_t>(f);
    const Vec3d knee = positions.joint(f, points.knee);
    const double flexion = body::signed_flexion_rad(knee - foot.hip_m[k], foot.ankle_m[k] - knee,
                                                    knee_rotation[k] * foot.bones.flexion_axis);
    if (flexion < -body::kOtherSide_rad) foot.knee_rad[k] *= -1.0;
    foot.most_overstretched_rad = std::min(foot.most_overstretched_rad, foot.knee_rad[k]);
  }
  return foot;
}

Result<FootMotion> observe_foot(const Clip& clip, const ClipPositions& positions, const FootPlan& plan, double scale) {
  auto foot = observe_foot(clip, positions, plan.points);
  if (!foot || !foot->has_heel) return foot;
  std::vector<char> flat(foot->ball_m.size(), 0);
  for (const Stance& stance : plan.stances) {
    if (stance.rotation) std::fill(flat.begin() + stance.first, flat.begin() + stance.last + 1, 1);
  }
  const Vec3d heel = heel_in_foot_m(*foot, flat, plan.heel_rest_m, scale);
  for (std::size_t f = 0; f < flat.size(); ++f) foot->heel_m[f] += foot->rotation[f] * heel;
  return foot;
}

}  // namespace shosa::feet
