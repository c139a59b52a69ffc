#include "posing/smooth_change.h"

#include <algorithm>

#include "posing/smooth_path.h"
#include "shosa/core/rotations.h"
#include "shosa/posing/joint_range.h"

namespace shosa::posing {

namespace {

std::vector<Vec3d> smoothed(const std::vector<Vec3d>& values, double span_frames, std::span<const double> weights) {
  std::vector<SmoothPathFrame> asked(values.size());
  for (std::size_t f = 0; f < values.size(); ++f)
    asked[f] = {.wanted = values[f], .weight = weights[f], .span_frames = span_frames};
  return smooth_path(asked);
}

}  // namespace

Clip smooth_change(const Clip& reference, const Clip& edited, double span_s, std::span<const double> weights) {
  const double span_frames = std::clamp(span_s / reference.frame_time_s(), 1.0, 40.0);
  const auto frames = static_cast<std::size_t>(reference.frame_count());
  Clip out = edited;
  std::vector<Vec3d> change(frames);

  for (const JointIndex j : edited.translated()) {
    for (std::size_t f = 0; f < frames; ++f) {
      const int frame = static_cast<int>(f);
      change[f] = (edited.translation(frame, j) - reference.translation(frame, j)).cast<double>();
    }
    if (std::ranges::all_of(change, [](const Vec3d& c) { return c.isZero(); })) continue;
    const std::vector<Vec3d> smooth = smoothed(change, span_frames, weights);
    for (std::size_t f = 0; f < frames; ++f) {
      const int frame = static_cast<int>(f);
      out.set_translation(frame, j, (reference.translation(frame, j).cast<double>() + smooth[f]).cast<float>());
    }
  }
  for (JointIndex j = 0; j < edited.joint_count(); ++j) {
    for (std::size_t f = 0; f < frames; ++f) {
      const int frame = static_cast<int>(f);
      change[f] = log_rotation(
          (reference.rotation(frame, j).cast<double>().conjugate() * edited.rotation(frame, j).cast<double>())
              .normalized());
    }
    if (std::ranges::all_of(change, [](const Vec3d& c) { return c.isZero(); })) continue;
    const std::vector<Vec3d> smooth = smoothed(change, span_frames, weights);
    for (std::size_t f = 0; f < frames; ++f) {
      const int frame = static_cast<int>(f);
      const Quatd turned = reference.rotation(frame, j).cast<double>() * exp_rotation(smooth[f]);
      out.set_rotation(frame, j, turned.normalized().cast<float>());
    }
  }
  return out;
}

}  // namespace shosa::posing
