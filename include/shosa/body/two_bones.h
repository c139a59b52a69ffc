#pragma once

#include <span>

#include "shosa/core/angles.h"
#include "shosa/core/clip.h"

namespace shosa::body {

/// A leg, front leg or arm seen as two bones: hip, knee, ankle. Joints in between go with the bone above them.
struct TwoBones {
  JointIndex hip = kNoJoint, knee = kNoJoint, ankle = kNoJoint;
  Vec3d flexion_axis = Vec3d::UnitX();  ///< Unit, in the knee's own frame; a positive turn bends the knee further.
};

/// The axis about which the knee bends in this clip: the mean of thigh x shank, so that well bent frames decide. A leg
/// that never bends is taken to bend toward the heel: `ahead` is a horizontal direction to the toe, per frame.
Vec3d find_flexion_axis(const Clip& clip, const TwoBones& leg, std::span<const Vec3d> ahead);

/// The angle between thigh and shank from the distance of hip and ankle, by the law of cosines, and its derivative
/// with respect to that distance. Below `kNearlyStraight_rad` it goes on along its tangent, so that a distance that is
/// too long gives an angle < 0 and a slope instead of a bound. `thigh_m`, `shank_m` > 0.
struct KneeAngle {
  double rad = 0.0, slope_radpm = 0.0;
};
inline constexpr double kNearlyStraight_rad = 4.0 * kRadPerDeg;
KneeAngle knee_angle(double distance_m, double thigh_m, double shank_m);

/// Captured knees are overstretched now and then, and a dog's sitting leg bends the other way. A knee that is bent to
/// the other side by more than this stays there; less counts as straight.
inline constexpr double kOtherSide_rad = 2.0 * kRadPerDeg;
/// How far a knee is bent about `axis` (world, unit): < 0 to the other side. `thigh`, `shank` from joint to joint.
double signed_flexion_rad(const Vec3d& thigh, const Vec3d& shank, const Vec3d& axis);

/// World rotations that bring an ankle to its place: first the shank turns about the knee by `knee`, then the whole leg
/// about the hip by `hip`.
struct LegTurns {
  Quatd hip = Quatd::Identity(), knee = Quatd::Identity();
};
/// What becomes of a knee that a capture bends to the other side.
enum class BackwardKnee {
  stays,  ///< On its side beyond `kOtherSide_rad`; less counts as straight. The target is met where bones reach.
  /// A target where its ankle is leaves it as it is. A knee bent backwards by up to `kMaxBackward_rad` comes to the
  /// right side little by little as it bends, at the cost of a millimetre of reach.
  comes_over,
};
inline constexpr double kMaxBackward_rad = 0.06;
/// Bends the knee about `axis` (world, unit; a positive turn bends further) so that the ankle is as far from the hip as
/// `target_m` is, or as near to that as it can, on the side on which it is; then turns the hip the shortest way.
LegTurns bend_leg(const Vec3d& hip_m, const Vec3d& knee_m, const Vec3d& ankle_m, const Vec3d& axis,
                  const Vec3d& target_m, BackwardKnee backward = BackwardKnee::stays);

}  // namespace shosa::body
