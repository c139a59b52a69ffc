// Fewer submovements from other starts, where those found crowd together.

#include <algorithm>
#include <cmath>

#include "search.h"
#include "seeds.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kCrowded = 0.6;  // Neighbours that overlap by more of the shorter one.
constexpr int kMostFewer = 4;
constexpr int kGentleIterations = 12, kFreeIterations = 40;
constexpr double kFar = 4.0;  // Times the error allowed after the first iterations.

}  // namespace

// Submovements of [first, last) that lie on top of each other: often two or three for one that was not found.
bool Search::crowded(int first, int last) const {
  for (int k = first; k < last; ++k) {
    const Timing& a = pieces_[k].time;
    for (int l = k + 1; l < last; ++l) {
      const Timing& b = pieces_[l].time;
      const double shared = std::min(a.tf_s, b.tf_s) - b.t0_s;
      if (shared > kCrowded * std::min(a.tf_s - a.t0_s, b.tf_s - b.t0_s)) return true;
    }
  }
  return false;
}

// The best by the criterion of all chains of fewer that are fitted in place of pieces [first, last).
Search::Trial Search::spread_out(int first, int last) {
  const int count = last - first;
  const std::size_t others = pieces_.size() - static_cast<std::size_t>(count);
  TimingFit free = window_fit(first, last, 1e300, -1e300);
  FitWindow near = free.window();
  near.ridge = gentle_ridge_;
  TimingFit gentle(near);
  Trial best{.first = first, .last = last};
  double least = criterion(squared_error_, pieces_.size());
  for (int fewer = count - 1; fewer >= std::max(1, count - kMostFewer); --fewer) {
    for (std::vector<Timing>& seed : spread_seeds(free.window(), params_.noise, fewer)) {
      Trial trial = attempt(gentle, first, last, std::move(seed), kGentleIterations);
      if (squared_error_ - trial.gain > kFar * noise_error()) continue;
      improve(free, trial, kFreeIterations);
      const double value = criterion(squared_error_ - trial.gain, others + static_cast<std::size_t>(fewer));
      if (value >= least) continue;
      least = value;
      best = std::move(trial);
    }
  }
  return best;
}

// Every crowded group once, from the first to the last.
bool Search::rearrange() {
  if (!params_.thorough) return false;
  bool any = false;
  for (int first = 0; first < static_cast<int>(pieces_.size()); first += kMaxActive / 2) {
    const int last = std::min(first + kMaxActive, static_cast<int>(pieces_.size()));
    const bool all = last == static_cast<int>(pieces_.size());
    if (crowded(first, last)) {
      const Trial trial = spread_out(first, last);
      if (!trial.timings.empty()) {
        commit(trial);
        any = true;
      }
    }
    if (all) break;
  }
  if (any) polish(1);
  return any;
}

}  // namespace shosa::submovement::detail
