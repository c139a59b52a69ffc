#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shosa/analysis/given_contacts.h"
#include "shosa/core/note.h"
#include "shosa/feet/repair_samples.h"

namespace shosa::feet {

/// A captured clip as methods that need standing feet want it.
///
/// 1. Broken first and last frames are played as their neighbours (`repair_ends`).
/// 2. Samples that were captured wrongly are interpolated (`repair_samples`).
/// 3. Feet that stand are kept where they stand (`settle_feet`).
/// A clip in which nothing is wrong keeps its bits and is studied once. An added T-pose is the reader's business
/// (`io::ReadOptions::drop_tpose`).
struct CleanedCapture {
  analysis::StudiedClip studied;
  std::vector<BrokenEnd> ends;    ///< That were replaced.
  int repaired = 0;               ///< Samples.
  bool kept = false;              ///< Feet were.
  double slide_before_mps = 0.0;  ///< Of feet that were kept.
  std::optional<Error> not_kept;  ///< Why they could not be; the rest is done all the same.

  /// What was done, and what could not be, for people. Empty: nothing.
  Notes notes() const;
};
/// With `given` contacts (checked) the feet are kept in these, and the result is studied with them.
CleanedCapture clean_captured(Clip clip, const body::BodyMap& map, const analysis::GivenContacts& given = {});

}  // namespace shosa::feet
