#pragma once

#include "rotation_follow.h"

namespace shosa::submovement::detail {

/// Follows a region that holds no jumps, on frames, with shorter turns where it shakes, and in other ways where what
/// follows it is not found again and the region is about as long as a stride.
Followed follow_smoothly(std::span<const Quatd> samples, double step_s, const SearchParams& params, std::size_t few);

}  // namespace shosa::submovement::detail
