#include "shosa/body/two_bones.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "shosa/core/forward_kinematics.h"
#include "shosa/core/rotations.h"

namespace shosa::body {

Vec3d find_flexion_axis(const Clip& clip, const TwoBones& leg, std::span<const Vec3d> ahead) {
  // Against thigh x shank of normalised bones: a flexion of two degrees outweighs it.
  constexpr double kPrior = 0.03;
  Vec3d sum = Vec3d::Zero();
  Pose pose;
  WorldPose world;
  const auto place = [&](JointIndex joint) { return world.positions[joint]; };
  for (int f = 0; f < clip.frame_count(); ++f) {
    clip.get_frame(f, pose);
    forward_kinematics(clip.skeleton(), pose, world);
    const Vec3d thigh = (place(leg.knee) - place(leg.hip)).normalized();
    const Vec3d shank = (place(leg.ankle) - place(leg.knee)).normalized();
    const Vec3d prior = -thigh.cross(ahead[f]);
    sum += world.rotations[leg.knee].conjugate() * (thigh.cross(shank) + kPrior * prior);
  }
  return sum.norm() > 1e-9 ? Vec3d(sum.normalized()) : Vec3d(Vec3d::UnitX());
}

KneeAngle knee_angle(double distance_m, double thigh_m, double shank_m) {
  const double product = thigh_m * shank_m, squares = thigh_m * thigh_m + shank_m * shank_m;
  const double longest = std::sqrt(squares + 2.0 * product * std::cos(kNearlyStraight_rad));
  if (distance_m > longest) {
    const double slope = -longest / (product * std::sin(kNearlyStraight_rad));
    return {kNearlyStraight_rad + slope * (distance_m - longest), slope};
  }
  const double rad = std::acos(std::clamp((distance_m * distance_m - squares) / (2.0 * product), -1.0, 1.0));
  return {rad, -distance_m / (product * std::max(std::sin(rad), std::sin(kNearlyStraight_rad)))};
}

double signed_flexion_rad(const Vec3d& thigh, const Vec3d& shank, const Vec3d& axis) {
  const Vec3d across = shank - axis * axis.dot(shank);
  return -std::atan2(thigh.dot(axis.cross(across)), thigh.dot(across));
}

namespace {

// The knee's angle where the distance asks for one of size `bend` and it is `now`, < 0 to the other side.
double signed_bend(double bend, double now, BackwardKnee backward) {
  if (backward == BackwardKnee::stays) return now < -kOtherSide_rad ? -bend : bend;
  // A knee folded against its thigh, seen along an axis that is not quite its own, is bent by more than half a turn.
  if (now <= -0.5 * std::numbers::pi) return -bend;
  const double back = std::min(-now, kMaxBackward_rad);
  if (back <= 0.0) return bend;
  return bend <= back ? -bend : bend - 2.0 * back * std::max(0.0, 1.0 - (bend - back) / (4.0 * back));
}

}  // namespace

LegTurns bend_leg(const Vec3d& hip_m, const Vec3d& knee_m, const Vec3d& ankle_m, const Vec3d& axis,
                  const Vec3d& target_m, BackwardKnee backward) {
  const Vec3d thigh = knee_m - hip_m, shank = ankle_m - knee_m, wanted_m = target_m - hip_m;

  // |thigh + R(axis, phi) shank| = distance: a cos(phi) + b sin(phi) = wanted.
  const Vec3d across = shank - axis * axis.dot(shank);
  const double a = thigh.dot(across), b = thigh.dot(axis.cross(across));
  const double wanted =
      0.5 * (wanted_m.squaredNorm() - thigh.squaredNorm() - shank.squaredNorm()) - thigh.dot(axis) * axis.dot(shank);
  const double most = std::hypot(a, b);
  LegTurns turns;
  if (most >= 1e-12) {
    // Straight is at this turn from here.
    const double straight = std::atan2(b, a), bend = std::acos(std::clamp(wanted / most, -1.0, 1.0));
    turns.knee = Quatd(Eigen::AngleAxisd(straight + signed_bend(bend, -straight, backward), axis));
  }
  turns.hip = shortest_turn(thigh + turns.knee * shank, wanted_m);
  return turns;
}

}  // namespace shosa::body
