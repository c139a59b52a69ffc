#pragma once

#include <optional>
#include <span>

#include "search.h"
#include "shosa/submovement/model.h"

namespace shosa::submovement::detail {

/// Noise of rotations that were rounded to single precision.
inline constexpr double kRounding_rad = 3e-8;

/// Takes a product of turns that was made from submovements apart, down to the rounding of its samples
/// (docs/methods/submovements.md, "Samples without noise"). Nothing when the samples are no such product or not all of
/// it is found. `params.noise` is that of the rounding; with `params.on_frames` the submovements begin on frames.
std::optional<RotationModel> take_product_apart(std::span<const Quatd> samples, double step_s,
                                                const SearchParams& params, long& evaluations);

/// Puts starts and ends on the nearest frames if the turns explain the samples there too, down to `params.noise`.
void round_to_frames(std::span<const Quatd> samples, double step_s, const SearchParams& params, RotationModel& model,
                     long& evaluations);

}  // namespace shosa::submovement::detail
