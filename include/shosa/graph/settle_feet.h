#pragma once

#include "shosa/core/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/core/result.h"

namespace shosa::graph {

/// Makes the feet of a captured clip stand, as far as whoever looks for contacts in the result will see them stand.
///
/// `posing::keep_feet` holds feet in the contacts of the capture and lets them go gently. For some frames they are then
/// slow enough to be taken for standing, and slide; most in runs. So contacts are found anew in the result and kept in
/// the capture, up to `max_rounds` times, while feet slide faster than `enough_mps` and that becomes less.
struct SettleFeetParams {
  double slide_mps = 0.02;   ///< Feet that slide less are left as they are; >= 0.
  double enough_mps = 0.01;  ///< >= 0.
  int max_rounds = 6;        ///< >= 1.
};
struct SettledFeet {
  Clip clip;
  double slide_before_mps = 0.0;  ///< In contacts found in the capture …
  double slide_mps = 0.0;         ///< … and in those found in the result.
  int rounds = 0;                 ///< 0: left as it was.
};
/// Fails when a rule is broken, the body map names no feet, or they slide and cannot be kept.
Result<SettledFeet> settle_feet(const Clip& clip, const BodyMap& map, const SettleFeetParams& params = {});

}  // namespace shosa::graph
