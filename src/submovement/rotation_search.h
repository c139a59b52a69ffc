#pragma once

#include <span>

#include "search.h"
#include "shosa/submovement/decompose.h"

namespace shosa::submovement::detail {

/// The fast solver for rotations (docs/methods/submovements.md, "Rotations"): the search runs on the development of the
/// rotation, where submovements add up, and every result is refitted exactly as a product of slerps. Samples are unit.
RotationDecomposition search_rotations(std::span<const Quatd> samples, double step_s, const SearchParams& params);

/// The development: the sum of the turns from sample to sample, each in the turning frame. Row 0 is 0.
Eigen::MatrixXd develop(std::span<const Quatd> samples);

/// Refits `model` to the samples exactly, in overlapping groups; returns the squared error. `fixed_start` keeps its
/// start.
double polish_rotations(std::span<const Quatd> samples, double step_s, const SearchParams& params, int sweeps,
                        RotationModel& model, long& evaluations, const TimeInterval& where = {-1e300, 1e300});

}  // namespace shosa::submovement::detail
