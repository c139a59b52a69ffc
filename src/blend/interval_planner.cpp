#include "blend/interval_planner.h"

#include <algorithm>

#include "blend/constants.h"

namespace shosa::blend {

namespace {

// The upper body's blend is no shorter than the shortest one and this, times the knob, where there is room: arms that
// swing on would turn back for a moment.
constexpr double kUpper_s = 0.2;
// S3 is no shorter where the foot moves for twice as long.
constexpr double kLeastStep_s = 0.25;
// What a pose that must survive leaves of a blend, at least.
constexpr double kLeastRest_s = 0.2;

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

int nearest(const FrameInterval& range, int frame) {
  return std::max(range.begin, std::min(frame, range.end));
}

// Everything that the searches of one pair share.
class Planner {
 public:
  Planner(const PreviousMotion& previous, const Motion& next, int at, const PlanParams& params, bool smooth_upper)
      : previous_(previous),
        next_(next),
        params_(params),
        at_(at),
        smooth_upper_(smooth_upper),
        times_(times_at(next, at)),
        frame_time_s_(next.clip().frame_time_s()),
        min_length_(frames_of(params.min_length_s, frame_time_s_)),
        max_length_(std::max(min_length_, frames_of(params.max_length_s, frame_time_s_))),
        weights_(cost_weights(params.smoothness)) {}

  TransitionPlan plan() {
    TransitionPlan plan;
    plan.at = at_;
    plan.executed = true;
    plan.choice = choose_method(previous_.times, times_, frames_of(params_.min_move_s, frame_time_s_));
    plan.by_contacts = plan.choice.method;
    // Adaptations keep all feet where they are until their step.
    const bool adapts = plan.choice.method == JoinMethod::adaptation_with_step ||
                        plan.choice.method == JoinMethod::adaptation_without_step;
    if (!adapts) steps_ = plan.choice.foot;
    switch (plan.choice.method) {
      case JoinMethod::transition:
        plan_transition(plan);
        break;
      case JoinMethod::connection:
        plan_connection(plan);
        break;
      case JoinMethod::adaptation_with_step:
      case JoinMethod::adaptation_without_step:
      case JoinMethod::bridge:
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
                            .step = frames_of(kDifference_s, frame_time_s_),  // e of equation 14
                            .frame_time_s = frame_time_s_,
                            .weights = weights_};
    problem.previous.held = held;
    if (part == Part::lower && params_.momentum) {
      problem.previous.hips = previous_.motion;
      problem.next.hips = &next_;
      problem.steps = steps_;
    }
    if (!params_.search) {
      interval.frames = fixed;
      interval.cost = interval_cost(problem, fixed.begin, fixed.end);
      interval.weight = {static_cast<double>(fixed.begin), static_cast<double>(fixed.end), 1.0, 1.0};
      return interval;
    }
    const auto& given = part == Part::upper ? params_.given.upper : params_.given.lower;
    // A step (S3) is not what was given.
    if (given && kind != BlendKind::pose_motion) {
      const auto frame = [&](double time_s) { return at_ + static_cast<int>(std::lround(time_s / frame_time_s_)); };
      begins.begin = begins.end = nearest(begins, frame(given->begin_s));
      ends.begin = ends.end = std::max(nearest(ends, frame(given->end_s)), begins.begin + 1);
      problem.begins = begins;
      problem.ends = ends;
      problem.min_length = 1;
      problem.max_length = ends.end - begins.begin;
    } else if (part == Part::upper && smooth_upper_) {
      problem.min_length = frames_of(params_.min_length_s + kUpper_s * params_.smoothness, frame_time_s_);
    }
    IntervalChoice choice = search_interval(problem);
    if (!choice.found && problem.min_length > min_length_) {
      problem.min_length = min_length_;
      choice = search_interval(problem);
    }
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
      // No later (earlier) than leaves time to blend: hips would jump otherwise.
      const int room = std::min(frames_of(kLeastRest_s, frame_time_s_), interval.frames.length());
      const int top = interval.frames.begin + shape.peak;
      edge = previous_moves ? std::min(top, interval.frames.end - room) : std::max(top, interval.frames.begin + room);
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
    const FootTimes& foot = times_.feet[plan.choice.foot];
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
    const bool with_step = plan.choice.method == JoinMethod::adaptation_with_step;
    const FrameInterval& p1 = plan.choice.next_move;
    const int begin = core0_end();
    // A step takes its time: the whole move where it begins late enough for a blend before it.
    const int step_length = std::min(frames_of(kLeastStep_s, frame_time_s_), p1.length() / 2);
    const int step_begin = p1.begin - begin >= 2 * min_length_ ? p1.begin : p1.end - step_length;
    const int latest = with_step ? std::max(std::min(times_.end, step_begin), begin + 2) - 1 : times_.end - 1;
    const FrameInterval fixed{begin, std::max(core1_begin() - 1, begin + 1)};
    const FrameInterval all_ends = narrowed({begin + 1, std::max(latest, begin + 1)}, {times_.begin, latest});
    const FrameInterval ends = standing_block(all_ends, with_step ? plan.choice.foot : -1);
    plan.lower = find(Part::lower, BlendKind::pose_pose, {begin, begin}, ends, std::nullopt, fixed);
    const FrameInterval begins{begin + 1, core1_begin() - 2}, upper_ends{begin + 2, core1_begin() - 1};
    plan.upper = find(Part::upper, BlendKind::pose_pose, upper_begins(begins, plan),
                      narrowed(upper_ends, {times_.begin, upper_ends.end}), std::nullopt, fixed);

    int hold_end = times_.end;
    if (with_step) {
      // The seed has S3 after the begin of core 1; a move that lies before it is the step as it is.
      const bool after = p1.end - core1_begin() - 1 >= frames_of(params_.min_move_s, frame_time_s_);
      const int after_core = after ? core1_begin() + 1 : p1.begin;
      const int earliest = std::max({p1.begin, plan.lower.frames.end, after_core});
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
  bool smooth_upper_;
  MotionTimes times_;
  double frame_time_s_;
  int min_length_, max_length_;
  CostWeights weights_;
  int steps_ = -1;  ///< The foot that moves.
  int evaluations_ = 0;
};

}  // namespace

TransitionPlan plan_intervals(const PreviousMotion& previous, const Motion& next, int at, const PlanParams& params,
                              bool smooth_upper) {
  return Planner(previous, next, at, params, smooth_upper).plan();
}

}  // namespace shosa::blend
