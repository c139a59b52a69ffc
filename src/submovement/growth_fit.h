#pragma once

#include "growth.h"

namespace shosa::submovement::detail {

/// Samples before those met: what begins there may not be seen yet.
inline constexpr int kBack = 8;

/// Fits the last submovements of a growing model to the samples they touch.
class GrowthFit {
 public:
  GrowthFit(GrowthSpace& space, const GrowthParams& params, double channels)
      : space_(space), params_(params), n_(space.samples()), channels_(channels) {}

  /// The squared error that noise leaves on so many samples.
  double bound(int count) const;
  /// The first piece that is fitted anew where samples [0, end) are explained, and the first sample it touches.
  int first_active(const GrowthModel& model, int end) const;
  int window_begin(const GrowthModel& model, int first, int end) const;
  /// Whether pieces from `first` on, fitted anew to samples [from, to), meet them, and those from `seen` on by
  /// themselves.
  bool fit(GrowthModel& model, int first, int from, int seen, int to, int iterations);

 private:
  bool meets(const GrowthModel& model, int from, int seen, int to) const;

  GrowthSpace& space_;
  const GrowthParams& params_;
  int n_;
  double channels_;
};

}  // namespace shosa::submovement::detail
