#pragma once

#include <span>
#include <vector>

#include "shosa/segment/edit_method.h"

namespace shosa::segment {

/// The shares of a path's end constraint that each of its samples takes, found before the constraint is known.
///
/// A path has samples 0..n and, for its last velocity, sample n + 1; r_i is the speed from sample i to i + 1. With d
/// the change of the end and u the change of the end's velocity (per frame), sample i moves by
///   two_step  delta_i d + tail_epsilon_i (u - end_share d)
///   one_step  gamma_i d + epsilon_i u
///   linear    i / n d.
/// Where r is 0 the path rests: delta does not change there. A rest inside the path also ends what `tail_epsilon` may
/// touch: it acts after the last rest only, so that nothing drifts while it rests. Every array has n + 2 entries.
/// Equations: docs/methods/segment_editing.md
struct PathCoefficients {
  std::vector<double> delta;
  std::vector<double> gamma;
  std::vector<double> epsilon;
  std::vector<double> tail_epsilon;
  double end_share = 0.0;     ///< delta_{n+1} - delta_n: what the first step does to the end's velocity.
  int tail_begin = 0;         ///< The first sample whose acceleration `tail_epsilon` changes.
  bool eased = false;         ///< The path never moves: delta is a minimum-jerk ease in time.
  bool even_epsilon = false;  ///< Fewer than two moving samples: gamma and epsilon take every sample alike.
  bool even_tail = false;     ///< The same after the last rest; where the path ends at rest, that rest is the tail.

  int last() const { return static_cast<int>(delta.size()) - 2; }  ///< n
};

/// O(n). `speeds` are r_0..r_n (any unit, not negative, finite), so n = speeds.size() - 1 >= 1 (assert). With n = 1 a
/// velocity cannot be changed without the position: gamma, epsilon and tail_epsilon are 0 up to sample 1.
/// `most_tail` > 0: tail_epsilon acts on that many samples at most. A velocity that is missing by u moves the path by
/// up to 4/27 u n on its way, so over a long path the tremble of a captured velocity would bend everything.
PathCoefficients path_coefficients(std::span<const double> speeds, int most_tail = 0);

/// The linear baseline in the place of delta.
double linear_share(int sample, int last);

}  // namespace shosa::segment
