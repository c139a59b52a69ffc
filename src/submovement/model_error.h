#pragma once

#include <span>

#include "shosa/submovement/model.h"

namespace shosa::submovement::detail {

/// How far a model is from its samples: metres, or radians of the angle.
struct ModelError {
  double rms = 0.0;
  double largest = 0.0;
};
ModelError model_error(const PositionModel& model, std::span<const Vec3d> samples_m, double frame_time_s);
ModelError model_error(const RotationModel& model, std::span<const Quatd> samples, double frame_time_s);

}  // namespace shosa::submovement::detail
