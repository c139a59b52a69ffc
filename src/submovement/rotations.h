#pragma once

#include <span>

#include "search.h"
#include "shosa/submovement/decompose.h"

namespace shosa::submovement::detail {

/// The fast solver for rotations of any length (docs/methods/submovements.md, "Rotations"): the search runs on the
/// development of the rotation, where submovements add up, and every result is refitted exactly as a product of slerps.
/// Samples are unit.
RotationDecomposition search_rotations(std::span<const Quatd> samples, double step_s, const SearchParams& params);

}  // namespace shosa::submovement::detail
