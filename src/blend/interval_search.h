#pragma once

#include <optional>

#include "shosa/blend/motion.h"

namespace shosa::blend {

/// A body on its feet changes its velocity by so much, and no more comfortably.
inline constexpr double kPush_mps2 = 8.0;
/// The largest acceleration of a minimum-jerk change of velocity, in changes per duration.
inline constexpr double kPeak = 1.875;
/// … and of a minimum-jerk shift from rest to rest, in shifts per squared duration.
inline constexpr double kShiftPeak = 5.77;

/// The weights of equation 10 of the seed. Times count in seconds, distances in metres, speeds in metres per second.
struct CostWeights {
  double time = 0.0;
  double pose = 0.0;
  double velocity = 0.0;
  double push = 0.0;  ///< Metres per second squared. Beyond the seed.
};
/// The one knob W: 0 is fast, 1 is smooth; two presets mixed linearly. `smoothness` in [0, 1].
CostWeights cost_weights(double smoothness);
inline constexpr CostWeights kFast{.time = 1.0, .pose = 0.5, .velocity = 0.02, .push = 0.05};
inline constexpr CostWeights kSmooth{.time = 0.25, .pose = 1.0, .velocity = 0.25, .push = 0.05};

/// One motion of the pair on the common grid: frame f of the grid is frame f - at of the track.
struct PlacedTrack {
  const PartTrack* track = nullptr;
  int at = 0;
  const Motion* hips = nullptr;  ///< Where the hips go with the part.
  std::optional<int> held = {};  ///< The pose of this frame of the grid stands for all: a stance that is held.

  int frame(int on_grid) const { return held.value_or(on_grid) - at; }
};

/// One blend interval to be found (section 4.3 of the seed).
///
/// Minimises  w_t Q_t + w_p Q_p + w_v Q_v + w_a Q_a  over all pairs begin < end of the two ranges, at least
/// `min_length` and at most `max_length` frames long:
/// - Q_t = |moving_length - (t1 - t0)| where a moving interval is used, else t1 - t0;
/// - Q_p = D(t0, t1), previous motion at t0, next at t1;
/// - Q_a, where hips are given: by how much they are pushed harder than `kPush_mps2`, where they change from one pace
///   to the other within the blend and, over a foot that stands in both motions, get as far as that lets them;
/// - Q_v = |V0 - D/(t1-t0)| + |V1 - D/(t1-t0)|, where V0 = (D(t0,t1) - D(t0+e,t1))/e says how fast the previous motion
///   approaches the end pose and V1 = (D(t0,t1) - D(t0,t1-e))/e how fast the next one leaves the start pose.
/// Exact: no pair of the grid is better; of equal ones the earliest begin, then the earliest end. O(pairs * joints),
/// where pairs whose Q_t alone costs more than the best are not looked at.
struct IntervalProblem {
  PlacedTrack previous;
  PlacedTrack next;
  FrameInterval begins;                 ///< Allowed t0.
  FrameInterval ends;                   ///< Allowed t1.
  int min_length = 1;                   ///< Frames; >= 1.
  int max_length = 1 << 30;             ///< Frames.
  std::optional<double> moving_length;  ///< Frames of the moving interval that is used.
  int step = 1;                         ///< e, frames; >= 1.
  double frame_time_s = 1.0;
  CostWeights weights;
  int steps = -1;  ///< The foot that moves.
};

struct IntervalCost {
  double time_s = 0.0;           ///< Q_t
  double distance_m = 0.0;       ///< Q_p = D
  double velocity_mps = 0.0;     ///< Q_v
  double push_mps2 = 0.0;        ///< Q_a
  double speed_begin_mps = 0.0;  ///< V(t0)
  double speed_end_mps = 0.0;    ///< V(t1)
  double total = 0.0;
};
IntervalCost interval_cost(const IntervalProblem& problem, int begin, int end);

struct IntervalChoice {
  bool found = false;  ///< False: no pair is allowed.
  FrameInterval frames;
  IntervalCost cost;
  int evaluations = 0;  ///< Diagnostic: pairs whose poses were compared.
};
IntervalChoice search_interval(const IntervalProblem& problem);

}  // namespace shosa::blend
