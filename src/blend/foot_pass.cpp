#include "blend/foot_pass.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shosa/core/smooth_steps.h"

namespace shosa::blend {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr int kShortestPass = 3;  // frames in which a foot that stands at one place in both motions is handed over

// The first move of the next motion that ends after a frame; null when there is none. Short hops after it do not count.
const FrameInterval* move_ending_after(const FootTimes& foot, int frame, int min_move) {
  for (const FrameInterval& move : foot.moving) {
    if (move.end > frame && (move.begin <= frame || move.length() >= min_move)) return &move;
  }
  return nullptr;
}

// The first frame from `from` on at which the foot no longer stands.
int lift_off(const FootTimes& foot, int from, int never) {
  const FrameInterval* stance = stance_at(foot, from);
  if (stance == nullptr) return from;
  const bool moves_later =
      std::ranges::any_of(foot.moving, [&](const FrameInterval& move) { return move.begin >= stance->end; });
  return moves_later ? stance->end : never;
}

}  // namespace

double TimeWarp::at(double frame) const {
  if (identity || frame <= begin) return frame;
  if (frame >= end) return end_value + (frame - end);
  const double length = end - begin, ratio = (end_value - begin) / length, x = (frame - begin) / length;
  // Cubic Hermite with slopes that keep it monotone.
  const double m0 = std::min(1.0, 3.0 * ratio), m1 = std::clamp(2.0 * ratio - 1.0, 0.0, 3.0 * ratio);
  const double h01 = cubic_step(x), h10 = x * (1.0 - x) * (1.0 - x), h11 = x * x * (x - 1.0);
  return begin + length * (ratio * h01 + m0 * h10 + m1 * h11);
}

const FrameInterval* stance_at(const FootTimes& foot, int frame) {
  for (const FrameInterval& stance : foot.standing) {
    if (stance.contains(frame)) return &stance;
  }
  return nullptr;
}

namespace {

// What the plan of one foot looks at, and the passes it can get.
class FootPlan {
 public:
  FootPlan(const TransitionPlan& plan, const MotionTimes& previous, const MotionTimes& next, const TimeWarp& warp,
           int min_move, int swing_length, std::size_t foot, bool alone)
      : plan_(plan),
        previous_(previous),
        next_(next),
        warp_(warp),
        ours_(previous.feet[foot]),
        theirs_(next.feet[foot]),
        s0_(plan.lower.frames),
        min_move_(min_move),
        swing_length_(swing_length),
        never_(std::max(previous.end, next.end) + (1 << 20)),
        is_chosen_(static_cast<int>(foot) == plan.choice.foot),
        alone_(alone),
        // A core that is not adapted is whole from its begin on.
        latest_(adapts() ? kNever : next.core.begin - 1),
        next_stance_(stance_at(theirs_, s0_.end)),
        move_(move_ending_after(theirs_, s0_.end, min_move)),
        left_(move_ != nullptr ? stance_at(theirs_, move_->begin) : nullptr) {
    // A foot that is about to land does so.
    stands_from_ = s0_.begin;
    if (stance_at(ours_, s0_.begin) == nullptr) {
      for (int f = s0_.begin + 1; f < s0_.end || f < s0_.begin + min_move; ++f) {
        const FrameInterval* stance = stance_at(ours_, shown(f));
        if (stance == nullptr) continue;
        if (f < s0_.begin + min_move || (next_stance_ == nullptr && is_shared(*stance, f))) stands_from_ = f;
        break;
      }
    }
    // The warp shifts when the previous motion lifts a foot.
    lifts_ = lift_off(ours_, shown(stands_from_), never_);
    if (lifts_ < never_ && !warp.identity) {
      int frame = stands_from_;
      while (frame < s0_.end && warp.at(frame) < lifts_) ++frame;
      lifts_ = warp.at(frame) < lifts_ ? never_ : frame;
    }
  }

  FootPass pass() const {
    const bool stands = stance_at(ours_, shown(stands_from_)) != nullptr;
    if (plan_.choice.method == JoinMethod::transition && is_chosen_) {
      // From the lower body's begin on, where that leaves the time of a step; otherwise from where both can move.
      const FrameInterval &p0 = plan_.choice.previous_move, &p1 = plan_.choice.next_move;
      const bool in_time = s0_.begin > p0.begin && s0_.begin < p0.end && p1.end - s0_.begin >= swing_length_;
      return swing(in_time ? s0_.begin : p0.begin, p1.end);
    }
    if (adapts() && !stands) return come_down();
    if (lifts_ >= s0_.end || adapts() || stays_down()) return stand();
    // The top of a jump survives: its feet change over later.
    double begin = std::max(lifts_, s0_.begin);
    if (plan_.choice.method == JoinMethod::connection) begin = top_after(begin);
    const bool lands_alike = stance_at(ours_, shown(s0_.end)) != nullptr;
    if (next_stance_ == nullptr) return swing(begin, move_ != nullptr ? move_->end : s0_.end);
    if (lands_alike && s0_.end - begin >= min_move_) {
      FootPass pass;
      pass.kind = PassKind::land;
      pass.begin = begin;
      pass.end = s0_.end;
      return pass;
    }
    const double until = move_ != nullptr ? std::max(move_->begin, s0_.end) : never_;
    return swing(begin, std::max<double>(s0_.end, std::min({begin + swing_length_, until, latest_})));
  }

 private:
  bool adapts() const { return plan_.hold.has_value(); }
  double shortest_swing() const { return 2.0 * swing_length_ / 3.0; }
  bool steps() const { return plan_.step && is_chosen_; }
  int shown(int frame) const { return static_cast<int>(std::lround(warp_.at(frame))); }

  // Where the lower body's weight begins, if the foot is still in the air there and has time to land.
  double top_after(double frame) const {
    const double top = plan_.lower.weight.begin;
    if (top <= frame || s0_.end - top < shortest_swing()) return frame;
    for (int f = static_cast<int>(frame) + 1; f <= top; ++f) {
      if (stance_at(ours_, shown(f)) != nullptr) return frame;
    }
    return top;
  }

  // Whether the previous motion's stance, which begins at `from`, lasts into the one that the next motion leaves.
  bool is_shared(const FrameInterval& stance, int from) const {
    return left_ != nullptr && warp_.identity && left_->begin <= stance.end && left_->end - from >= min_move_;
  }

  // A foot that the next motion stands on stays where it is: when there is no time to move it; a little earlier
  // where nothing else carries the body. With more time it steps on: hips that run would have to come back to it.
  bool stays_down() const {
    if (lifts_ <= s0_.begin) return false;
    if (next_stance_ == nullptr) {
      return alone_ && left_ != nullptr && left_->begin <= lifts_ && left_->end - s0_.begin >= kShortestPass;
    }
    const double left_over = std::min<double>(latest_, next_stance_->end) - lifts_;
    return left_over < min_move_ || (alone_ && next_stance_->begin <= lifts_ && left_over < shortest_swing());
  }

  FootPass swing(double begin, double end) const {
    FootPass pass;
    pass.kind = PassKind::swing;
    pass.end = std::max(std::min(std::max(end, begin + min_move_), latest_), begin + 1.0);
    // Before its first frame a motion has no velocity, nor after its last.
    const double coast = swing_length_ / 3.0, shortest = shortest_swing();
    if (stance_at(theirs_, next_.begin) == nullptr) {
      begin = std::max(begin, std::min(next_.begin - coast, pass.end - shortest));
    }
    if (stance_at(ours_, previous_.end) == nullptr) {
      pass.end = std::min(pass.end, std::max(previous_.end + coast, begin + shortest));
    }
    // A foot in the air stays on its way until it is time for the step.
    const int late = static_cast<int>(std::floor(pass.end)) - 2 * swing_length_;
    for (int f = static_cast<int>(begin) + 1; f <= std::min(late, previous_.end); ++f) {
      if (stance_at(ours_, shown(f)) != nullptr) break;
      begin = f;
    }
    pass.begin = std::min(begin, pass.end - 1.0);
    return pass;
  }

  // The previous motion ends with this foot in the air: it comes down where the next one stands.
  FootPass come_down() const {
    double end = s0_.end;
    for (const FrameInterval& later : theirs_.standing) {
      if (later.end < s0_.begin + min_move_) continue;
      end = later.contains(s0_.end) ? s0_.end : later.begin;
      break;
    }
    return swing(s0_.begin, end);
  }

  FootPass stand() const {
    FootPass pass;
    if (next_stance_ == nullptr && left_ != nullptr && !steps() &&
        move_->begin - s0_.begin >= (alone_ ? kShortestPass : min_move_)) {
      // It leaves the ground during the blend, and rolls off as the next motion has it.
      pass.begin = stands_from_;
      pass.end = move_->begin;
      pass.previous_until = std::max(lifts_, s0_.begin);
      pass.next_from = left_->begin;
      pass.release = {pass.end, std::max(std::min<double>(move_->end, latest_), pass.end + 1.0), 0.0, 0.0};
    } else if (next_stance_ == nullptr && move_ != nullptr) {
      // The next motion has it in the air already.
      const double begin = steps() ? plan_.step->weight.begin : std::max(move_->begin, s0_.begin);
      return swing(begin, steps() ? plan_.step->weight.end : move_->end);
    } else {
      pass.begin = std::min(stands_from_, s0_.end - 1);
      pass.end = s0_.end;
      pass.previous_until = std::max(lifts_, s0_.begin);
      pass.next_from = next_stance_ != nullptr ? next_stance_->begin : s0_.end;
      pass.release = {kNever, kNever, 0.0, 0.0};
      if (steps()) {
        pass.release = plan_.step->weight;
      } else if (move_ != nullptr) {
        pass.release = {static_cast<double>(move_->begin), static_cast<double>(move_->end), 0.0, 0.0};
      }
    }
    return pass;
  }

  const TransitionPlan& plan_;
  const MotionTimes &previous_, &next_;
  const TimeWarp& warp_;
  const FootTimes &ours_, &theirs_;
  FrameInterval s0_;
  int min_move_, swing_length_, never_;
  bool is_chosen_, alone_;
  double latest_;
  const FrameInterval* next_stance_;
  const FrameInterval* move_;  ///< The next motion's first that ends after S0.
  const FrameInterval* left_;  ///< The stance that it leaves.
  int stands_from_ = 0;        ///< From here on the previous motion stands, where it does.
  int lifts_ = 0;              ///< And here it lifts the foot.
};

}  // namespace

std::vector<FootPass> plan_feet(const TransitionPlan& plan, const MotionTimes& previous, const MotionTimes& next,
                                const TimeWarp& warp, int min_move, int swing_length) {
  std::vector<FootPass> passes;
  for (std::size_t k = 0; k < next.feet.size(); ++k) {
    const bool alone = next.feet.size() <= 2 && plan.choice.foot >= 0 && static_cast<int>(k) != plan.choice.foot;
    passes.push_back(FootPlan(plan, previous, next, warp, min_move, swing_length, k, alone).pass());
    if (passes.back().end - passes.back().begin >= 0.5 * swing_length) passes.back().lifted = kLifted;
  }
  return passes;
}

std::vector<FootTimes> joined_times(const std::vector<FootPass>& passes, const MotionTimes& previous,
                                    const MotionTimes& next) {
  std::vector<FootTimes> feet;
  for (std::size_t k = 0; k < passes.size(); ++k) {
    const FootPass& pass = passes[k];
    const bool stays = pass.kind == PassKind::stand;
    const int cut = static_cast<int>(std::lround(stays ? pass.change() : pass.begin));
    const int resume = static_cast<int>(std::lround(stays ? pass.change() : pass.end));
    FootTimes foot;
    for (const FrameInterval& stance : previous.feet[k].standing) {
      if (stance.begin <= cut) foot.standing.push_back({stance.begin, std::min(stance.end, cut)});
    }
    if (stays && (foot.standing.empty() || foot.standing.back().end < cut)) foot.standing.push_back({cut, cut});
    for (FrameInterval stance : next.feet[k].standing) {
      if (stance.end < resume) continue;
      stance.begin = std::max(stance.begin, resume);
      if (!foot.standing.empty() && stance.begin <= foot.standing.back().end + 1) {
        foot.standing.back().end = stance.end;
      } else {
        foot.standing.push_back(stance);
      }
    }
    int from = std::min(previous.begin, next.begin);
    for (const FrameInterval& stance : foot.standing) {
      if (stance.begin > from) foot.moving.push_back({from, stance.begin});
      from = stance.end;
    }
    if (from < next.end) foot.moving.push_back({from, next.end});
    feet.push_back(std::move(foot));
  }
  return feet;
}

}  // namespace shosa::blend
