#include "growth_fit.h"

#include <algorithm>
#include <cmath>

namespace shosa::submovement::detail {

namespace {

constexpr int kActive = 7;                        // Submovements that are fitted anew at every step …
constexpr double kSeen_s = 0.25;                  // … unless they ended so long ago …
constexpr double kActive_s = 2.0;                 // … and began so long ago.
constexpr double kSoonEnough = 0.2;               // Of the error that noise leaves.
constexpr double kNearly = 50.0, kSomehow = 1e4;  // Times that error: worth more iterations, worth a try on frames.
constexpr double kMissed = 2.5;                   // Times the noise: samples that are not met.

}  // namespace

double GrowthFit::bound(int count) const {
  const double miss = kMissed * params_.noise;
  return miss * miss * channels_ * count;
}

bool GrowthFit::meets(const GrowthModel& model, int from, int seen, int to) const {
  const Eigen::MatrixXd left = space_.left(model, from, to);
  return left.squaredNorm() <= bound(to - from) && left.bottomRows(to - seen).squaredNorm() <= 2.0 * bound(to - seen);
}

int GrowthFit::first_active(const GrowthModel& model, int end) const {
  const int count = static_cast<int>(model.pieces.size());
  int first = std::max(0, count - kActive);
  const double now_s = end * params_.step_s;
  const auto over = [&](const Timing& t) { return t.tf_s < now_s - kSeen_s && t.t0_s < now_s - kActive_s; };
  while (first < count && over(model.pieces[static_cast<std::size_t>(first)].time)) ++first;
  return first;
}

int GrowthFit::window_begin(const GrowthModel& model, int first, int end) const {
  double begin_s = (end - kBack) * params_.step_s;
  for (std::size_t k = static_cast<std::size_t>(first); k < model.pieces.size(); ++k)
    begin_s = std::min(begin_s, model.pieces[k].time.t0_s - params_.step_s);
  return std::clamp(static_cast<int>(std::floor(begin_s / params_.step_s)), model.from, n_ - 1);
}

bool GrowthFit::fit(GrowthModel& model, int first, int from, int seen, int to, int iterations) {
  space_.fit(model, first, from, to, iterations, kSoonEnough * bound(to - from));
  if (meets(model, from, seen, to)) return true;
  const double left = space_.left(model, from, to).squaredNorm() / bound(to - from);
  // A long window may be met well enough before its end is.
  if (params_.on_frames && left < kNearly) {
    space_.fit(model, first, from, to, iterations, 0.0);
    if (meets(model, from, seen, to)) return true;
  }
  if (!params_.on_frames || left > kSomehow || first >= static_cast<int>(model.pieces.size())) return false;
  // Times that hardly show are met to the last digit on their frames.
  space_.fit_on_frames(model, first, from, to, kSoonEnough * bound(to - from));
  return meets(model, from, seen, to);
}

}  // namespace shosa::submovement::detail
