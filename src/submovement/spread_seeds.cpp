#include "spread_seeds.h"

#include <algorithm>
#include <cmath>

namespace shosa::submovement::detail {

namespace {

constexpr double kStill = 0.005;  // Of the way, at each end of the span.
constexpr double kOverlaps[] = {0.5, 0.2};

}  // namespace

std::vector<std::vector<Timing>> spread_seeds(const FitWindow& window, double noise, int count) {
  const int n = static_cast<int>(window.target.rows());
  const int half = std::max(1, static_cast<int>(std::lround(0.5 * window.min_duration_s / window.step_s)));
  if (n < 4 * half || count < 1) return {};
  // The way up to a sample, less what noise alone would make of it.
  Eigen::VectorXd way = Eigen::VectorXd::Zero(n);
  const double seeming = 3.0 * noise;
  for (int i = 1; i < n; ++i) {
    const int a = std::max(i - half, 0), b = std::min(i + half, n - 1);
    const double step = (window.target.row(b) - window.target.row(a)).norm();
    way(i) = way(i - 1) + std::max(step - seeming, 0.0) / (b - a);
  }
  const double whole = way(n - 1);
  if (!(whole > 0.0)) return {};
  const auto at_way = [&](double share) {
    const double* reached = std::lower_bound(way.data(), way.data() + n, share * whole);
    return window.begin_s + window.step_s * static_cast<double>(std::min<std::ptrdiff_t>(reached - way.data(), n - 1));
  };
  const double begin_s = at_way(kStill), end_s = at_way(1.0 - kStill);

  std::vector<std::vector<Timing>> seeds;
  for (const double overlap : kOverlaps) {
    // In units of one duration the chain is 1 + (count - 1)(1 - overlap) long.
    const double length = 1.0 + (count - 1) * (1.0 - overlap);
    for (const bool in_time : {true, false}) {
      std::vector<Timing> chain;
      for (int k = 0; k < count; ++k) {
        const double from = k * (1.0 - overlap) / length, to = (k * (1.0 - overlap) + 1.0) / length;
        const auto place = [&](double share) {
          return in_time ? begin_s + share * (end_s - begin_s) : at_way(kStill + (1.0 - 2.0 * kStill) * share);
        };
        chain.push_back({place(from), std::max(place(to), place(from) + window.min_duration_s)});
      }
      seeds.push_back(std::move(chain));
      if (count == 1) return seeds;
    }
  }
  return seeds;
}

}  // namespace shosa::submovement::detail
