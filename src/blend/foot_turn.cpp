#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "blend/foot_setup.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::blend {

namespace {

constexpr int kTurnSamples = 20;
constexpr double kTurn_s = 0.08;     // a foot turns no faster, where there is time
constexpr double kHaste_s = 0.02;    // a way of the heel costs 1 + this / time
constexpr double kLow_m = 0.03;      // a heel that is lower …
constexpr double kSlow_mps = 0.3;    // … and slower slides; none at twice these bounds
constexpr double kWorth = 0.85;      // of the cost of turning all the time: what makes another time worth while
constexpr double kLateTurn_s = 0.2;  // how much later than the other joints it may turn

}  // namespace

void time_turn(SourceFeet& feet, const Junction& j, std::size_t k, FootPass& pass) {
  const MotionTimes& previous = feet.input().previous.times;
  double first = pass.begin;
  if (const FrameInterval* stance = stance_at(previous.feet[k], static_cast<int>(std::lround(j.warp.at(first))))) {
    first = std::min(first, std::max<double>(stance->begin, previous.core.end + 1));
    // A foot that still rolls over its heel turns with its anchor.
    while (first < pass.end && first < stance->end && !feet.previous_anchor_stands(j.warp.at(first), k)) ++first;
  }
  pass.turn_begin = pass.begin + pass.lifted * (pass.end - pass.begin);
  pass.turn_end = pass.begin + kLanded * (pass.end - pass.begin);
  // The next motion's foot may pivot while the other joints change over: there is time until it lifts, or the core
  // begins.
  double last_frame = feet.next_times().core.begin - 1;
  if (const FrameInterval* stance = stance_at(feet.next_times().feet[k], static_cast<int>(pass.end))) {
    last_frame = std::min<double>(last_frame, stance->end);
  }
  last_frame = std::clamp(last_frame, pass.end, pass.end + kLateTurn_s / feet.frame_time_s());
  const double step = (last_frame - first) / kTurnSamples;
  if (!(step > 0.0)) return;
  std::array<Quatd, kTurnSamples + 1> before, after;
  Vec3d heel = Vec3d::Zero();
  for (int i = 0; i <= kTurnSamples; ++i) {
    const double f = i < kTurnSamples ? first + step * i : last_frame;
    const auto at = static_cast<std::size_t>(i);
    before[at] = f > pass.previous_until ? pass.previous_last.rotation : feet.previous(j.warp.at(f), k).rotation;
    after[at] = moved(f < pass.next_from ? pass.next_first : feet.next_placed(f, k), pass.offset_at(f)).rotation;
    if (i == 0) heel = -feet.anchor_in_foot_m(k);
  }
  const analysis::FootContactTrack& track = feet.input().next.contacts().feet[k];
  const double rest_m = track.heel_rest_m - track.toe_rest_m;
  const double dt = feet.frame_time_s(), shortest = std::min(kTurn_s / dt, pass.turn_end - pass.turn_begin);
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](double begin, double end) {
    double way_m = 0.0, slide_m = 0.0;
    Vec3d last = before[0] * heel;
    for (int i = 1; i <= kTurnSamples; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double u = minimum_jerk_step((first + step * i - begin) / (end - begin));
      const Vec3d now = mixed({.rotation = before[at]}, {.rotation = after[at]}, u).rotation * heel;
      const double level_m = std::hypot(now.x() - last.x(), now.z() - last.z()),
                   height_m = 0.5 * (now.y() + last.y()) - rest_m;
      const double low = std::clamp(2.0 - height_m / kLow_m, 0.0, 1.0);
      const double slow = std::clamp(2.0 - level_m / (step * dt * kSlow_mps), 0.0, 1.0);
      slide_m += level_m * low * slow;
      way_m += (now - last).norm();
      last = now;
    }
    const double cost = slide_m + way_m * (1.0 + kHaste_s / ((end - begin) * dt));
    if (!(cost < least)) return;
    least = cost;
    pass.turn_begin = begin;
    pass.turn_end = end;
  };
  consider(pass.turn_begin, pass.turn_end);
  least *= kWorth;
  for (int i = 0; i < kTurnSamples; ++i) {
    for (int n = i + 1; n <= kTurnSamples; ++n) {
      if (step * (n - i) >= shortest) consider(first + step * i, n < kTurnSamples ? first + step * n : last_frame);
    }
  }
}

}  // namespace shosa::blend
