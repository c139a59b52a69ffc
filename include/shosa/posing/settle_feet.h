#pragma once

#include "shosa/analysis/studied_clip.h"

namespace shosa::posing {

/// Makes the feet of a captured clip stand, as far as whoever looks for contacts in the result will see them stand, and
/// no more hastily than they must.
///
/// `keep_feet` holds feet in the contacts of the capture and lets them go gently. For some frames they are then slow
/// enough to be taken for standing, and slide; most in runs. So contacts are found anew in the result and kept in the
/// capture, up to `max_rounds` times. The longer feet stand, the faster they and their knees move in between: so this
/// is done with stances eased at their ends (`KeepFeetParams::ease_share`), then with whole contacts, and what costs
/// least is taken, the captured clip among them:
///
///     4 max(0, slide / slide_mps - 0.6) + max(0, haste / haste_m - 1)
///
/// with haste how much farther a joint goes within 1/60 s than it ever does in the capture, or half of how much more
/// two such steps differ. The first that costs nothing ends the search.
struct SettleFeetParams {
  double slide_mps = 0.02;  ///< > 0. Clips that slide less are left as they are.
  double haste_m = 0.01;    ///< > 0.
  int max_rounds = 6;       ///< >= 1.
};
struct SettledFeet {
  Clip clip;
  double slide_before_mps = 0.0;  ///< In contacts found in the capture …
  double slide_mps = 0.0;         ///< … and in those found in the result.
  double haste_m = 0.0;
  int rounds = 0;  ///< 0: left as it was.
};
/// Fails when a rule is broken, the body map names no feet, or they slide and cannot be kept.
Result<SettledFeet> settle_feet(const analysis::StudiedClip& studied, const SettleFeetParams& params = {});

}  // namespace shosa::posing
