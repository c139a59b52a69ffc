#include "profile_seeds.h"

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

}  // namespace shosa::submovement::detail
