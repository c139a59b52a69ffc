#include "model_error.h"

#include <algorithm>
#include <cmath>

namespace shosa::submovement::detail {

namespace {

template <class Values, class Distance>
ModelError error_of(const Values& made, std::span<const typename Values::value_type> samples, Distance&& distance) {
  ModelError error;
  double sum = 0.0;
  for (std::size_t i = 0; i < made.size(); ++i) {
    const double off = distance(made[i], samples[i]);
    sum += off * off;
    error.largest = std::max(error.largest, off);
  }
  error.rms = std::sqrt(sum / static_cast<double>(made.size()));
  return error;
}

}  // namespace

ModelError model_error(const PositionModel& model, std::span<const Vec3d> samples_m, double frame_time_s) {
  return error_of(sample_positions(model, static_cast<int>(samples_m.size()), frame_time_s), samples_m,
                  [](const Vec3d& a, const Vec3d& b) { return (a - b).norm(); });
}

ModelError model_error(const RotationModel& model, std::span<const Quatd> samples, double frame_time_s) {
  return error_of(sample_rotations(model, static_cast<int>(samples.size()), frame_time_s), samples,
                  [](const Quatd& a, const Quatd& b) { return a.angularDistance(b); });
}

}  // namespace shosa::submovement::detail
