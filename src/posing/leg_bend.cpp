#include "posing/leg_bend.h"

#include <algorithm>
#include <cmath>

#include "shosa/core/rotations.h"

namespace shosa::posing {

namespace {

// Captured knees are overstretched by less than this.
constexpr double kOtherSide_rad = 0.25;

const Vec3d& place(const WorldPose& world, JointIndex joint) {
  return world.positions[static_cast<std::size_t>(joint)];
}
const Quatd& turn(const WorldPose& world, JointIndex joint) {
  return world.rotations[static_cast<std::size_t>(joint)];
}

// Turns a joint by a rotation of the world.
void turn_joint(Articulation& body, JointIndex joint, const Quatd& by) {
  const JointIndex parent = body.skeleton().parent(joint);
  const Quatd world_from_parent = parent == kNoJoint ? Quatd::Identity() : turn(body.world(), parent);
  body.set_rotation(joint, (world_from_parent.conjugate() * by * turn(body.world(), joint)).normalized());
  body.update_world();
}

}  // namespace

Vec3d find_flexion_axis(const Clip& clip, const TwoBones& leg, std::span<const Vec3d> ahead) {
  // Against thigh x shank of normalised bones: a flexion of two degrees outweighs it.
  constexpr double kPrior = 0.03;
  Vec3d sum = Vec3d::Zero();
  Pose pose;
  WorldPose world;
  for (int f = 0; f < clip.frame_count(); ++f) {
    clip.get_frame(f, pose);
    forward_kinematics(clip.skeleton(), pose, world);
    const Vec3d thigh = (place(world, leg.knee) - place(world, leg.hip)).normalized();
    const Vec3d shank = (place(world, leg.ankle) - place(world, leg.knee)).normalized();
    const Vec3d prior = -thigh.cross(ahead[static_cast<std::size_t>(f)]);
    sum += turn(world, leg.knee).conjugate() * (thigh.cross(shank) + kPrior * prior);
  }
  return sum.norm() > 1e-9 ? Vec3d(sum.normalized()) : Vec3d(Vec3d::UnitX());
}

void bend_leg(Articulation& body, const TwoBones& leg, const Vec3d& ankle_m) {
  const WorldPose& world = body.world();
  const Vec3d hip = place(world, leg.hip);
  const Vec3d thigh = place(world, leg.knee) - hip, shank = place(world, leg.ankle) - place(world, leg.knee);
  const Vec3d axis = turn(world, leg.knee) * leg.flexion_axis;

  // |thigh + R(axis, phi) shank| = distance: a cos(phi) + b sin(phi) = wanted.
  const Vec3d across = shank - axis * axis.dot(shank);
  const double a = thigh.dot(across), b = thigh.dot(axis.cross(across));
  const double distance = (ankle_m - hip).norm();
  const double wanted =
      0.5 * (distance * distance - thigh.squaredNorm() - shank.squaredNorm()) - thigh.dot(axis) * axis.dot(shank);
  const double most = std::hypot(a, b);
  if (most < 1e-12) return;
  // Straight is at this turn from here. A knee that is bent well to the other side stays there: a dog's sitting leg.
  const double straight = std::atan2(b, a);
  const double side = straight > kOtherSide_rad ? -1.0 : 1.0;
  const double flexion = straight + side * std::acos(std::clamp(wanted / most, -1.0, 1.0));
  turn_joint(body, leg.knee, Quatd(Eigen::AngleAxisd(flexion, axis)));
  turn_joint(body, leg.hip, shortest_turn(place(body.world(), leg.ankle) - hip, ankle_m - hip));
}

}  // namespace shosa::posing
