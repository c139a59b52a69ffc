#include "noise.h"

#include <algorithm>
#include <cmath>
#include <vector>

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

// Metres or radians: nothing is measured as exactly.
constexpr double kSinglePrecision = 5e-8;
constexpr double kLeastShare = 0.05;

bool samples_were_made(const Eigen::MatrixXd& data, double noise) {
  const double range = (data.rowwise() - data.row(0)).rowwise().norm().maxCoeff();
  return data.rows() >= 20 && noise < std::max(1e-6 * range, std::min(kSinglePrecision, 1e-4 * range));
}

namespace {

// The sixth differences' quantile `share` as a standard deviation; `scale` is that of the chi-square distribution.
double noise_quantile(const Eigen::MatrixXd& data, double share, double scale) {
  std::vector<double> squares = sixth_differences(data);
  // What stands still, to the last bit, says nothing of the noise of what moves.
  std::size_t kept = 0;
  for (Eigen::Index i = 0; i + 7 <= data.rows(); ++i) {
    const bool still = (data.middleRows(i, 7).rowwise() - data.row(i)).isZero(0.0);
    if (!still) squares[kept++] = squares[static_cast<std::size_t>(i)];
  }
  squares.resize(kept);
  if (squares.size() < 7) return 0.0;
  const auto nth = squares.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(squares.size()));
  std::nth_element(squares.begin(), nth, squares.end());
  return std::sqrt(*nth / (924.0 * scale));
}

}  // namespace

double estimate_noise(const Eigen::MatrixXd& data) {
  if (data.rows() < 20) return 0.0;
  // The lower third, scaled by the chi-square quantile of as many channels (Wilson-Hilferty).
  const double k = static_cast<double>(data.cols());
  return noise_quantile(data, 1.0 / 3.0, std::pow(1.0 - 2.0 / (9.0 * k) - 0.4307 * std::sqrt(2.0 / (9.0 * k)), 3.0));
}

double least_noise(const Eigen::MatrixXd& data) {
  return noise_quantile(data, kLeastShare, 1.0);
}

namespace {

// Runs of sixth differences that do not vanish: first and last of each.
struct Runs {
  std::vector<std::pair<int, int>> list;
  int differences = 0;
};

Runs knot_runs(const Eigen::MatrixXd& data, double noise) {
  const auto squares = sixth_differences(data);
  double largest = 0.0;
  for (const double square : squares) largest = std::max(largest, square);
  const double none = std::max(924.0 * 100.0 * noise * noise, 1e-20 * largest);
  Runs runs{.list = {}, .differences = static_cast<int>(squares.size())};
  for (int i = 0; i < runs.differences; ++i) {
    if (squares[static_cast<std::size_t>(i)] <= none) continue;
    int last = i;
    while (last + 1 < runs.differences && squares[static_cast<std::size_t>(last) + 1] > none) ++last;
    runs.list.emplace_back(i, last);
    i = last;
  }
  return runs;
}

}  // namespace

std::vector<double> find_knots(const Eigen::MatrixXd& data, double noise) {
  const Runs runs = knot_runs(data, noise);
  std::vector<double> knots;
  for (const auto& [first, last] : runs.list) {
    // Seven samples see a knot that lies between the first and the last of them. At an end of the recording the knot
    // may be nearer to it.
    const int from = first == 0 ? 0 : first + 5, to = last == runs.differences - 1 ? last + 5 : last;
    for (int k = std::min(from, to); k <= std::max(from, to); ++k) knots.push_back(k + 0.5);
  }
  return knots;
}

int knot_count(const Eigen::MatrixXd& data, double noise) {
  int count = 0;
  for (const auto& [first, last] : knot_runs(data, noise).list) count += 1 + (last - first) / 6;
  return count;
}

}  // namespace shosa::submovement::detail
