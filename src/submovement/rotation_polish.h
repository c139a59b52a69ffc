#pragma once

#include <span>

#include "search.h"
#include "shosa/submovement/model.h"

namespace shosa::submovement::detail {

/// The most factors of a product that are fitted at once.
inline constexpr int kGroup = 6;

/// The development: the sum of the turns from sample to sample, each in the turning frame. Row 0 is 0.
Eigen::MatrixXd develop(std::span<const Quatd> samples);

/// Sum over the samples of the squared angle to the model.
double rotation_error(std::span<const Quatd> samples, double step_s, const RotationModel& model);

/// Refits factors [first, last) of `model` to the samples they touch; false when that lowers nothing.
bool polish_group(std::span<const Quatd> samples, double step_s, const SearchParams& params, int first, int last,
                  RotationModel& model, long& evaluations);

/// Refits `model` to the samples exactly, in overlapping groups; returns the squared error. `fixed_start` keeps its
/// start.
double polish_rotations(std::span<const Quatd> samples, double step_s, const SearchParams& params, int sweeps,
                        RotationModel& model, long& evaluations, const TimeInterval& where = {-1e300, 1e300});

}  // namespace shosa::submovement::detail
