#include "shosa/segment/curve_clip.h"

#include <algorithm>
#include <cmath>

#include "shosa/core/clip_edit.h"
#include "shosa/core/rotations.h"

namespace shosa::segment {

namespace {

std::uint32_t read_bits(const std::vector<std::uint32_t>& packed, std::size_t bit, int bits) {
  const std::size_t word = bit / 32, shift = bit % 32;
  std::uint64_t two = packed[word];
  if (word + 1 < packed.size()) two |= static_cast<std::uint64_t>(packed[word + 1]) << 32;
  return static_cast<std::uint32_t>(two >> shift) & ((1u << bits) - 1u);
}

}  // namespace

// The cubic B-spline over four neighbouring control points; point 0 stands one spacing before frame 0.
void CurveClip::evaluate(const Curve& curve, double frame, double* out) {
  const double u = 4.0 * frame / curve.spacing;
  const int cell = std::clamp(static_cast<int>(u), 0, curve.points - 4);
  const double x = std::clamp(u - cell, 0.0, 1.0), y = 1.0 - x;
  const double weights[4] = {y * y * y / 6.0, (3.0 * x * x * x - 6.0 * x * x + 4.0) / 6.0,
                             (3.0 * y * y * y - 6.0 * y * y + 4.0) / 6.0, x * x * x / 6.0};
  const auto stride = static_cast<std::size_t>(curve.point_bits());
  std::size_t at = static_cast<std::size_t>(cell) * stride;
  for (int p = 0; p < curve.parts(); ++p) {
    double sum = 0.0;
    if (curve.bits[p] > 0) {
      for (std::size_t k = 0; k < 4; ++k) sum += weights[k] * read_bits(curve.packed, at + k * stride, curve.bits[p]);
    }
    out[p] = static_cast<double>(curve.low[p]) + static_cast<double>(curve.step[p]) * sum;
    at += static_cast<std::size_t>(curve.bits[p]);
  }
}

Quatf CurveClip::rotation(const Curve& curve, double frame) {
  if (curve.kind == Kind::constant) return curve.middle;
  double v[4];
  evaluate(curve, frame, v);
  if (curve.kind == Kind::quaternion) {
    const Quatd q(v[3], v[0], v[1], v[2]);
    return q.norm() > 1e-6 ? q.normalized().cast<float>() : Quatf::Identity();
  }
  return (curve.middle.cast<double>() * exp_rotation({v[0], v[1], v[2]})).normalized().cast<float>();
}

Vec3f CurveClip::translation(const Curve& curve, double frame) {
  if (curve.kind == Kind::constant) return {curve.low[0], curve.low[1], curve.low[2]};
  double v[4];
  evaluate(curve, frame, v);
  return Vec3d(v[0], v[1], v[2]).cast<float>();
}

void CurveClip::sample(double frame, Pose& pose) const {
  if (pose.joint_count() != skeleton_->joint_count()) pose = Pose::rest(*skeleton_);
  frame = std::isfinite(frame) ? std::clamp(frame, 0.0, static_cast<double>(frame_count_ - 1)) : 0.0;
  for (JointIndex j = 0; j < skeleton_->joint_count(); ++j) {
    pose.set_rotation(j, rotation(rotations_[j], frame));
    pose.set_translation(j, skeleton_->joint(j).rest_translation_m);
  }
  for (std::size_t t = 0; t < translated_.size(); ++t)
    pose.set_translation(translated_[t], translation(translations_[t], frame));
}

Result<Clip> CurveClip::decode(int first, int last) const {
  if (first < 0 || last < first || last >= frame_count_) {
    return fail(ErrorCode::invalid_argument, "frames {} to {} of {}", first, last, frame_count_);
  }
  const auto joints = static_cast<std::size_t>(skeleton_->joint_count());
  if (static_cast<std::size_t>(last - first + 1) > kMaxSampleBytes / (16 * joints + 64)) {
    return fail(ErrorCode::not_possible, "{} frames of {} joints need more than {} bytes", last - first + 1, joints,
                kMaxSampleBytes);
  }
  Clip clip(skeleton_, last - first + 1, frame_time_s_, translated_);
  clip.set_name(name_);
  Pose pose;
  for (int f = first; f <= last; ++f) {
    sample(f, pose);
    clip.set_frame(f - first, pose);
  }
  return clip;
}

Result<Clip> CurveClip::decode() const {
  return decode(0, frame_count_ - 1);
}

std::size_t CurveClip::curve_bytes() const {
  std::size_t bytes = 0;
  for (const auto* list : {&rotations_, &translations_}) {
    for (const Curve& curve : *list) {
      bytes += 3 + (list == &rotations_ && curve.kind != Kind::quaternion ? 16 : 0);
      if (curve.kind == Kind::constant) {
        bytes += list == &translations_ ? 12 : 0;
      } else {
        bytes += 9 * static_cast<std::size_t>(curve.parts()) + curve.packed_bytes();
      }
    }
  }
  return bytes;
}

}  // namespace shosa::segment
