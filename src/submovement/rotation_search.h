#pragma once

#include <optional>
#include <span>

#include "search.h"
#include "shosa/submovement/decompose.h"

namespace shosa::submovement::detail {

/// The fast solver for rotations (docs/methods/submovements.md, "Rotations"): the search runs on the development of the
/// rotation, where submovements add up, and every result is refitted exactly as a product of slerps. Samples are unit.
RotationDecomposition search_rotations(std::span<const Quatd> samples, double step_s, const SearchParams& params);

/// The submovements that samples were made of, as `search_rotations` would find them in fewer tries.
std::optional<RotationModel> read_back(std::span<const Quatd> samples, double step_s, const SearchParams& params,
                                       long& evaluations);

}  // namespace shosa::submovement::detail
