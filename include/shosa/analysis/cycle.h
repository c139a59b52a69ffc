#pragma once

#include "shosa/analysis/studied_clip.h"

namespace shosa::analysis {

/// Finds one full cycle of steps: two times of equal posture, with every foot set down exactly once between them.
///
/// Candidates are all pairs of frames whose feet stand alike, between which every foot lands once (on two legs one well
/// after the other: a jump is no cycle) and that are `min_length_s` to `max_length_s` apart. The pair of least posture
/// distance over a short window wins, if it is small against how far the posture changes in between. O(frames *
/// max_length).
struct CycleParams {
  double min_length_s = 0.35;
  double max_length_s = 2.5;
  double max_distance_m = 0.07;  ///< Mean joint distance at the ends, for a leg of 0.85 m.
  double max_share = 0.35;       ///< The same as a share of the largest distance within the cycle.
};
struct Cycle {
  bool found = false;
  double begin_s = 0.0;
  double end_s = 0.0;
  double distance_m = 0.0;  ///< Mean joint distance of the two ends.
};
/// Fails when a length or bound is not positive or min > max. No feet or no cycle: success with `found` false.
Result<Cycle> find_cycle(const StudiedClip& studied, const CycleParams& params = {});

}  // namespace shosa::analysis
