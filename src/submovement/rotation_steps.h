#pragma once

#include <span>

#include "search.h"
#include "shosa/submovement/model.h"

namespace shosa::submovement::detail {

/// What no sum of overlapping turns follows, such as a joint that flips between two frames of a capture: one turn after
/// the other, each as long as the samples under it stay near. Every sample is within reach of this.
RotationModel follow_steps(std::span<const Quatd> samples, double step_s, const SearchParams& params);

}  // namespace shosa::submovement::detail
