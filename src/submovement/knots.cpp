#include "knots.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace shosa::submovement::detail {

namespace {

constexpr int kTerms = 3;        // (t - k)^3, ^4, ^5 behind a knot.
constexpr double kMissed = 2.0;  // Times the noise: a window that a model misses.
constexpr double kNoRounding = 1e-12;
constexpr double kVisible = 6.0;  // Times the noise: a window that cannot do without a knot.

// Windows of 2 `reach` + 1 samples, times scaled to [-1, 1].
struct Window {
  int reach = 0;
  Eigen::MatrixXd smooth;  // Orthonormal polynomials.
};

Window make_window(int reach, int degree) {
  const int n = 2 * reach + 1;
  Eigen::MatrixXd powers(n, degree + 1);
  for (int i = 0; i < n; ++i) {
    const double u = static_cast<double>(i - reach) / reach;
    // Legendre's recurrence keeps the columns apart.
    powers(i, 0) = 1.0;
    if (degree > 0) powers(i, 1) = u;
    for (int d = 2; d <= degree; ++d)
      powers(i, d) = ((2.0 * d - 1.0) * u * powers(i, d - 1) - (d - 1.0) * powers(i, d - 2)) / d;
  }
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(powers);
  return {reach, qr.householderQ() * Eigen::MatrixXd::Identity(n, degree + 1)};
}

// A knot at `place` of a window: what it leaves, and its terms (a row each, in scaled time).
struct Fit {
  double place = 0.0;
  double left = 1e300;
  Eigen::MatrixXd terms = {};
  double snap_factor = 0.0;  // Standard deviation of the second term over that of a sample.
  double shift = 0.0;        // Where the knot would rather be, to first order.
};

Fit fit_knot(const Window& window, const Eigen::MatrixXd& rest, double place) {
  const int n = 2 * window.reach + 1;
  // The slope by the place comes last, so that what it explains can be told from the terms.
  Eigen::MatrixXd columns(n, kTerms + 1);
  for (int i = 0; i < n; ++i) {
    const double v = std::max(static_cast<double>(i - window.reach) / window.reach - place, 0.0);
    columns(i, 0) = v * v * v;
    columns(i, 1) = v * columns(i, 0);
    columns(i, 2) = v * columns(i, 1);
    columns(i, 3) = v * v;
  }
  columns -= window.smooth * (window.smooth.transpose() * columns);
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(columns);
  const Eigen::MatrixXd onto = (qr.householderQ().transpose() * rest);
  const auto solved = [&](Eigen::Index size) {
    return qr.matrixQR().topLeftCorner(size, size).triangularView<Eigen::Upper>().solve(onto.topRows(size)).eval();
  };
  Fit fit{.place = place};
  fit.left = onto.bottomRows(n - kTerms).squaredNorm();
  fit.terms = solved(kTerms);
  const Eigen::Matrix3d unit = Eigen::Matrix3d::Identity();
  fit.snap_factor = qr.matrixQR().topLeftCorner<3, 3>().triangularView<Eigen::Upper>().solve(unit).row(1).norm();
  const Eigen::MatrixXd all = solved(kTerms + 1);
  fit.shift = -all.row(3).dot(all.row(0)) / (3.0 * all.row(0).squaredNorm());
  return fit;
}

// The best place less than `half` from the middle, by Gauss and Newton's steps; what is left is huge where there is
// none.
Fit best_place(const Window& window, const Eigen::MatrixXd& rest, double half, double enough) {
  Fit best = fit_knot(window, rest, 0.0);
  if (std::abs(best.shift) > 3.0 * half) return {};
  for (int i = 0; i < 8; ++i) {
    Fit next = fit_knot(window, rest, std::clamp(best.place + best.shift, -2.0 * half, 2.0 * half));
    if (!(next.left < best.left)) break;
    const bool settled = next.left > 0.999 * best.left;
    best = std::move(next);
    if (settled) break;
    if (i == 2 && best.left > 1e4 * enough) break;
  }
  return std::abs(best.place) <= half ? best : Fit{};
}

}  // namespace

std::vector<Knot> isolated_knots(const Eigen::MatrixXd& data, double step_s, const std::vector<double>& noise,
                                 int degree) {
  const int n = static_cast<int>(data.rows());
  const double channels = static_cast<double>(data.cols());
  std::vector<Window> windows;
  for (const double reach : {5.0, 7.0, 10.0, 14.0, 20.0, 28.0})
    windows.push_back(make_window(static_cast<int>(reach) + (degree > 5 ? degree - 4 : 0), degree));
  std::vector<Knot> knots;
  for (int centre = windows[0].reach; centre + windows[0].reach < n; ++centre) {
    Knot best;
    for (const Window& window : windows) {
      if (centre < window.reach || centre + window.reach >= n) break;
      const int size = 2 * window.reach + 1;
      const Eigen::MatrixXd y = data.middleRows(centre - window.reach, size).rowwise() - data.row(centre);
      const Eigen::MatrixXd rest = y - window.smooth * (window.smooth.transpose() * y);
      double square = 0.0;
      for (int i = centre - window.reach; i <= centre + window.reach; ++i)
        square += noise[static_cast<std::size_t>(i)] * noise[static_cast<std::size_t>(i)];
      const double unit = channels * square, deviation = std::sqrt(square / size);
      if (rest.squaredNorm() < kVisible * kVisible * unit) {
        // Without rounding a knot shows in the shortest window.
        if (deviation < kNoRounding) break;
        continue;
      }
      const double half = 0.5001 / window.reach;
      const Fit fit = best_place(window, rest, half, kMissed * kMissed * unit);
      if (fit.left > kMissed * kMissed * unit) {
        if (best.reach > 0) break;
        continue;
      }
      const double scale = window.reach * step_s;
      best.reach = window.reach;
      best.time_s = centre * step_s + fit.place * scale;
      best.jerk = 6.0 * fit.terms.row(0) / (scale * scale * scale);
      const Eigen::RowVectorXd snap = 24.0 * fit.terms.row(1) / (scale * scale * scale * scale);
      const double along = best.jerk.dot(snap) / best.jerk.squaredNorm();
      best.duration_s = -6.0 / along;
      const double snap_error = deviation * fit.snap_factor * 24.0 / (scale * scale * scale * scale);
      best.duration_error = snap_error / best.jerk.norm() / std::abs(along);
      best.sideways = (snap - along * best.jerk).norm() / (std::abs(along) * best.jerk.norm());
    }
    if (best.reach > 0) knots.push_back(std::move(best));
  }
  return knots;
}

}  // namespace shosa::submovement::detail
