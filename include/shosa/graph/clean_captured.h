#pragma once

#include <optional>

#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/core/result.h"

namespace shosa::graph {

/// What was done to a captured clip before it is played: samples that were captured wrongly are repaired
/// (`repair_samples`), then feet that stand are kept (`feet::settle_feet`).
struct CleanedCapture {
  int repaired = 0;               ///< Samples.
  bool kept = false;              ///< Feet were.
  double slide_before_mps = 0.0;  ///< Of feet that were kept.
  std::optional<Error> not_kept;  ///< Why they could not be; the repaired clip stays.
};
CleanedCapture clean_captured(Clip& clip, const body::BodyMap& map);

}  // namespace shosa::graph
