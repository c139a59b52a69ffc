#pragma once

#include <span>

#include "search.h"
#include "shosa/submovement/decompose.h"

namespace shosa::submovement::detail {

/// Turns on frames that keep within the bound (docs/methods/submovements.md, "Rotations"); a few that explain
/// everything, or no more than `few`, keep the times that were found. What would not be found again is followed by
/// relays and steps. Samples are unit.
RotationDecomposition bound_rotations(std::span<const Quatd> samples, double step_s, const SearchParams& params,
                                      std::size_t few);

}  // namespace shosa::submovement::detail
