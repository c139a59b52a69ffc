#pragma once

#include <optional>
#include <string>

#include "shosa/blend/interval_search.h"
#include "shosa/blend/method.h"
#include "shosa/blend/weight_function.h"

namespace shosa::blend {

enum class Part {
  upper,
  lower
};
enum class BlendKind {
  pose_pose,
  motion_motion,
  motion_pose,
  pose_motion,
  hold
};
std::string_view part_name(Part part);
std::string_view kind_name(BlendKind kind);

/// One blend interval on the common grid.
struct BlendInterval {
  Part part = Part::lower;
  BlendKind kind = BlendKind::pose_pose;
  FrameInterval frames;
  WeightFunction weight;  ///< Begins or ends inside `frames` where a pose in between survives. Not for `hold`.
  IntervalCost cost;
};

struct PlanParams {
  double smoothness = 0.5;     ///< The knob W, in [0, 1].
  double min_length_s = 0.10;  ///< Blend intervals are no shorter where there is room, and cores that leave less for
                               ///< one are refused; > 0.
  double max_length_s = 1.0;   ///< And no longer; >= min_length_s. Keeps the search within a frame's budget.
  double min_move_s = 0.10;    ///< A foot cannot move and land in less; > 0.
  double gap_s = 0.6;          ///< `auto`: room that is offered between the cores at first; > 0.
  bool bridge = true;  ///< Motions with a gap between them, or that keep their places, are bridged. Off: joined by
                       ///< their feet, as the rest.
  bool search = true;  ///< Off: intervals as the constraints have them (Smart Motion Synthesis), linear weights.
};

/// When and how the next motion follows the previous one. Frames of the common grid.
struct TransitionPlan {
  bool executed = false;
  std::string reason;  ///< Why not, for people; empty when executed.
  int earliest = 0;    ///< The first frame at which the next motion could be put.
  int at = 0;          ///< Where the next motion's first frame is.
  MethodChoice choice;
  Method by_contacts = Method::adaptation_without_step;  ///< As contacts have it, where `choice` is a bridge as well.
  BlendInterval lower;                                   ///< S0
  BlendInterval upper;                                   ///< S1
  std::optional<BlendInterval> hold;                     ///< S2: adaptations.
  std::optional<BlendInterval> step;                     ///< S3: adaptation_with_step.
  int evaluations = 0;                                   ///< Diagnostic: pose pairs that the searches compared.
};

/// The previous motion as it plays: its times may differ from its clip's own where it was itself joined on.
struct PreviousMotion {
  const Motion* motion = nullptr;
  int at = 0;
  MotionTimes times;
};

/// Method, ranges (section 4.2 of the seed) and searched intervals for the next motion at frame `at`.
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
