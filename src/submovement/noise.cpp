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

bool samples_were_made(const Eigen::MatrixXd& data, double noise) {
  const double range = (data.rowwise() - data.row(0)).rowwise().norm().maxCoeff();
  return data.rows() >= 20 && noise < 1e-6 * range;
}

double estimate_noise(const Eigen::MatrixXd& data) {
  if (data.rows() < 20) return 0.0;
  std::vector<double> squares = sixth_differences(data);
  // The lower third, scaled by the chi-square quantile of as many channels (Wilson-Hilferty).
  const auto nth = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 3);
  std::nth_element(squares.begin(), nth, squares.end());
  const double k = static_cast<double>(data.cols());
  const double quantile = std::pow(1.0 - 2.0 / (9.0 * k) - 0.4307 * std::sqrt(2.0 / (9.0 * k)), 3.0);
  return std::sqrt(*nth / (924.0 * quantile));
}

std::vector<double> find_knots(const Eigen::MatrixXd& data, double noise) {
  const auto squares = sixth_differences(data);
  double largest = 0.0;
  for (const double square : squares) largest = std::max(largest, square);
  const double none = std::max(924.0 * 100.0 * noise * noise, 1e-20 * largest);
  std::vector<double> knots;
  const int n = static_cast<int>(squares.size());
  for (int i = 0; i < n; ++i) {
    if (squares[static_cast<std::size_t>(i)] <= none) continue;
    int last = i;
    while (last + 1 < n && squares[static_cast<std::size_t>(last) + 1] > none) ++last;
    // Seven samples see a knot that lies between the first and the last of them. At an end of the recording the knot
    // may be nearer to it.
    const int from = i == 0 ? 0 : i + 5, to = last == n - 1 ? last + 5 : last;
    for (int k = std::min(from, to); k <= std::max(from, to); ++k) knots.push_back(k + 0.5);
    i = last;
  }
  return knots;
}

}  // namespace shosa::submovement::detail
