#include "blend/method.h"

#include <algorithm>

namespace shosa::blend {

namespace {

bool find_transition(const MotionTimes& previous, const MotionTimes& next, int min_move, MethodChoice& choice) {
  bool found = false;
  for (std::size_t k = 0; k < std::min(previous.feet.size(), next.feet.size()); ++k) {
    const auto ours = moves_after(previous.feet[k], previous.core.end, min_move);
    const auto theirs = moves_before(next.feet[k], next.core.begin, min_move);
    for (const FrameInterval& p0 : ours) {
      for (const FrameInterval& p1 : theirs) {
        if (std::min(p0.end, p1.end) - std::max(p0.begin, p1.begin) < 1) continue;
        if (p1.end - p0.begin < min_move) continue;
        const bool nearer = !found || p0.begin < choice.previous_move.begin ||
                            (p0.begin == choice.previous_move.begin && static_cast<int>(k) == choice.foot &&
                             p1.end > choice.next_move.end);
        if (!nearer) continue;
        found = true;
        choice = {JoinMethod::transition, static_cast<int>(k), p0, p1};
      }
    }
  }
  return found;
}

bool find_connection(const MotionTimes& previous, const MotionTimes& next, int min_move, MethodChoice& choice) {
  bool found = false;
  for (std::size_t k = 0; k < previous.feet.size(); ++k) {
    for (const FrameInterval& p0 : moves_after(previous.feet[k], previous.core.end, min_move)) {
      if (next.core.begin - 1 - p0.begin < min_move) continue;
      if (found && p0.begin >= choice.previous_move.begin) continue;
      found = true;
      choice = {JoinMethod::connection, static_cast<int>(k), p0, {}};
    }
  }
  return found;
}

// Whether the stance should rather be left in `move` than in `chosen`. The core may begin in the middle of a stance or
// of steps: what the next motion does after it comes first. Before it the first move counts that leaves time to take
// the stance: a foot that waited for the last one would stay behind while the body walks away.
bool leaves_better(const FrameInterval& move, const FrameInterval& chosen, int core0_end, int core1_begin,
                   int min_move) {
  const auto after = [&](const FrameInterval& p) { return p.end - std::max(p.begin, core1_begin + 1) >= min_move; };
  if (after(move) != after(chosen)) return after(move);
  if (after(move)) return move.begin < chosen.begin;
  const auto in_time = [&](const FrameInterval& p) { return p.begin - core0_end >= min_move; };
  if (in_time(move) != in_time(chosen)) return in_time(move);
  return in_time(move) ? move.begin < chosen.begin : move.end > chosen.end;
}

bool find_step(const MotionTimes& previous, const MotionTimes& next, int min_move, MethodChoice& choice) {
  bool found = false;
  for (std::size_t k = 0; k < next.feet.size(); ++k) {
    for (const FrameInterval& p1 : moves_after(next.feet[k], previous.core.end + 1, min_move)) {
      if (found && !leaves_better(p1, choice.next_move, previous.core.end, next.core.begin, min_move)) continue;
      found = true;
      choice = {JoinMethod::adaptation_with_step, static_cast<int>(k), {}, p1};
    }
  }
  if (!found) return false;
  // Nor does the foot wait while the next motion takes other steps with it.
  for (const FrameInterval& p1 : next.feet[choice.foot].moving) {
    const bool in_time = p1.begin - previous.core.end >= min_move && p1.length() >= min_move;
    if (in_time && p1.begin < choice.next_move.begin) choice.next_move = p1;
  }
  return true;
}

}  // namespace

std::string_view method_name(JoinMethod method) {
  switch (method) {
    case JoinMethod::transition:
      return "transition";
    case JoinMethod::connection:
      return "connection";
    case JoinMethod::adaptation_with_step:
      return "adaptation_with_step";
    case JoinMethod::adaptation_without_step:
      return "adaptation_without_step";
    case JoinMethod::bridge:
      return "bridge";
  }
  return "";
}

MotionTimes times_at(const Motion& motion, int at) {
  MotionTimes times{at, at + motion.frame_count() - 1, motion.core.shifted(at), motion.feet};
  for (FootTimes& foot : times.feet) {
    for (FrameInterval& interval : foot.standing) interval = interval.shifted(at);
    for (FrameInterval& interval : foot.moving) interval = interval.shifted(at);
  }
  return times;
}

std::vector<FrameInterval> moves_after(const FootTimes& foot, int frame, int min_move) {
  std::vector<FrameInterval> moves;
  for (const FrameInterval& move : foot.moving) {
    const FrameInterval rest{std::max(move.begin, frame), move.end};
    if (rest.length() >= std::min(min_move, std::max(move.length(), 1))) moves.push_back(rest);
  }
  return moves;
}

FrameInterval whole_move(const FootTimes& foot, const FrameInterval& part) {
  for (const FrameInterval& move : foot.moving) {
    if (move.begin <= part.begin && part.end <= move.end) return move;
  }
  return part;
}

std::vector<FrameInterval> moves_before(const FootTimes& foot, int frame, int min_move) {
  std::vector<FrameInterval> moves;
  for (const FrameInterval& move : foot.moving) {
    const FrameInterval rest{move.begin, std::min(move.end, frame)};
    if (rest.length() >= std::min(min_move, std::max(move.length(), 1))) moves.push_back(rest);
  }
  return moves;
}

MethodChoice choose_method(const MotionTimes& previous, const MotionTimes& next, int min_move) {
  MethodChoice choice;
  if (find_transition(previous, next, min_move, choice)) return choice;
  if (find_connection(previous, next, min_move, choice)) return choice;
  if (find_step(previous, next, min_move, choice)) return choice;
  return {};
}

}  // namespace shosa::blend
