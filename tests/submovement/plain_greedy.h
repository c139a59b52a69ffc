#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <span>
#include <vector>

#include "shosa/solve/minimum_jerk.h"
#include "shosa/submovement/model.h"

namespace shosa::submovement::test {

/// A plain greedy fit, to compare with: the step that lowers the error most is added, from a grid of starts and
/// durations and then by halving its grid, all displacements are solved anew, and so on until the root mean square is
/// at most `max_error_m`. Timings once chosen stay, nothing is merged. Returns how many it took.
inline int plain_greedy_count(std::span<const Vec3d> samples, double step_s, double max_error_m, int most = 200) {
  // 60 Hz is enough for a count.
  const int stride = std::max(1, static_cast<int>(1.0 / (50.0 * step_s)));
  std::vector<Vec3d> kept;
  for (std::size_t i = 0; i < samples.size(); i += static_cast<std::size_t>(stride)) kept.push_back(samples[i]);
  step_s *= stride;
  const auto n = static_cast<Eigen::Index>(kept.size());
  Eigen::MatrixXd data(n, 3);
  for (Eigen::Index i = 0; i < n; ++i) data.row(i) = kept[i] - kept[0];
  // Orthonormal basis of the columns so far; the constant first.
  std::vector<Eigen::VectorXd> basis{Eigen::VectorXd::Constant(n, 1.0 / std::sqrt(static_cast<double>(n)))};
  Eigen::MatrixXd residual = data - basis[0] * (basis[0].transpose() * data);
  const auto column = [&](double t0, double tf) {
    Eigen::VectorXd v(n);
    for (Eigen::Index i = 0; i < n; ++i) v(i) = solve::minimum_jerk_value(static_cast<double>(i) * step_s, t0, tf);
    for (const auto& b : basis) v -= b * b.dot(v);
    return v;
  };
  const auto gain = [&](double t0, double tf) {
    const Eigen::VectorXd v = column(t0, tf);
    const double square = v.squaredNorm();
    return square > 1e-9 ? (v.transpose() * residual).squaredNorm() / square : 0.0;
  };
  int count = 0;
  const double length = static_cast<double>(n - 1) * step_s;
  while (std::sqrt(residual.squaredNorm() / static_cast<double>(n)) > max_error_m && count < most) {
    double best = -1.0, best_t0 = 0.0, best_duration = 0.2;
    for (double duration = 0.12; duration < 2.5; duration *= 1.5) {
      for (double t0 = -0.5 * duration; t0 < length; t0 += 0.2 * duration) {
        const double g = gain(t0, t0 + duration);
        if (g > best) best = g, best_t0 = t0, best_duration = duration;
      }
    }
    for (double grid = 0.12; grid > 0.002; grid *= 0.5) {
      const double t0 = best_t0, duration = best_duration;
      for (const double a : {-1.0, 0.0, 1.0}) {
        for (const double b : {-1.0, 0.0, 1.0}) {
          const double from = t0 + a * grid * duration, to = from + std::max(0.1, duration * (1.0 + b * grid));
          const double g = gain(from, to);
          if (g > best) best = g, best_t0 = from, best_duration = to - from;
        }
      }
    }
    basis.push_back(column(best_t0, best_t0 + best_duration).normalized());
    residual -= basis.back() * (basis.back().transpose() * residual);
    ++count;
  }
  return count;
}

}  // namespace shosa::submovement::test
