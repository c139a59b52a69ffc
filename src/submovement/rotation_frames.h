#pragma once

#include <span>

#include "frames.h"
#include "search.h"
#include "shosa/submovement/model.h"

namespace shosa::submovement::detail {

/// What trembles may be so many times the bound off: steps would be many.
inline constexpr double kNearlyGood = 1.3;

/// Puts the starts and ends of a measured rotation's submovements on frames, starts `start_gap` apart, and fits the
/// turns anew (docs/methods/submovements.md, "On frames"); with `complete` others are added until the bound is met.
/// What was within the bound stays so, or the model is left as it was but for twins, and false returned.
bool put_on_frames(std::span<const Quatd> samples, double step_s, const SearchParams& params, bool complete,
                   RotationModel& model, long& evaluations);

}  // namespace shosa::submovement::detail
