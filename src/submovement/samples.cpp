#include "samples.h"

#include <algorithm>
#include <cmath>

namespace shosa::submovement::detail {

int search_stride(double step_s) {
  return std::max(1, static_cast<int>(std::floor(1.0 / (50.0 * step_s) + 1e-6)));
}

namespace {

// Squared, mean over the channels.
std::vector<double> sixth_differences(const Eigen::MatrixXd& data) {
  // Coefficients of the sixth difference; their squares sum to 924.
  constexpr double kTaps[7] = {1, -6, 15, -20, 15, -6, 1};
  std::vector<double> squares;
  for (Eigen::Index i = 0; i + 7 <= data.rows(); ++i) {
    double sum = 0.0;
    for (Eigen::Index c = 0; c < data.cols(); ++c) {
      double difference = 0.0;
      for (int k = 0; k < 7; ++k) difference += kTaps[k] * data(i + k, c);
      sum += difference * difference;
    }
    squares.push_back(sum / static_cast<double>(data.cols()));
  }
  return squares;
}

}  // namespace

double estimate_noise(const Eigen::MatrixXd& data) {
  if (data.rows() < 20) return 0.0;
  std::vector<double> squares = sixth_differences(data);
  // What stands still, to the last bit, says nothing of the noise of what moves.
  std::size_t kept = 0;
  for (Eigen::Index i = 0; i + 7 <= data.rows(); ++i) {
    const bool still = (data.middleRows(i, 7).rowwise() - data.row(i)).isZero(0.0);
    if (!still) squares[kept++] = squares[i];
  }
  squares.resize(kept);
  if (squares.size() < 7) return 0.0;
  // The lower third, scaled by the chi-square quantile of as many channels (Wilson-Hilferty).
  const auto nth = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 3);
  std::nth_element(squares.begin(), nth, squares.end());
  const double k = static_cast<double>(data.cols());
  const double quantile = std::pow(1.0 - 2.0 / (9.0 * k) - 0.4307 * std::sqrt(2.0 / (9.0 * k)), 3.0);
  return std::sqrt(*nth / (924.0 * quantile));
}

namespace {

constexpr double kShaking = 2.0;     // Of the bound: what is farther from its parabola is no submovement.
constexpr int kReach = 2;            // Samples on both sides of the shortest parabola.
constexpr double kWindow_s = 0.125;  // On both sides: where shaking is averaged.
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
    off[i] = (path.row(i) - weights.transpose() * path.middleRows(i - reach, 2 * reach + 1)).squaredNorm();
  return off;
}

}  // namespace

double roughness(const Eigen::MatrixXd& path, double step_s, double duration_s) {
  const int reach = static_cast<int>(std::floor(std::min(0.5 * duration_s / step_s, 1e6)));
  const int n = static_cast<int>(path.rows());
  if (reach < 2 || n <= 2 * reach) return 0.0;
  double sum = 0.0;
  for (const double square : off_parabola(path, reach)) sum += square;
  return std::sqrt(sum / (n - 2 * reach));
}

std::vector<Region> rough_regions(const Eigen::MatrixXd& path, double step_s, double max_error) {
  const int n = static_cast<int>(path.rows());
  const auto frames = [&](double duration_s, int least) {
    return std::max(least, static_cast<int>(std::lround(std::min(duration_s / step_s, 1e6))));
  };
  const int half = frames(kWindow_s, 1), calm = frames(kCalm_s, 2);
  std::vector<double> sums{0.0};
  for (const double square : off_parabola(path, kReach)) sums.push_back(sums.back() + square);
  const auto is_rough = [&](int i) {
    const int from = std::max(0, i - half), to = std::min(n, i + half + 1);
    const double mean = (sums[to] - sums[from]) / (to - from);
    return mean > kShaking * kShaking * max_error * max_error;
  };

  std::vector<Region> regions;
  for (int i = 0; i < n;) {
    int last = i;
    while (last + 1 < n && is_rough(last + 1) == is_rough(i)) ++last;
    const bool whole = i == 0 && last == n - 1;
    const bool rough = is_rough(i) || (!whole && last - i < calm);
    if (!regions.empty() && regions.back().rough == rough)
      regions.back().last = last;
    else
      regions.push_back({std::max(0, i - 1), last, rough});
    i = last + 1;
  }
  return regions;
}

}  // namespace shosa::submovement::detail
