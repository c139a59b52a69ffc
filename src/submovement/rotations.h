#pragma once

#include <span>
#include <vector>

#include "search.h"
#include "shosa/submovement/decompose.h"

namespace shosa::submovement::detail {

/// The fast solver for rotations of any length (docs/methods/submovements.md, "Rotations"): the search runs on the
/// development of the rotation, where submovements add up, and every result is refitted exactly as a product of slerps.
/// Samples are unit.
RotationDecomposition search_rotations(std::span<const Quatd> samples, double step_s, const SearchParams& params);

struct SharedRotations {
  std::vector<RotationModel> models;  ///< One per joint, all with the same timings.
  std::vector<double> rms_rad;
  long evaluations = 0;
};

/// The rotations of several joints with one set of timings: the search runs on all developments at once, then each
/// joint's rotation vectors are refitted exactly. The bound holds for the root mean square over the joints of the
/// search; where turns are large and overlap the exact error can pass it.
SharedRotations decompose_shared(const std::vector<std::vector<Quatd>>& samples, double step_s,
                                 const DecomposeParams& params);

}  // namespace shosa::submovement::detail
