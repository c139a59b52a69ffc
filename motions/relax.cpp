#include "motions/relax.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "shosa/solve/minimum_jerk.h"

namespace shosa::motions {

constexpr int kLongest = 30;  ///< Frames: a longer swing is not smoothed more.

void relax(Eigen::MatrixXd& line, int first, int last, double share, int from, int columns) {
  const int count = last - first + 1, all = static_cast<int>(line.rows());
  const double weight = std::pow(2.0 * M_PI / (share * std::min(count, kLongest)), 6);
  Eigen::MatrixXd normal = weight * Eigen::MatrixXd::Identity(count, count);
  Eigen::MatrixXd right = weight * line.block(first, from, count, columns);
  constexpr double kThird[4] = {-1.0, 3.0, -3.0, 1.0};
  for (int begin = std::max(0, first - 3); begin + 3 < all && begin <= last; ++begin) {
    for (int a = 0; a < 4; ++a) {
      const int row = begin + a - first;
      if (row < 0 || row >= count) continue;
      for (int b = 0; b < 4; ++b) {
        const int column = begin + b - first;
        if (column >= 0 && column < count) {
          normal(row, column) += kThird[a] * kThird[b];
        } else {
          right.row(row) -= kThird[a] * kThird[b] * line.row(begin + b).segment(from, columns);
        }
      }
    }
  }
  line.block(first, from, count, columns) = normal.ldlt().solve(right);
}

double inside(int frame, int count) {
  const double ramp = std::min(0.2 * count, 6.0);
  return solve::minimum_jerk_value(frame + 1, 0.0, ramp) * solve::minimum_jerk_value(count - frame, 0.0, 1.25 * ramp);
}

double clearing(double air) {
  return solve::minimum_jerk_value(air, 0.05, 0.5) * (1.0 - solve::minimum_jerk_value(air, 0.7, 1.0));
}

void raise_clear(int count, const std::function<double(int)>& lack_m, const std::function<void(int, double)>& raise) {
  const int half = std::max(2, count / 6);
  for (int round = 0; round < 40; ++round) {
    std::vector<double> lack(static_cast<std::size_t>(count));
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
      const double need = lack_m(i);
      lack[i] = std::max(0.0, need);
      most = std::max(most, need);
    }
    if (most < 1e-4) return;
    for (int i = 0; i < count; ++i) {
      double height = 0.0, weights = 0.0;
      for (int d = -half; d <= half; ++d) {
        const double weight = std::pow(std::cos(0.5 * M_PI * d / (half + 1.0)), 4);
        weights += weight;
        if (i + d >= 0 && i + d < count) height += weight * lack[i + d];
      }
      raise(i, inside(i, count) * height / weights);
    }
  }
}

}  // namespace shosa::motions
