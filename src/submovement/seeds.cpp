#include "seeds.h"

#include <algorithm>
#include <cmath>

namespace shosa::submovement::detail {

namespace {

struct Hump {
  int left, peak, right;
  double height;  // Of the peak above the higher of its valleys.
};

// Humps of a profile whose prominence is at least `prominence`.
std::vector<Hump> find_humps(const Eigen::VectorXd& profile, double prominence) {
  std::vector<Hump> humps;
  const int n = static_cast<int>(profile.size());
  int valley = 0, peak = 0;
  bool rising = true;
  for (int i = 1; i < n; ++i) {
    if (rising) {
      if (profile(i) > profile(peak)) peak = i;
      if (profile(i) < profile(valley) && peak == valley) valley = peak = i;
      if (profile(peak) - profile(i) >= prominence && profile(peak) - profile(valley) >= prominence) {
        humps.push_back({valley, peak, i, 0.0});
        valley = i;
        rising = false;
      }
    } else {
      if (profile(i) < profile(valley)) valley = i;
      humps.back().right = valley;
      if (profile(i) - profile(valley) >= prominence) {
        peak = i;
        rising = true;
      }
    }
  }
  if (rising && profile(peak) - profile(valley) >= prominence) humps.push_back({valley, peak, n - 1, 0.0});
  for (Hump& h : humps) h.height = profile(h.peak) - std::max(profile(h.left), profile(h.right));
  return humps;
}

}  // namespace

std::vector<Timing> profile_seeds(const Eigen::MatrixXd& data, double step_s, double noise, double min_duration_s) {
  const int n = static_cast<int>(data.rows());
  const int half = std::max(1, static_cast<int>(std::lround(0.5 * min_duration_s / step_s)));
  if (n < 4 * half) return {};
  // Velocity as a difference across about the shortest duration: smooth enough for capture noise.
  Eigen::MatrixXd velocity = Eigen::MatrixXd::Zero(n, data.cols());
  for (int i = 0; i < n; ++i) {
    const int a = std::max(i - half, 0), b = std::min(i + half, n - 1);
    velocity.row(i) = (data.row(b) - data.row(a)) / ((b - a) * step_s);
  }
  const Eigen::VectorXd speed = velocity.rowwise().norm();
  const double threshold = std::max(0.08 * speed.maxCoeff(), 4.0 * noise / (2.0 * half * step_s));

  std::vector<Timing> seeds;
  const auto add = [&](const Hump& hump) {
    // A minimum-jerk hump is symmetric: as long as twice its shorter flank where the longer one is shared.
    const double left = (hump.peak - hump.left) * step_s, right = (hump.right - hump.peak) * step_s;
    const double flank = std::max(std::min(left, right) * 1.25, 0.6 * min_duration_s);
    const double t = hump.peak * step_s;
    seeds.push_back({t - flank, t + flank});
  };
  for (const Hump& hump : find_humps(speed, threshold)) add(hump);
  for (Eigen::Index c = 0; c < data.cols(); ++c) {
    for (const double sign : {1.0, -1.0}) {
      for (const Hump& hump : find_humps(sign * velocity.col(c), 1.5 * threshold)) {
        const double t = hump.peak * step_s;
        const bool known = std::any_of(seeds.begin(), seeds.end(), [&](const Timing& s) {
          return std::abs(0.5 * (s.t0_s + s.tf_s) - t) < std::max(0.3 * (s.tf_s - s.t0_s), min_duration_s);
        });
        if (!known && sign * velocity(hump.peak, c) > 0.0) add(hump);
      }
    }
  }
  std::sort(seeds.begin(), seeds.end(), [](const Timing& a, const Timing& b) { return a.t0_s < b.t0_s; });
  return seeds;
}

namespace {

constexpr double kStillShare = 0.005;  // Of the way, at each end of the span.
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
  const double begin_s = at_way(kStillShare), end_s = at_way(1.0 - kStillShare);

  std::vector<std::vector<Timing>> seeds;
  for (const double overlap : kOverlaps) {
    // In units of one duration the chain is 1 + (count - 1)(1 - overlap) long.
    const double length = 1.0 + (count - 1) * (1.0 - overlap);
    for (const bool in_time : {true, false}) {
      std::vector<Timing> chain;
      for (int k = 0; k < count; ++k) {
        const double from = k * (1.0 - overlap) / length, to = (k * (1.0 - overlap) + 1.0) / length;
        const auto place = [&](double share) {
          return in_time ? begin_s + share * (end_s - begin_s)
                         : at_way(kStillShare + (1.0 - 2.0 * kStillShare) * share);
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
