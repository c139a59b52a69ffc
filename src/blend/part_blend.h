#pragma once

#include <cmath>
#include <vector>

#include "blend/rig.h"
#include "blend/transition.h"

namespace shosa::blend {

/// How far something coasts that leaves with speed 1 and must be back within `span` frames: s (1 - s / span)^2.
inline double coast(double s, double span) {
  if (!(s > 0.0) || s >= span) return 0.0;
  const double rest = 1.0 - s / span;
  return s * rest * rest;
}

/// How far something gets that begins to accelerate with 1 and must be back within `span` frames: s^2 (1 - s/span)^3
/// / 2.
inline double surge(double s, double span) {
  if (!(s > 0.0) || s >= span) return 0.0;
  const double rest = 1.0 - s / span;
  return 0.5 * s * s * rest * rest * rest;
}

/// A blend of joint rotations over one interval that is C1 in every joint.
///
/// q(t) = slerp(A, B, w(t)) exp(r0 c(t - t0) - r1 c(t1 - t)). A and B are poses or playing motions; r0 and r1 are the
/// angular velocities (joint's frame, radians per frame) that the sources have at the interval's ends and the weighted
/// mean alone would lack, and c is `coast`.
struct PartBlend {
  BlendInterval interval;
  double span = 1.0;     ///< Of `coast`, frames.
  Pose a, b;             ///< Where that side is a pose.
  bool a_moves = false;  ///< Otherwise `a` is the pose.
  bool b_moves = false;
  std::vector<JointIndex> joints;
  std::vector<Quatf> between;  ///< A^-1 B halfway: the way round that is taken throughout, per entry of `joints`.
  std::vector<Vec3f> leave;    ///< r0 per entry of `joints`.
  std::vector<Vec3f> arrive;   ///< r1

  double begin() const { return interval.frames.begin; }
  double end() const { return interval.frames.end; }
  double leave_share(double frame) const { return coast(frame - begin(), span); }
  double arrive_share(double frame) const { return coast(end() - frame, span); }
  /// Writes the joints of this part; `previous` and `next` are the playing motions at `frame`, already placed.
  void apply(double frame, const Pose& previous, const Pose& next, Pose& out) const;
};

/// Turn per frame from one pose to another `frames` later, in the joint's frame.
inline Vec3f turn_rate(const Quatf& from, const Quatf& to, float frames) {
  Quatf step = from.conjugate() * to;
  if (step.w() < 0.0f) step.coeffs() = -step.coeffs();
  const float sine = step.vec().norm();
  const float angle_per_sine = sine > 1e-4f ? 2.0f * std::atan2(sine, step.w()) / sine : 2.0f;
  return step.vec() * (angle_per_sine / frames);
}

}  // namespace shosa::blend
