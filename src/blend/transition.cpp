#include "shosa/blend/transition.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shosa::blending {

namespace {

// e of equation 14.
constexpr double kVelocityStep_s = 1.0 / 60.0;
// C0.e < S.b < S.e < C1.b on a grid.
constexpr int kLeastRoom = 3;
// S3 is no shorter where the foot moves for twice as long.
constexpr double kLeastStep_s = 0.25;
// `auto` looks at so many moves after the previous core and before the next one, per foot.
constexpr std::size_t kMovesTried = 2;

int frames_of(double time_s, double frame_time_s) {
  return std::max(1, static_cast<int>(std::lround(time_s / frame_time_s)));
}

// Both ranges within `wish`, where that leaves room for an interval.
void narrow(FrameInterval& begins, FrameInterval& ends, const FrameInterval& wish, int min_length) {
  const FrameInterval b{std::max(begins.begin, wish.begin), std::min(begins.end, wish.end)};
  const FrameInterval e{std::max(ends.begin, wish.begin), std::min(ends.end, wish.end)};
  if (b.length() < 0 || e.length() < 0 || e.end - b.begin < min_length) return;
  begins = b;
  ends = e;
}

FrameInterval narrowed(const FrameInterval& range, const FrameInterval& wish) {
  const FrameInterval both{std::max(range.begin, wish.begin), std::min(range.end, wish.end)};
  return both.length() >= 0 ? both : range;
}

// Everything that the searches of one pair share.
class Planner {
 public:
  Planner(const PreviousMotion& previous, const Motion& next, int at, const PlanParams& params)
      : previous_(previous),
        next_(next),
        params_(params),
        at_(at),
        times_(times_at(next, at)),
        frame_time_s_(next.clip.frame_time_s()),
        min_length_(frames_of(params.min_length_s, frame_time_s_)),
        max_length_(std::max(min_length_, frames_of(params.max_length_s, frame_time_s_))),
        weights_(cost_weights(params.smoothness)) {}

  TransitionPlan plan() {
    TransitionPlan plan;
    plan.at = at_;
    plan.executed = true;
    plan.choice = choose_method(previous_.times, times_, frames_of(params_.min_move_s, frame_time_s_));
    switch (plan.choice.method) {
      case Method::transition:
        plan_transition(plan);
        break;
      case Method::connection:
        plan_connection(plan);
        break;
      case Method::adaptation_with_step:
      case Method::adaptation_without_step:
        plan_adaptation(plan);
        break;
    }
    plan.evaluations = evaluations_;
    return plan;
  }

 private:
  int core0_end() const { return previous_.times.core.end; }
  int core1_begin() const { return times_.core.begin; }

  // The best interval of the ranges; where they leave no room, the largest that there is.
  BlendInterval find(Part part, BlendKind kind, FrameInterval begins, FrameInterval ends,
                     std::optional<double> moving_length, const FrameInterval& fixed,
                     std::optional<int> held = std::nullopt) {
    BlendInterval interval{.part = part, .kind = kind};
    const PartTrack Motion::*track = part == Part::upper ? &Motion::upper : &Motion::lower;
    IntervalProblem problem{.previous = {&(previous_.motion->*track), previous_.at},
                            .next = {&(next_.*track), at_},
                            .begins = begins,
                            .ends = ends,
                            .min_length = min_length_,
                            .max_length = max_length_,
                            .moving_length = moving_length,
                            .step = frames_of(kVelocityStep_s, frame_time_s_),
                            .frame_time_s = frame_time_s_,
                            .weights = weights_};
    problem.previous.held = held;
    if (!params_.search) {
      interval.frames = fixed;
      interval.cost = interval_cost(problem, fixed.begin, fixed.end);
      interval.weight = {static_cast<double>(fixed.begin), static_cast<double>(fixed.end), 1.0, 1.0};
      return interval;
    }
    IntervalChoice choice = search_interval(problem);
    if (!choice.found) {
      problem.min_length = 1;
      problem.max_length = 1 << 29;
      choice = search_interval(problem);
    }
    evaluations_ += choice.evaluations;
    if (!choice.found) {
      choice.frames = {begins.begin, std::max(begins.begin + 1, ends.end)};
      choice.cost = interval_cost(problem, choice.frames.begin, choice.frames.end);
    }
    interval.frames = choice.frames;
    interval.cost = choice.cost;
    interval.weight = pose_weight(interval.frames.begin, interval.frames.end, interval.frames.length() * frame_time_s_,
                                  choice.cost.distance_m, choice.cost.speed_begin_mps, choice.cost.speed_end_mps);
    return interval;
  }

  // Section 4.4.2: a blend of a playing motion with a pose.
  void shape_moving_weight(BlendInterval& interval, MovingSide moving) {
    if (!params_.search) return;
    std::vector<double> distances;
    const int fixed = moving == MovingSide::previous ? interval.frames.end : interval.frames.begin;
    const bool previous_moves = moving == MovingSide::previous;
    for (int f = interval.frames.begin; f <= interval.frames.end; ++f) {
      distances.push_back(PartTrack::distance(next_.lower, fixed - at_,
                                              previous_moves ? previous_.motion->lower : next_.lower,
                                              f - (previous_moves ? previous_.at : at_)));
    }
    const MovingWeight shape = moving_weight(distances, moving);
    if (shape.peak >= 0) {
      double& edge = previous_moves ? interval.weight.begin : interval.weight.end;
      edge = interval.frames.begin + shape.peak;
      (previous_moves ? interval.weight.slope_begin : interval.weight.slope_end) = 0.0;
    } else if (shape.use_pose_pose) {
      interval.kind = BlendKind::pose_pose;
    }
  }

  // Arms that go on running over legs that stand already look wrong: the upper body begins before the lower is done.
  FrameInterval upper_begins(const FrameInterval& range, const TransitionPlan& plan) const {
    return narrowed(range, {range.begin, std::min(previous_.times.end, plan.lower.frames.end)});
  }

  // Equations 1 and 2.
  void plan_transition(TransitionPlan& plan) {
    const FrameInterval &p0 = plan.choice.previous_move, &p1 = plan.choice.next_move;
    const FrameInterval begins{core0_end() + 1, std::min(p1.end, core1_begin()) - 1};
    const FrameInterval ends{p0.begin + 1, core1_begin() - 1};
    const FrameInterval both{std::max(p0.begin, p1.begin), std::min(p0.end, p1.end)};
    const FrameInterval both_play{times_.begin, previous_.times.end};
    const double mean_length = 0.5 * (p0.length() + p1.length());
    FrameInterval lower_begins = begins, lower_ends = ends;
    narrow(lower_begins, lower_ends, both_play, min_length_);
    plan.lower = find(Part::lower, BlendKind::motion_motion, lower_begins, lower_ends, mean_length, both);
    plan.upper = find(Part::upper, BlendKind::pose_pose, upper_begins(begins, plan),
                      narrowed(ends, {times_.begin, ends.end}), std::nullopt, both);
  }

  // Equations 3 and 4.
  void plan_connection(TransitionPlan& plan) {
    const FrameInterval& p0 = plan.choice.previous_move;
    FrameInterval ends = narrowed({p0.begin + 1, core1_begin() - 1}, {times_.begin, core1_begin() - 1});
    // The foot lands where the next motion stands, as near its core as that is.
    const FootTimes& foot = times_.feet[static_cast<std::size_t>(plan.choice.foot)];
    FrameInterval landings = ends;
    for (const FrameInterval& stance : foot.standing) {
      const FrameInterval overlap{std::max(stance.begin, ends.begin), std::min(stance.end, ends.end)};
      if (overlap.length() >= 0 && overlap.end - p0.begin >= min_length_) landings = overlap;
    }
    const FrameInterval fixed{p0.begin, std::clamp(p0.end, p0.begin + 1, core1_begin() - 1)};
    plan.lower = find(Part::lower, BlendKind::motion_pose, {p0.begin, p0.begin}, landings, p0.length(), fixed);
    shape_moving_weight(plan.lower, MovingSide::previous);
    const FrameInterval begins{p0.begin + 1, core1_begin() - 2};
    plan.upper = find(Part::upper, BlendKind::pose_pose, upper_begins(begins, plan), ends, std::nullopt, fixed);
  }

  // The first stretch of a range in which every foot of the next motion stands, but for the one that will step: feet
  // can be kept only in a pose that stands. The whole range where there is none.
  FrameInterval standing_block(const FrameInterval& range, int but) const {
    FrameInterval block{0, -1};
    for (int f = std::min(range.begin + min_length_ - 1, range.end); f <= range.end; ++f) {
      bool all_stand = true;
      for (std::size_t k = 0; k < times_.feet.size(); ++k) {
        const auto& stances = times_.feet[k].standing;
        all_stand = all_stand && (static_cast<int>(k) == but ||
                                  std::ranges::any_of(stances, [&](const FrameInterval& s) { return s.contains(f); }));
      }
      if (all_stand && block.length() < 0) block = {f, f};
      if (all_stand) block.end = f;
      if (!all_stand && block.length() >= 0) break;
    }
    return block.length() >= 0 ? block : range;
  }

  // Equations 5 to 9.
  void plan_adaptation(TransitionPlan& plan) {
    const bool with_step = plan.choice.method == Method::adaptation_with_step;
    const FrameInterval& p1 = plan.choice.next_move;
    const int begin = core0_end();
    // A step takes its time.
    const int step_length = std::min(frames_of(kLeastStep_s, frame_time_s_), p1.length() / 2);
    const int latest = with_step ? std::max(std::min(times_.end, p1.end - step_length), begin + 2) - 1 : times_.end - 1;
    const FrameInterval fixed{begin, std::max(core1_begin() - 1, begin + 1)};
    const FrameInterval all_ends = narrowed({begin + 1, std::max(latest, begin + 1)}, {times_.begin, latest});
    const FrameInterval ends = standing_block(all_ends, with_step ? plan.choice.foot : -1);
    plan.lower = find(Part::lower, BlendKind::pose_pose, {begin, begin}, ends, std::nullopt, fixed);
    const FrameInterval begins{begin + 1, core1_begin() - 2}, upper_ends{begin + 2, core1_begin() - 1};
    plan.upper = find(Part::upper, BlendKind::pose_pose, upper_begins(begins, plan),
                      narrowed(upper_ends, {times_.begin, upper_ends.end}), std::nullopt, fixed);

    int hold_end = times_.end;
    if (with_step) {
      const int earliest = std::max({p1.begin, plan.lower.frames.end, std::min(core1_begin() + 1, p1.end - 1)});
      const FrameInterval step_begins{std::min(earliest, p1.end - 1), p1.end - 1};
      plan.step = find(Part::lower, BlendKind::pose_motion, step_begins, {p1.end, p1.end}, p1.length(),
                       {step_begins.begin, p1.end}, plan.lower.frames.begin);
      shape_moving_weight(*plan.step, MovingSide::next);
      hold_end = plan.step->frames.begin;
    }
    plan.hold = BlendInterval{.part = Part::lower,
                              .kind = BlendKind::hold,
                              .frames = {plan.lower.frames.end, std::max(hold_end, plan.lower.frames.end)}};
  }

  const PreviousMotion& previous_;
  const Motion& next_;
  const PlanParams& params_;
  int at_;
  MotionTimes times_;
  double frame_time_s_;
  int min_length_, max_length_;
  CostWeights weights_;
  int evaluations_ = 0;
};

// What was played cannot change: the core of the previous motion reaches at least to now.
PreviousMotion played_until(const PreviousMotion& previous, int now) {
  PreviousMotion played = previous;
  played.times.core.end = std::max(played.times.core.end, now);
  return played;
}

TransitionPlan plan_at(const PreviousMotion& previous, const Motion& next, int at, const PlanParams& params) {
  const int room = at + next.core.begin - previous.times.core.end;
  if (room < kLeastRoom) {
    TransitionPlan refused;
    refused.at = at;
    refused.earliest = at + kLeastRoom - room;
    const double dt = next.clip.frame_time_s();
    refused.reason =
        fmt::format("its core would begin at {:.3f} s, but what must survive before it lasts until {:.3f} s{}",
                    (at + next.core.begin) * dt, previous.times.core.end * dt,
                    room >= 0 ? ", which leaves no room for a blend" : "");
    return refused;
  }
  TransitionPlan plan = Planner(previous, next, at, params).plan();
  plan.earliest = at - (room - kLeastRoom);
  return plan;
}

// What a plan costs, its length from core to core included.
double total_cost(const PreviousMotion& previous, const Motion& next, const TransitionPlan& plan,
                  const PlanParams& params) {
  const int room = plan.at + next.core.begin - previous.times.core.end;
  return plan.lower.cost.total + plan.upper.cost.total +
         cost_weights(params.smoothness).time * room * next.clip.frame_time_s();
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
std::vector<int> transition_candidates(const MotionTimes& previous, const Motion& next, int min_move) {
  std::vector<int> candidates;
  for (std::size_t k = 0; k < std::min(previous.feet.size(), next.feet.size()); ++k) {
    auto ours = moves_after(previous.feet[k], previous.core.end, min_move);
    auto theirs = moves_before(next.feet[k], next.core.begin, min_move);
    if (ours.size() > kMovesTried) ours.resize(kMovesTried);
    if (theirs.size() > kMovesTried) theirs.erase(theirs.begin(), theirs.end() - kMovesTried);
    for (const FrameInterval& p0 : ours) {
      for (const FrameInterval& p1 : theirs) {
        const int at = aligned_at(previous, next, k, whole_move(previous.feet[k], p0), whole_move(next.feet[k], p1));
        if (at + next.core.begin - previous.core.end >= std::max(kLeastRoom, min_move)) candidates.push_back(at);
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

TransitionPlan plan_transition_auto(const PreviousMotion& previous, const Motion& next, int now,
                                    const PlanParams& params) {
  const PreviousMotion played = played_until(previous, now);
  const double dt = next.clip.frame_time_s();
  const int min_move = frames_of(params.min_move_s, dt);
  const int core_end = played.times.core.end;

  // A transition where there is one: the cheapest.
  TransitionPlan best;
  double least = std::numeric_limits<double>::infinity();
  int evaluations = 0;
  for (const int at : transition_candidates(played.times, next, min_move)) {
    TransitionPlan plan = plan_at(played, next, at, params);
    evaluations += plan.evaluations;
    if (!plan.executed || plan.choice.method != Method::transition) continue;
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
  const int provisional = move_end + gap - next.core.begin;
  best = plan_at(played, next, provisional, params);
  if (!best.executed) return best;
  least = total_cost(played, next, best, params);
  const int unblended = provisional + next.core.begin - 1 - std::max(best.lower.frames.end, best.upper.frames.end);
  evaluations += best.evaluations;
  for (const int share : {1, 2, 3, 4}) {
    if (unblended <= 0) break;
    TransitionPlan closer = plan_at(played, next, provisional - unblended * share / 4, params);
    evaluations += closer.evaluations;
    if (!closer.executed) continue;
    const double cost = total_cost(played, next, closer, params);
    if (cost < least) {
      least = cost;
      best = std::move(closer);
    }
  }
  best.evaluations = evaluations;
  return best;
}

}  // namespace shosa::blending
