#pragma once

#include <span>

#include "shosa/core/clip.h"

namespace shosa::posing {

/// `edited`, whose difference from `reference` (of the root's place and of every rotation) is as smooth as a span of
/// `span_s` makes it. Both on one skeleton with the same frames. `weights`: how firmly each frame keeps its difference,
/// > 0.
Clip smooth_change(const Clip& reference, const Clip& edited, double span_s, std::span<const double> weights);

}  // namespace shosa::posing
