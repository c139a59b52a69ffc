#include "rotation_regions.h"

#include <algorithm>
#include <cmath>

#include "rotation_polish.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kJump_rad = 0.35;   // What a turn from sample to sample changes by, where it is no movement.
constexpr double kShaking = 2.0;     // Of the bound: no submovements follow this.
constexpr int kReach = 2;            // Samples on both sides of the shortest parabola.
constexpr double kWindow_s = 0.125;  // On both sides: where shaking is averaged.
constexpr int kAround = 2;           // Samples on both sides of what is rough.
constexpr double kCalm_s = 0.5;      // What is calm for less is not worth a region.

// Squared distances to a parabola's value in the middle (Savitzky and Golay), per sample; 0 at the ends.
std::vector<double> off_parabola(const Eigen::MatrixXd& path, int reach) {
  const int n = static_cast<int>(path.rows());
  std::vector<double> off(static_cast<std::size_t>(n), 0.0);
  if (reach < 2 || n <= 2 * reach) return off;
  const double m = reach, scale = (2.0 * m - 1.0) * (2.0 * m + 1.0) * (2.0 * m + 3.0) / 3.0;
  Eigen::VectorXd weights(2 * reach + 1);
  for (int k = -reach; k <= reach; ++k) weights(k + reach) = (3.0 * m * (m + 1.0) - 1.0 - 5.0 * k * k) / scale;
  for (int i = reach; i + reach < n; ++i)
    off[static_cast<std::size_t>(i)] =
        (path.row(i) - weights.transpose() * path.middleRows(i - reach, 2 * reach + 1)).squaredNorm();
  return off;
}

}  // namespace

double roughness(std::span<const Quatd> samples, double step_s, double duration_s) {
  return roughness(develop(samples), step_s, duration_s);
}

double roughness(const Eigen::MatrixXd& path, double step_s, double duration_s) {
  const int reach = static_cast<int>(std::floor(0.5 * duration_s / step_s));
  const int n = static_cast<int>(path.rows());
  if (reach < 2 || n <= 2 * reach) return 0.0;
  double sum = 0.0;
  for (const double square : off_parabola(path, reach)) sum += square;
  return std::sqrt(sum / (n - 2 * reach));
}

std::vector<Region> split_at_jumps(std::span<const Quatd> samples, double step_s, double max_error) {
  const int n = static_cast<int>(samples.size());
  std::vector<bool> rough(samples.size(), false);
  bool any = false;
  const auto mark = [&](int first, int last) {
    for (int i = std::max(0, first); i <= std::min(n - 1, last); ++i) rough[static_cast<std::size_t>(i)] = true;
    any = true;
  };
  Vec3d before = Vec3d::Zero();
  for (int i = 1; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Vec3d turn = log_rotation(samples[at - 1].conjugate() * samples[at]);
    if (i > 1 && (turn - before).norm() > kJump_rad) mark(i - 2 - kAround, i + kAround);
    before = turn;
  }
  const std::vector<double> off = off_parabola(develop(samples), kReach);
  const int half = std::max(1, static_cast<int>(std::lround(kWindow_s / step_s)));
  const double allowed = kShaking * kShaking * max_error * max_error;
  std::vector<double> sums{0.0};
  for (const double square : off) sums.push_back(sums.back() + square);
  for (int i = 0; i < n; ++i) {
    const int from = std::max(0, i - half), to = std::min(n, i + half + 1);
    const double mean = (sums[static_cast<std::size_t>(to)] - sums[static_cast<std::size_t>(from)]) / (to - from);
    if (mean > allowed) mark(i - kAround, i + kAround);
  }
  if (!any) return {{0, n - 1, false}};

  std::vector<Region> regions;
  const int calm = std::max(2, static_cast<int>(std::lround(kCalm_s / step_s)));
  for (int i = 0; i < n;) {
    int last = i;
    while (last + 1 < n && rough[static_cast<std::size_t>(last) + 1] == rough[static_cast<std::size_t>(i)]) ++last;
    const bool is_rough = rough[static_cast<std::size_t>(i)] || last - i < calm;
    if (!regions.empty() && regions.back().rough == is_rough)
      regions.back().last = last;
    else
      regions.push_back({std::max(0, i - 1), last, is_rough});
    i = last + 1;
  }
  return regions;
}

}  // namespace shosa::submovement::detail
