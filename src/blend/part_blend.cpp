#include "blend/part_blend.h"

#include <algorithm>

namespace shosa::blend {

namespace {

Quatf small_turn(const Vec3f& rotation) {
  const float angle = rotation.norm();
  if (angle < 1e-6f) return Quatf(1.0f, 0.5f * rotation.x(), 0.5f * rotation.y(), 0.5f * rotation.z()).normalized();
  const float s = std::sin(0.5f * angle) / angle;
  return Quatf(std::cos(0.5f * angle), s * rotation.x(), s * rotation.y(), s * rotation.z());
}

// The weight with which a normalised linear mean of two quaternions comes as far as slerp does with `weight`, for
// d = |p . q|. Fitted by A. Kapoulkine ("Approximating slerp", 2015): within 1 mrad up to half a turn. The plain mean
// rushes through the middle of large turns.
float slerp_weight(float weight, float d) {
  const float a = 1.0904f + d * (-3.2452f + d * (3.55645f - d * 1.43519f));
  const float b = 0.848013f + d * (-1.06021f + d * 0.215638f);
  const float half = weight - 0.5f;
  return weight + weight * half * (weight - 1.0f) * (a * half * half + b);
}

}  // namespace

void PartBlend::apply(double frame, const Pose& previous, const Pose& next, Pose& out) const {
  if (frame >= end()) {
    for (const JointIndex j : joints) {
      out.set_rotation(j, next.rotation(j));
      out.set_translation(j, next.translation(j));
    }
    return;
  }
  const Pose& from = frame <= begin() || a_moves ? previous : a;
  const Pose& to = b_moves ? next : b;
  const auto weight = static_cast<float>(interval.weight.at(frame));
  if (frame <= begin()) {
    for (const JointIndex j : joints) {
      out.set_rotation(j, from.rotation(j));
      out.set_translation(j, from.translation(j));
    }
    return;
  }
  const auto leaving = static_cast<float>(leave_share(frame)), arriving = static_cast<float>(arrive_share(frame));
  const bool residual = leaving != 0.0f || arriving != 0.0f;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointIndex j = joints[i];
    const Quatf p = from.rotation(j);
    Quatf q = to.rotation(j);
    if (q.dot(p * between[i]) < 0.0f) q.coeffs() = -q.coeffs();
    const float d = p.dot(q);
    Quatf mean;
    mean.coeffs() = p.coeffs() + (q.coeffs() - p.coeffs()) * slerp_weight(weight, std::max(d, 0.0f));
    if (residual) mean = mean * small_turn(leave[i] * leaving - arrive[i] * arriving);
    out.set_rotation(j, mean.normalized());
    const Vec3f shift = from.translation(j);
    out.set_translation(j, shift + (to.translation(j) - shift) * weight);
  }
}

}  // namespace shosa::blend
