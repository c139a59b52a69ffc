#pragma once

#include "shosa/analysis/studied_clip.h"
#include "shosa/feet/feet_change.h"
#include "shosa/feet/place_feet.h"

namespace shosa::feet {

/// Where two motions meet the body keeps its momentum: hips and feet of the joined motion are shifted so that the
/// centre of mass is pushed over the ground as softly as the steps allow, and falls no faster than with g.
///
/// The problem of `place_feet` with one more unknown: a shift over the ground of everything that follows. Up to
/// `held_s` nothing changes; from `settled_s` on everything has that shift. A foot that stood at `held_s` keeps its
/// place until it lifts; one that comes down and lifts again before `core_s` may stand elsewhere, so it has a shift of
/// its own; one that stands in the next core goes with the shift of all. Where a foot that keeps its place does not
/// lift within the window there is no shift. O(frames).
/// Equations, figures and failure cases: docs/methods/feet.md
struct JoinFeetParams {
  double held_s = 0.0;     ///< Time of the window; at least three frames lie before it.
  double core_s = 0.0;     ///< The core of the next motion begins; > held_s.
  double settled_s = 0.0;  ///< >= core_s.
  int max_steps = 25;      ///< >= 1.
};

struct JoinedFeet {
  FeetChange change;  ///< One entry per frame of the window, feet in the order of its contacts.
  Vec3d shift_m = Vec3d::Zero();
  solve::SolveReport report;
};

/// The scales of such a window: swings go with the body within 15 cm, hips keep their height within 3 cm, knees their
/// bend within 6 degrees.
FeetScales join_scales();

/// `window` is the joined motion around the join, with the contacts that are planned for it. Fails when the window
/// knows no feet, a foot does not hang on its leg, or a parameter is out of its bounds.
Result<JoinedFeet> join_feet(const analysis::StudiedClip& window, const JoinFeetParams& params);

}  // namespace shosa::feet
