#pragma once

#include "shosa/analysis/studied_clip.h"

namespace shosa::feet {

/// Makes the feet of a captured clip stand, as far as whoever looks for contacts in the result will see them stand.
///
/// `place_feet` holds feet in the contacts of the capture and lets them go softly. For some frames they are then slow
/// enough to be taken for standing, and slide; most in runs. So contacts are found anew in the result and held in the
/// capture, until the result slides by `slide_mps` at most or `max_rounds` are over; the one that slides least is
/// taken.
struct SettleFeetParams {
  double slide_mps = 0.02;  ///< > 0. Clips that slide less are left as they are.
  int max_rounds = 4;       ///< >= 1.
};
struct SettledFeet {
  analysis::StudiedClip studied;
  double slide_before_mps = 0.0;  ///< In contacts found in the capture …
  double slide_mps = 0.0;         ///< … and in those found in the result.
  int rounds = 0;                 ///< 0: left as it was.
};
/// Fails when a rule is broken, the body map names no feet, or they slide and cannot be placed, as on moving ground.
Result<SettledFeet> settle_feet(const analysis::StudiedClip& studied, const SettleFeetParams& params = {});

}  // namespace shosa::feet
