#pragma once

#include <optional>
#include <string>

#include "blend/interval_search.h"
#include "blend/method.h"
#include "blend/weight_function.h"

namespace shosa::blend {

/// One blend interval on the common grid.
struct BlendInterval {
  Part part = Part::lower;
  BlendKind kind = BlendKind::pose_pose;
  FrameInterval frames;
  WeightFunction weight;  ///< Begins or ends inside `frames` where a pose in between survives. Not for `hold`.
  IntervalCost cost;
};

/// When and how the next motion follows the previous one. Frames of the common grid.
struct TransitionPlan {
  bool executed = false;
  std::string reason;  ///< Why not, for people; empty when executed.
  int earliest = 0;    ///< The first frame at which the next motion could be put.
  int at = 0;          ///< Where the next motion's first frame is.
  MethodChoice choice;
  JoinMethod by_contacts =
      JoinMethod::adaptation_without_step;  ///< As contacts have it, where `choice` is a bridge as well.
  BlendInterval lower;                      ///< S0
  BlendInterval upper;                      ///< S1
  std::optional<BlendInterval> hold;        ///< S2: adaptations.
  std::optional<BlendInterval> step;        ///< S3: adaptation_with_step.
  int evaluations = 0;                      ///< Diagnostic: pose pairs that the searches compared.
};

/// The previous motion as it plays: its times may differ from its clip's own where it was itself joined on.
struct PreviousMotion {
  const Motion* motion = nullptr;
  int at = 0;
  MotionTimes times;
};

/// JoinMethod, ranges (section 4.2 of the seed) and searched intervals for the next motion at frame `at`.
///
/// Nothing before frame `now` + 1 is touched (equation 17). Cores that overlap, or leave no room for one blend, are
/// refused with the reason and the earliest frame. Both motions must fit each other (`mismatch`). At most three
/// searches.
TransitionPlan plan_transition(const PreviousMotion& previous, const Motion& next, int at, int now,
                               const PlanParams& params);

/// The same with the time found (section 5 of the seed): as early as the feet allow. Moves of the same foot are laid
/// over each other; otherwise the next motion is put behind a gap, intervals are searched, and stretches in which
/// nothing is blended are taken out as far as smoothness permits.
TransitionPlan plan_transition_auto(const PreviousMotion& previous, const Motion& next, int now,
                                    const PlanParams& params);

/// Fails when a rule of `PlanParams` is broken.
Result<void> check(const PlanParams& params);

}  // namespace shosa::blend
