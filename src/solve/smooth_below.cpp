#include "shosa/solve/smooth_below.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace shosa::solve {
namespace {

/// A symmetric positive definite matrix with two bands beside its diagonal, as L D L^T.
class Pentadiagonal {
 public:
  Pentadiagonal(std::span<const double> diagonal, std::span<const double> first, std::span<const double> second)
      : d_(diagonal.size()), a_(diagonal.size(), 0.0), b_(diagonal.size(), 0.0) {
    for (std::size_t i = 0; i < d_.size(); ++i) {
      if (i >= 2) b_[i] = second[i - 2] / d_[i - 2];
      if (i >= 1) a_[i] = (first[i - 1] - (i >= 2 ? b_[i] * d_[i - 2] * a_[i - 1] : 0.0)) / d_[i - 1];
      d_[i] = diagonal[i] - (i >= 1 ? a_[i] * a_[i] * d_[i - 1] : 0.0) - (i >= 2 ? b_[i] * b_[i] * d_[i - 2] : 0.0);
    }
  }
  void solve(std::span<const double> right, std::span<double> x) const {
    const std::size_t n = d_.size();
    for (std::size_t i = 0; i < n; ++i)
      x[i] = right[i] - (i >= 1 ? a_[i] * x[i - 1] : 0.0) - (i >= 2 ? b_[i] * x[i - 2] : 0.0);
    for (std::size_t i = n; i-- > 0;)
      x[i] = x[i] / d_[i] - (i + 1 < n ? a_[i + 1] * x[i + 1] : 0.0) - (i + 2 < n ? b_[i + 2] * x[i + 2] : 0.0);
  }

 private:
  std::vector<double> d_, a_, b_;
};

constexpr int kMostSweeps = 300;
constexpr double kPull = 4.0;   // ADMM's penalty, against weights of about 1
constexpr double kRelax = 1.6;  // over-relaxation

}  // namespace

SmoothBelowReport smooth_below(const SmoothBelowParams& params, std::span<double> x) {
  const int kept = params.kept, count = static_cast<int>(x.size()), unknown = count - kept;
  if (unknown <= 0) return {};
  const auto m = static_cast<std::size_t>(unknown), k = static_cast<std::size_t>(kept);
  std::vector<double> diagonal(m), first(m, 0.0), second(m, 0.0), right(m);
  for (std::size_t i = 0; i < m; ++i) {
    diagonal[i] = params.weight[k + i];
    right[i] = params.weight[k + i] * params.target[k + i];
  }
  constexpr double kRow[3] = {1.0, -2.0, 1.0};
  for (int center = std::max(1, kept - 1); center + 1 < count; ++center) {
    for (int i = 0; i < 3; ++i) {
      const int row = center - 1 + i - kept;
      if (row < 0) continue;
      const auto r = static_cast<std::size_t>(row);
      for (int j = 0; j < 3; ++j) {
        const int column = center - 1 + j - kept;
        const double value = params.stiffness * kRow[i] * kRow[j];
        if (column < 0) {
          right[r] -= value * x[column + kept];
        } else if (column == row) {
          diagonal[r] += value;
        } else if (column == row + 1) {
          first[r] += value;
        } else if (column == row + 2) {
          second[r] += value;
        }
      }
    }
  }
  const std::span<double> out = x.subspan(k);
  SmoothBelowReport report;
  Pentadiagonal(diagonal, first, second).solve(right, out);
  if (params.most.empty()) return report;
  const std::span<const double> bound = params.most.subspan(k);
  const auto over = [&] {
    double worst = 0.0;
    for (std::size_t i = 0; i < m; ++i) worst = std::max(worst, out[i] - bound[i]);
    return worst;
  };
  report.most_over = over();
  if (!(report.most_over > 0.0)) return report;

  for (double& d : diagonal) d += kPull;
  const Pentadiagonal factor(diagonal, first, second);
  std::vector<double> z(m), u(m, 0.0), pulled(m);
  for (std::size_t i = 0; i < m; ++i) z[i] = std::min(out[i], bound[i]);
  for (report.iterations = 1; report.iterations <= kMostSweeps; ++report.iterations) {
    for (std::size_t i = 0; i < m; ++i) pulled[i] = right[i] + kPull * (z[i] - u[i]);
    factor.solve(pulled, out);
    double moved = 0.0;
    for (std::size_t i = 0; i < m; ++i) {
      const double relaxed = kRelax * out[i] + (1.0 - kRelax) * z[i], before = z[i];
      z[i] = std::min(relaxed + u[i], bound[i]);
      u[i] += relaxed - z[i];
      moved = std::max(moved, std::abs(z[i] - before));
    }
    report.most_over = over();
    if (report.most_over < params.close && moved < 0.1 * params.close) break;
  }
  return report;
}

}  // namespace shosa::solve
