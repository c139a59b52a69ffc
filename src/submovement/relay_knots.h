#pragma once

#include <functional>
#include <vector>

#include "shosa/core/types.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement::detail {

// A relay: link k lasts from knot k to knot k + 2, so that no more than two are under way at once
// (docs/methods/submovements.md, "Relays"). All in frames.

inline constexpr int kLeastApart = 2;      ///< Between two knots.
inline constexpr int kLongestApart = 150;  ///< Likewise.
inline constexpr int kCalm = 2;            ///< Nothing begins in so many frames where a link is under way at the first.

/// How far the next knot is at most, where the last two are so far apart: the end of a link that is seen for less of
/// its time is not told from the next frame.
inline int farthest(int apart) {
  return 3 * apart + 2;
}

/// A link that begins so many frames before the last, which the one before it ends with, is half seen.
inline int last_link_end(int t0, int last) {
  return 2 * last - t0;
}

/// One submovement of a relay, or a step.
struct Link {
  int t0 = 0, tf = 0;
  Vec3d move = Vec3d::Zero();

  double share(int frame) const { return solve::minimum_jerk_value(frame, t0, tf); }
};

/// How sure it is that samples were made of the links that were read in them: steps of one or two frames would fit
/// anything that moves fast, and where there are some there has to be something of a relay; what takes as many as
/// nearly every sample tells nothing, and so does what moves by less than a relay that keeps to the bound needs to.
enum class Certainty {
  none,
  doubtful,
  certain
};
Certainty certainty_of(const std::vector<Link>& links, int samples, double max_error);

/// Of the bound: a link that moves less is left out, because its end is not seen.
inline constexpr double kWeak = 0.1;

struct RelayLimits {
  int samples = 0;
  bool from_rest = false;           ///< Nothing is under way at the first sample, …
  bool to_rest = false;             ///< … or at the last one.
  double bound = 0.0;               ///< Of the sum of squared errors.
  int longest = 2 * kLongestApart;  ///< Link.
};

/// Fits a relay with these knots; returns the squared error of each sample.
using FitRelay = std::function<std::vector<double>(const std::vector<int>& knots)>;

/// Knots of a relay within the bound, few as far as that is found soon; from these starts on, which need not be on
/// frames or apart. False where there is none. The last call of `fit` was for the knots that were found, or the finest.
bool find_relay(const std::vector<double>& starts, const RelayLimits& limits, const FitRelay& fit);

}  // namespace shosa::submovement::detail
