#include "shosa/solve/spline_fit.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace shosa::solve {

// A symmetric system with three side diagonals, by Cholesky.
std::vector<Eigen::Vector4d> fit_spline(const SplineSignal& signal, int spacing) {
  const int frames = static_cast<int>(signal.size());
  const int cells = std::max(1, (4 * (frames - 1) + spacing - 1) / spacing), points = cells + 3;
  std::vector<std::array<double, 4>> band(static_cast<std::size_t>(points), {0.0, 0.0, 0.0, 0.0});  // [row][diagonal]
  std::vector<Eigen::Vector4d> right(static_cast<std::size_t>(points), Eigen::Vector4d::Zero());
  for (int f = 0; f < frames; ++f) {
    const double u = 4.0 * f / spacing;
    const int cell = std::min(static_cast<int>(u), cells - 1);
    const double x = u - cell, y = 1.0 - x;
    const double w[4] = {y * y * y / 6.0, (3.0 * x * x * x - 6.0 * x * x + 4.0) / 6.0,
                         (3.0 * y * y * y - 6.0 * y * y + 4.0) / 6.0, x * x * x / 6.0};
    for (int a = 0; a < 4; ++a) {
      right[cell + a] += w[a] * signal[f];
      for (int b = a; b < 4; ++b) band[cell + a][b - a] += w[a] * w[b];
    }
  }
  // Points that hardly any sample sees follow their neighbours: a little of the second difference.
  for (int i = 0; i + 2 < points; ++i) {
    constexpr double kTension = 1e-5;
    const double d[3] = {1.0, -2.0, 1.0};
    for (int a = 0; a < 3; ++a) {
      for (int b = a; b < 3; ++b) band[i + a][b - a] += kTension * d[a] * d[b];
    }
  }
  // In place L L^T; band[i][k] is the entry (i + k, i).
  for (int i = 0; i < points; ++i) {
    auto& row = band[i];
    row[0] = std::sqrt(std::max(row[0], 1e-12));
    for (int k = 1; k < 4; ++k) row[k] /= row[0];
    for (int a = 1; a < 4 && i + a < points; ++a) {
      for (int b = a; b < 4 && i + b < points; ++b) {
        band[i + a][b - a] -= row[a] * row[b];
      }
    }
  }
  for (int i = 0; i < points; ++i) {
    auto& v = right[i];
    for (int k = 1; k < 4 && i - k >= 0; ++k) v -= band[i - k][k] * right[i - k];
    v /= band[i][0];
  }
  for (int i = points - 1; i >= 0; --i) {
    auto& v = right[i];
    for (int k = 1; k < 4 && i + k < points; ++k) v -= band[i][k] * right[i + k];
    v /= band[i][0];
  }
  return right;
}

}  // namespace shosa::solve
