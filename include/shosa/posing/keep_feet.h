#pragma once

#include <vector>

#include "shosa/analysis/foot_contacts.h"
#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/core/result.h"

namespace shosa::posing {

/// Makes feet stand where they stand: no slide while in contact, no foot point below the ground.
///
/// 1. Where `ease_share` > 0 contacts lose the frames at their ends in which the captured foot is not at rest.
///    Each foot gets a path that is rigid by construction. While heel and toe stand its orientation is constant; the
///    toe joint is fixed in toe contacts, and the sole rolls over a fixed heel in heel contacts. In between, the
///    correction of the captured path has the least third differences (min jerk), and dies out in long swings. Where a
///    stance stands is part of the same least-squares problem.
/// 2. The root follows the corrections of the standing feet smoothly, and sinks where a leg would be stretched beyond
///    `reach`, or beyond what it was in the source.
/// 3. Legs are solved by `PinDragSolver`: foot position and orientation high, the hip's rotation in the source desired.
/// 4. Toe tips that would be below the ground bend up.
/// Joints outside the legs keep their rotations to the bit. Frames do not depend on each other in step 3, so all cores
/// work and the result is the same. Figures and failure cases: docs/methods/keep_feet.md
struct KeepFeetParams {
  double foot_span_s = 0.06;     ///< How far from a stance its correction reaches; > 0.
  double root_span_s = 0.20;     ///< Smoothness of the root's correction; > 0.
  double envelope_s = 0.10;      ///< How early and late the root sinks and toes bend; > 0.
  double reach = 0.995;          ///< Share of its full length to which a leg may be stretched; in (0, 1].
  double max_sink_m = 0.12;      ///< The root sinks no further than this below its path; >= 0.
  double still_mps = 0.2;        ///< A stance is shorter than its contact while the captured foot moves faster, …
  double ease_s = 0.05;          ///< … by this much at either end at most, …
  double ease_share = 0.0;       ///< … and this share of it; in [0, 0.5). 0 holds whole contacts.
  bool level = false;            ///< Stand on `FootContact::ground_m` with the tracks' rest heights, not at the height
                                 ///< the foot has.
  bool hold_orientation = true;  ///< A flat foot keeps its orientation.
  int max_steps = 30;            ///< Solver steps per frame; >= 1.
};

struct KeepFeetResult {
  Clip clip;
  double max_foot_error_m = 0.0;  ///< Largest distance of a standing foot from its plan.
  int worst_frame = 0;            ///< Where that is.
  double max_root_change_m = 0.0;
  double mean_joint_change_m = 0.0;  ///< Over all joints and frames.
  double max_joint_change_m = 0.0;
};

/// `contacts` say when feet stand and on what ground; their points must be those of the clip's skeleton. Fails when
/// there are no feet, a foot does not hang on its leg, the root cannot move, or a parameter is out of its bounds.
Result<KeepFeetResult> keep_feet(const Clip& clip, const body::BodyMap& map, const analysis::FootContacts& contacts,
                                 const KeepFeetParams& params = {});

}  // namespace shosa::posing
