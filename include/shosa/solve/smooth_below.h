#pragma once

#include <span>

namespace shosa::solve {

struct SmoothBelowReport {
  int iterations = 0;
  double most_over = 0.0;  ///< Largest x_i - most_i left.
};

/// The smoothest x near a target that stays below a bound.
///
/// Least  sum weight_i (x_i - target_i)^2 + stiffness sum (x_{i-1} - 2 x_i + x_{i+1})^2  with  x_i <= most_i
/// (infinite: free; no `most` at all: nothing is). The first `kept` entries of `x` are given and stay; what follows
/// goes on from their last two, so from their place and speed. Targets of 0, kept entries of 0 and no bound below 0
/// give exactly 0.
///
/// Alternating directions (ADMM) on one pentadiagonal factor; O(entries) a sweep, at most 300 sweeps. Deterministic.
struct SmoothBelowParams {
  std::span<const double> weight;  ///< > 0.
  std::span<const double> target;
  std::span<const double> most;
  double stiffness = 1.0;
  int kept = 0;
  double close = 2e-4;  ///< How near to its bound is near enough.
};
SmoothBelowReport smooth_below(const SmoothBelowParams& params, std::span<double> x);

}  // namespace shosa::solve
