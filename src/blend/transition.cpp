#include "blend/transition.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "blend/interval_planner.h"

namespace shosa::blend {

namespace {

// From core to core, frames: room for the shortest blend, C0.e < S.b, S.b + length = S.e < C1.b on a grid. A shorter
// one would jump.
int least_room(const Motion& next, const PlanParams& params) {
  return frames_of(params.min_length_s, next.clip().frame_time_s()) + 2;
}
// `auto` looks at so many moves after the previous core and before the next one, per foot.
constexpr std::size_t kMovesTried = 2;
// What a frame costs that a step lacks, in frames that the next motion comes later.
constexpr int kHaste = 3;
// … and one in which a walker would stand on neither foot.
constexpr int kFloats = 2;

// From core to core, frames: what the body takes to change its velocity.
int pace_room(const PreviousMotion& previous, const Motion& next, const PlanParams& params) {
  if (!params.momentum) return 0;
  const Eigen::Vector2d change =
      next.pace_mps[next.core.begin] -
      previous.motion
          ->pace_mps[std::clamp(previous.times.core.end - previous.at, 0, previous.motion->frame_count() - 1)];
  return static_cast<int>(std::ceil(kPeak * change.norm() / kPush_mps2 / next.clip().frame_time_s()));
}

// What was played cannot change: the core of the previous motion reaches at least to now.
PreviousMotion played_until(const PreviousMotion& previous, int now) {
  PreviousMotion played = previous;
  played.times.core.end = std::max(played.times.core.end, now);
  return played;
}

TransitionPlan plan_at(const PreviousMotion& previous, const Motion& next, int at, const PlanParams& params,
                       bool smooth_upper = true) {
  const double dt = next.clip().frame_time_s();
  const int room = at + next.core.begin - previous.times.core.end, least = least_room(next, params);
  if (room < least) {
    TransitionPlan refused;
    refused.at = at;
    refused.earliest = at + least - room;
    refused.reason =
        fmt::format("its core would begin at {:.3f} s, but what must survive before it lasts until {:.3f} s{}",
                    (at + next.core.begin) * dt, previous.times.core.end * dt,
                    room >= 0 ? fmt::format(", and a blend between them takes {:.3f} s", least * dt) : "");
    return refused;
  }
  TransitionPlan plan = plan_intervals(previous, next, at, params, smooth_upper);
  plan.earliest = at - (room - least);
  return plan;
}

// Frames of a connection in which neither foot would stand: the next motion lifts the one that carries the body before
// the other one has landed, though the previous motion would not.
int floating(const PreviousMotion& previous, const Motion& next, const TransitionPlan& plan) {
  if (plan.choice.method != JoinMethod::connection || next.feet.size() != 2) return 0;
  const auto other = static_cast<std::size_t>(1 - plan.choice.foot);
  const auto stands = [](const FootTimes& foot, int frame) {
    return std::ranges::find_if(foot.standing, [&](const FrameInterval& s) { return s.contains(frame); });
  };
  const FootTimes &ours = previous.times.feet[other], &theirs = next.feet[other];
  const FrameInterval& move = plan.choice.previous_move;
  if (const auto carries = stands(ours, move.begin); carries == ours.standing.end() || carries->end < move.end)
    return 0;
  const int begin = std::max(plan.lower.frames.begin - plan.at, 0), end = plan.lower.frames.end - plan.at;
  const auto stance = stands(theirs, begin);
  return std::max(0, end - (stance == theirs.standing.end() ? begin : stance->end));
}

// What a plan costs, its length from core to core included, what a step lacks of the time of its move, and the time in
// which nobody would stand.
double total_cost(const PreviousMotion& previous, const Motion& next, const TransitionPlan& plan,
                  const PlanParams& params) {
  int frames = plan.at + next.core.begin - previous.times.core.end;
  if (plan.step) {
    const FootTimes& foot = next.feet[plan.choice.foot];
    const int whole = whole_move(foot, plan.choice.next_move.shifted(-plan.at)).length();
    frames += kHaste * std::max(0, whole - plan.step->frames.length());
  }
  frames += kFloats * floating(previous, next, plan);
  return plan.lower.cost.total + plan.upper.cost.total +
         cost_weights(params.smoothness).time * frames * next.clip().frame_time_s();
}

// The longest move that a clip shows from lift to landing; 0 when there is none.
int whole_length(const FootTimes& foot, int first, int last) {
  int length = 0;
  for (const FrameInterval& move : foot.moving) {
    if (move.begin > first && move.end < last) length = std::max(length, move.length());
  }
  return length;
}

// Lays the moves of one foot over each other: their middles, or the ends that both clips have.
int aligned_at(const MotionTimes& previous, const Motion& next, std::size_t foot, const FrameInterval& p0,
               const FrameInterval& p1) {
  const bool no_lift = p1.begin <= 0, no_landing = p0.end >= previous.end;
  if (no_lift && no_landing) {
    const int seen = std::max(whole_length(previous.feet[foot], previous.begin, previous.end),
                              whole_length(next.feet[foot], 0, next.frame_count() - 1));
    return p0.begin + std::max({seen, p0.length(), p1.length()}) - p1.end;
  }
  if (no_lift) return p0.end - p1.end;
  if (no_landing) return p0.begin - p1.begin;
  return (p0.begin + p0.end - p1.begin - p1.end) / 2;
}

// Frames of the next motion's begin that lay a move of a foot before its core over one of the previous motion's.
std::vector<int> transition_candidates(const MotionTimes& previous, const Motion& next, int min_move, int least) {
  std::vector<int> candidates;
  for (std::size_t k = 0; k < std::min(previous.feet.size(), next.feet.size()); ++k) {
    auto ours = moves_after(previous.feet[k], previous.core.end, min_move);
    auto theirs = moves_before(next.feet[k], next.core.begin, min_move);
    if (ours.size() > kMovesTried) ours.resize(kMovesTried);
    if (theirs.size() > kMovesTried) theirs.erase(theirs.begin(), theirs.end() - kMovesTried);
    for (const FrameInterval& p0 : ours) {
      for (const FrameInterval& p1 : theirs) {
        const int at = aligned_at(previous, next, k, whole_move(previous.feet[k], p0), whole_move(next.feet[k], p1));
        const int room = at + next.core.begin - previous.core.end;
        if (room >= min_move) candidates.push_back(at + std::max(0, least - room));
      }
    }
  }
  return candidates;
}

}  // namespace

std::string_view part_name(Part part) {
  return part == Part::upper ? "upper" : "lower";
}

std::string_view kind_name(BlendKind kind) {
  switch (kind) {
    case BlendKind::pose_pose:
      return "pose_pose";
    case BlendKind::motion_motion:
      return "motion_motion";
    case BlendKind::motion_pose:
      return "motion_pose";
    case BlendKind::pose_motion:
      return "pose_motion";
    case BlendKind::hold:
      return "hold";
  }
  return "";
}

Result<void> check(const PlanParams& params) {
  if (!(params.smoothness >= 0.0 && params.smoothness <= 1.0)) {
    return fail(ErrorCode::invalid_argument, "smoothness {}, expected 0 (fast) to 1 (smooth)", params.smoothness);
  }
  if (!(params.min_length_s > 0.0) || !(params.max_length_s >= params.min_length_s) || !(params.min_move_s > 0.0) ||
      !(params.gap_s > 0.0)) {
    return fail(ErrorCode::invalid_argument,
                "blend lengths of {} to {} s, moves of {} s and a gap of {} s, expected positive ones in order",
                params.min_length_s, params.max_length_s, params.min_move_s, params.gap_s);
  }
  return {};
}

TransitionPlan plan_transition(const PreviousMotion& previous, const Motion& next, int at, int now,
                               const PlanParams& params) {
  return plan_at(played_until(previous, now), next, at, params);
}

namespace {

// The time is compared with the shortest blends that there are.
TransitionPlan find_time(const PreviousMotion& played, const Motion& next, const PlanParams& params) {
  const double dt = next.clip().frame_time_s();
  const int min_move = frames_of(params.min_move_s, dt);
  const int core_end = played.times.core.end;

  // A transition where there is one: the cheapest.
  TransitionPlan best;
  double least = std::numeric_limits<double>::infinity();
  int evaluations = 0;
  const int least_at = core_end + std::max(least_room(next, params), pace_room(played, next, params)) - next.core.begin;
  // Where there is time for it, the next motion begins before the previous one has run out.
  const int latest_at = std::max(played.times.end, least_at);
  for (const int at : transition_candidates(played.times, next, min_move, least_room(next, params))) {
    if (at > latest_at || at < least_at) continue;
    TransitionPlan plan = plan_at(played, next, at, params, false);
    evaluations += plan.evaluations;
    if (!plan.executed || plan.choice.method != JoinMethod::transition) continue;
    const double cost = total_cost(played, next, plan, params);
    if (cost < least) {
      least = cost;
      best = std::move(plan);
    }
  }
  if (best.executed) {
    best.evaluations = evaluations;
    return best;
  }

  // Otherwise behind a gap after the move that is to be used, or after the core, and then closer.
  const int gap = frames_of(params.gap_s, dt);
  int move_end = core_end;
  for (const FootTimes& foot : played.times.feet) {
    const auto moves = moves_after(foot, core_end, min_move);
    if (!moves.empty() && (move_end == core_end || moves.front().end < move_end)) move_end = moves.front().end;
  }
  const int provisional = std::clamp(move_end + gap - next.core.begin, least_at, latest_at);
  best = plan_at(played, next, provisional, params, false);
  if (!best.executed) return best;
  least = total_cost(played, next, best, params);
  const int first_at = best.at;
  const int unblended = best.at + next.core.begin - 1 - std::max(best.lower.frames.end, best.upper.frames.end);
  evaluations += best.evaluations;
  const auto consider = [&](int at) {
    if (at < least_at) return;
    TransitionPlan other = plan_at(played, next, at, params, false);
    evaluations += other.evaluations;
    if (!other.executed) return;
    const double cost = total_cost(played, next, other, params);
    if (cost >= least) return;
    least = cost;
    best = std::move(other);
  };
  for (const int share : {1, 2, 3, 4}) {
    if (unblended > 0) consider(first_at - unblended * share / 4);
  }
  // A stance is left in a whole step, where the next motion takes one before its core.
  if (move_end == core_end) {
    for (const FootTimes& foot : next.feet) {
      const auto moves = moves_before(foot, next.core.begin, min_move);
      if (moves.empty() || moves.back().begin <= 0) continue;
      if (const int at = core_end + gap / 2 - moves.back().begin; at <= latest_at) consider(at);
    }
  }
  best.evaluations = evaluations;
  return best;
}

}  // namespace

TransitionPlan plan_transition_auto(const PreviousMotion& previous, const Motion& next, int now,
                                    const PlanParams& params) {
  const PreviousMotion played = played_until(previous, now);
  const TransitionPlan timed = find_time(played, next, params);
  if (!timed.executed) return timed;
  TransitionPlan plan = plan_at(played, next, timed.at, params);
  plan.evaluations += timed.evaluations;
  return plan;
}

}  // namespace shosa::blend
