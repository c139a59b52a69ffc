#pragma once

#include <span>

#include "search.h"
#include "shosa/submovement/model.h"

namespace shosa::submovement::detail {

/// Frames between two starts of one joint, at least: nearer ones are told apart by nobody, and not by samples in single
/// precision either.
inline constexpr double kStartGap = 4.0;

/// What ends after the last sample is seen for half its time (or one of so many `times`), or its duration is anybody's.
inline double latest_end(double t0, double last, double times = 2.0) {
  return t0 + times * (last - t0);
}

/// The shortest turn on frames, in frames, of what shakes.
inline constexpr double kShortestFrames = 4.0;

/// What trembles may be so many times the bound off: steps would be many.
inline constexpr double kNearlyGood = 1.3;

/// Puts the starts and ends of a measured rotation's submovements on frames, starts kStartGap apart, and fits the turns
/// anew (docs/methods/submovements.md, "On frames"); with `complete` others are added until the bound is met. What was
/// within the bound stays so, or the model is left as it was but for twins, and false returned.
bool put_on_frames(std::span<const Quatd> samples, double step_s, const SearchParams& params, bool complete,
                   RotationModel& model, long& evaluations);

}  // namespace shosa::submovement::detail
