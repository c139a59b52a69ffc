#pragma once

#include <span>

#include "rotation_regions.h"
#include "search.h"
#include "shosa/submovement/decompose.h"

namespace shosa::submovement::detail {

/// What follows a recording, or a region of it.
struct Followed {
  RotationDecomposition result;
  bool within = true;    ///< The bound is met, or nearly so where a joint trembles, …
  Region failed = {};    ///< … or not here, …
  bool too_far = false;  ///< … because it turns by more than a submovement may.
  bool settled = false;  ///< The times are as good as they need be: on frames, or everything is explained.
  bool sure = false;     ///< And in samples made from them they are found again.
};

/// Stretch after stretch, each from what the ones before leave. No more than `few` are settled
/// without frames.
Followed follow_in_stretches(std::span<const Quatd> samples, double step_s, const SearchParams& params,
                             std::size_t few);

}  // namespace shosa::submovement::detail
