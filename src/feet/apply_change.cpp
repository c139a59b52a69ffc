#include "shosa/feet/apply_change.h"

#include "shosa/core/rotations.h"

namespace shosa::feet {

namespace {

// Less than this is nothing: metres and radians.
constexpr double kNothing = 1e-9;

}  // namespace

void apply_change(const Skeleton& skeleton, JointIndex mover, std::span<const ChangedLeg> legs, const Vec3d& root_m,
                  std::span<const BallChange> balls, WorldPose& world, Pose& pose) {
  forward_kinematics(skeleton, pose, world);
  apply_change_at(skeleton, mover, legs, root_m, balls, world, pose);
}

void apply_change_at(const Skeleton& skeleton, JointIndex mover, std::span<const ChangedLeg> legs, const Vec3d& root_m,
                     std::span<const BallChange> balls, const WorldPose& world, Pose& pose) {
  const auto place = [&](JointIndex joint) { return Vec3d(world.positions[joint]); };
  const auto turn = [&](JointIndex joint) { return joint == kNoJoint ? Quatd::Identity() : world.rotations[joint]; };
  const auto above = [&](JointIndex joint) { return turn(skeleton.parent(joint)).conjugate(); };
  if (root_m.cwiseAbs().maxCoeff() > kNothing) {
    pose.set_translation(mover, (pose.translation(mover).cast<double>() + above(mover) * root_m).cast<float>());
  }
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const auto& [shift_m, turn_rad] = balls[i];
    if ((shift_m - root_m).cwiseAbs().maxCoeff() < kNothing && turn_rad.cwiseAbs().maxCoeff() < kNothing) continue;
    const body::TwoBones& leg = legs[i].bones;
    const Vec3d ball_m = legs[i].ball < skeleton.joint_count()
                             ? place(legs[i].ball)
                             : Vec3d(world.end_site(skeleton.end_sites()[legs[i].ball - skeleton.joint_count()]));
    const Quatd turned = exp_rotation(turn_rad);
    // The whole body goes with the root; the leg is solved where it was.
    const Vec3d target = ball_m + shift_m + turned * (place(leg.ankle) - ball_m) - root_m;
    const body::LegTurns turns =
        body::bend_leg(place(leg.hip), place(leg.knee), place(leg.ankle), turn(leg.knee) * leg.flexion_axis, target);
    const auto set = [&](JointIndex joint, const Quatd& local) {
      pose.set_rotation(joint, local.normalized().cast<float>());
    };
    set(leg.hip, above(leg.hip) * turns.hip * turn(leg.hip));
    set(leg.knee, above(leg.knee) * turns.knee * turn(leg.knee));
    set(leg.ankle, above(leg.ankle) * (turns.hip * turns.knee).conjugate() * turned * turn(leg.ankle));
  }
}

}  // namespace shosa::feet
