#include "segment/standing_body.h"

namespace shosa::segment {

Result<StandingBody> StandingBody::create(const analysis::StudiedClip& captured, const Clip& led,
                                          feet::FollowHipsParams params) {
  auto followed = feet::follow_hips(captured, led, params);
  if (!followed) return std::unexpected(followed.error());
  StandingBody out;
  out.params_ = std::move(params);
  out.followed_ = std::move(*followed);
  out.led_ = clip_positions(led);
  return out;
}

void StandingBody::add_goals(const PointBody& body, int frame, const WorldPose& captured, std::vector<PointGoal>& goals,
                             std::vector<EndTurn>& turns) const {
  const auto k = static_cast<std::size_t>(frame - params_.first);
  const Vec3d hips = captured.positions[body.hips] + followed_.root_m[k];
  goals.push_back({0, hips, true});
  // The pelvis keeps the turn with which the legs were solved.
  for (const Limb& limb : body.limbs) {
    if (limb.leg)
      goals.push_back({limb.upper_point, hips + led_.joint(frame, limb.upper) - led_.joint(frame, body.hips), true});
  }
  for (std::size_t i = 0; i < held_count(); ++i) {
    goals.push_back({body.point_of(params_.ankles[i]), followed_.ankle_m[i][k], true});
    turns.push_back({params_.ankles[i], followed_.rotation[i][k]});
  }
}

void StandingBody::level_toes(const PointBody& body, int frame, const WorldPose& captured, Pose& pose) const {
  const auto k = static_cast<std::size_t>(frame - params_.first);
  for (std::size_t i = 0; i < held_count(); ++i) {
    const Limb* leg = body.limb_of_end(params_.ankles[i]);
    if (leg->toe == kNoJoint || body.skeleton->parent(leg->toe) != leg->end) continue;
    const Quatd local = followed_.rotation[i][k].conjugate() * captured.rotations[leg->toe];
    pose.set_rotation(leg->toe, local.normalized().cast<float>());
  }
}

bool moves_legs(const analysis::StudiedClip& captured, const Clip& led, const PointBody& body, int first, int last) {
  Pose pose;
  WorldPose world;
  for (int f = first; f <= last; ++f) {
    led.get_frame(f, pose);
    forward_kinematics(led.skeleton(), pose, world);
    const auto moved = [&](JointIndex joint) { return world.positions[joint] != captured.positions().joint(f, joint); };
    if (moved(body.hips)) return true;
    for (const Limb& limb : body.limbs) {
      if (limb.leg && moved(limb.upper)) return true;
    }
  }
  return false;
}

}  // namespace shosa::segment
