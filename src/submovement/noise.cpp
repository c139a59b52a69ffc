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

double estimate_noise(const Eigen::MatrixXd& data) {
  if (data.rows() < 20) return 0.0;
  std::vector<double> squares = sixth_differences(data);
  // What stands still, to the last bit, says nothing of the noise of what moves.
  std::size_t kept = 0;
  for (Eigen::Index i = 0; i + 7 <= data.rows(); ++i) {
    const bool still = (data.middleRows(i, 7).rowwise() - data.row(i)).isZero(0.0);
    if (!still) squares[kept++] = squares[static_cast<std::size_t>(i)];
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

}  // namespace shosa::submovement::detail
