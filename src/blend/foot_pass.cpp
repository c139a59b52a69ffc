#include "blend/foot_pass.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shosa::blending {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// The first move of the next motion that ends after a frame; null when there is none.
const FrameInterval* move_ending_after(const FootTimes& foot, int frame) {
  for (const FrameInterval& move : foot.moving) {
    if (move.end > frame) return &move;
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
  const double h01 = x * x * (3.0 - 2.0 * x), h10 = x * (1.0 - x) * (1.0 - x), h11 = x * x * (x - 1.0);
  return begin + length * (ratio * h01 + m0 * h10 + m1 * h11);
}

const FrameInterval* stance_at(const FootTimes& foot, int frame) {
  for (const FrameInterval& stance : foot.standing) {
    if (stance.contains(frame)) return &stance;
  }
  return nullptr;
}

std::vector<FootPass> plan_feet(const TransitionPlan& plan, const MotionTimes& previous, const MotionTimes& next,
                                const TimeWarp& warp, int min_move, int swing_length) {
  std::vector<FootPass> passes;
  const FrameInterval s0 = plan.lower.frames;
  const int never = std::max(previous.end, next.end) + (1 << 20);
  const bool adapts = plan.hold.has_value();
  // A core that is not adapted is whole from its begin on.
  const double latest = adapts ? kNever : next.core.begin - 1;
  for (std::size_t k = 0; k < next.feet.size(); ++k) {
    const FootTimes& ours = previous.feet[k];
    const FootTimes& theirs = next.feet[k];
    const bool is_chosen = static_cast<int>(k) == plan.choice.foot;
    const FrameInterval* next_stance = stance_at(theirs, s0.end);
    const FrameInterval* move = move_ending_after(theirs, s0.end);
    FootPass pass;
    const auto swing = [&](double begin, double end) {
      pass.kind = PassKind::swing;
      pass.begin = begin;
      pass.end = std::max(std::min(std::max(end, begin + min_move), latest), begin + 1.0);
    };

    // The warp shifts when the previous motion lifts a foot.
    int lifts = lift_off(ours, s0.begin, never);
    if (lifts < never && !warp.identity) {
      int shown = s0.begin;
      while (shown < s0.end && warp.at(shown) < lifts) ++shown;
      lifts = warp.at(shown) < lifts ? never : shown;
    }
    if (plan.choice.method == Method::transition && is_chosen) {
      swing(plan.choice.previous_move.begin, plan.choice.next_move.end);
    } else if (adapts && stance_at(ours, s0.begin) == nullptr) {
      // The previous motion ends with this foot in the air: it comes down where the next one stands.
      double end = s0.end;
      for (const FrameInterval& later : theirs.standing) {
        if (later.end < s0.begin + min_move) continue;
        end = later.contains(s0.end) ? s0.end : later.begin;
        break;
      }
      swing(s0.begin, end);
    } else if (lifts >= s0.end || adapts ||
               (lifts > s0.begin && next_stance != nullptr &&
                std::min<double>(latest, next_stance->end) - lifts < min_move)) {
      const FrameInterval* left = move != nullptr ? stance_at(theirs, move->begin) : nullptr;
      if (next_stance == nullptr && left != nullptr && move->begin - s0.begin >= min_move &&
          !(plan.step && is_chosen)) {
        // It leaves the ground during the blend, and rolls off as the next motion has it.
        pass.begin = s0.begin;
        pass.end = move->begin;
        pass.previous_until = std::max(lifts, s0.begin);
        pass.next_from = left->begin;
        pass.release = {pass.end, std::max(std::min<double>(move->end, latest), pass.end + 1.0), 0.0, 0.0};
      } else if (next_stance == nullptr && move != nullptr) {
        // The next motion has it in the air already.
        const double begin = plan.step && is_chosen ? plan.step->weight.begin : std::max(move->begin, s0.begin);
        swing(begin, plan.step && is_chosen ? plan.step->weight.end : move->end);
      } else {
        pass.begin = s0.begin;
        pass.end = s0.end;
        pass.previous_until = std::max(lifts, s0.begin);
        pass.next_from = next_stance != nullptr ? next_stance->begin : s0.end;
        pass.release = {kNever, kNever, 0.0, 0.0};
        if (plan.step && is_chosen) {
          pass.release = plan.step->weight;
        } else if (move != nullptr) {
          pass.release = {static_cast<double>(move->begin), static_cast<double>(move->end), 0.0, 0.0};
        }
      }
    } else {
      const double begin = std::max(lifts, s0.begin);
      const bool lands_alike = stance_at(ours, static_cast<int>(std::lround(warp.at(s0.end)))) != nullptr;
      if (next_stance == nullptr) {
        swing(begin, move != nullptr ? move->end : s0.end);
      } else if (lands_alike && s0.end - begin >= min_move) {
        pass.kind = PassKind::land;
        pass.begin = begin;
        pass.end = s0.end;
      } else {
        const double until = move != nullptr ? std::max(move->begin, s0.end) : never;
        swing(begin, std::max<double>(s0.end, std::min({begin + swing_length, until, latest})));
      }
    }
    passes.push_back(pass);
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

}  // namespace shosa::blending
