#include "growth_starts.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "rotation_frames.h"

namespace shosa::submovement::detail {

namespace {

constexpr int kTerms = 3;
constexpr int kGap = static_cast<int>(kStartGap);
constexpr std::size_t kSingles = 4, kPairs = 6;
constexpr double kLeast = 1e-9;    // Of a column: what the known ones leave of it.
constexpr double kGenerous = 2.0;  // Times the squared error that is enough.

struct Choice {
  double left = 0.0;
  int a = 0, b = -1;
};

/// Orthonormal columns that span the given ones.
Eigen::MatrixXd basis_of(const Eigen::MatrixXd& columns) {
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(columns);
  return qr.householderQ() * Eigen::MatrixXd::Identity(columns.rows(), std::min(qr.rank(), columns.rows()));
}

}  // namespace

std::vector<std::vector<Timing>> likely_starts(const StartWindow& window) {
  const auto rows = window.rest.rows();
  Eigen::MatrixXd rest = window.rest, out;
  if (window.known.cols() > 0) {
    out = basis_of(window.known);
    rest -= out * (out.transpose() * rest);
  }
  const int count = std::max(0, window.last - window.first);
  std::vector<Eigen::MatrixXd> columns;
  for (int a = window.first; a < window.last; ++a) {
    Eigen::MatrixXd own(rows, kTerms);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const double u = std::max(0.0, window.begin + static_cast<double>(i) - a) / static_cast<double>(rows);
      own(i, 0) = u * u * u;
      own(i, 1) = u * own(i, 0);
      own(i, 2) = u * own(i, 1);
    }
    if (out.cols() > 0) own -= out * (out.transpose() * own);
    columns.push_back(std::move(own));
  }
  const auto solve = [&](const Choice& c, Eigen::MatrixXd* terms) {
    Eigen::MatrixXd both(rows, c.b < 0 ? kTerms : 2 * kTerms);
    both.leftCols(kTerms) = columns[static_cast<std::size_t>(c.a)];
    if (c.b >= 0) both.rightCols(kTerms) = columns[static_cast<std::size_t>(c.b)];
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(both);
    qr.setThreshold(kLeast);
    if (terms) *terms = qr.solve(rest);
    Eigen::MatrixXd onto = rest;
    onto.applyOnTheLeft(qr.householderQ().setLength(qr.nonzeroPivots()).adjoint());
    return onto.bottomRows(rows - std::min(qr.rank(), rows)).squaredNorm();
  };
  std::vector<Choice> singles, pairs;
  const auto judge = [&](Choice c, std::vector<Choice>& list) {
    c.left = solve(c, nullptr);
    if (c.left <= kGenerous * window.enough) list.push_back(c);
  };
  const auto is_free = [&](int a) {
    return std::none_of(window.begun_s.begin(), window.begun_s.end(),
                        [&](double t0) { return std::abs(t0 / window.step_s - window.first - a) < kGap - 0.5; });
  };
  for (int a = 0; a < count; ++a) {
    if (!is_free(a)) continue;
    judge({0.0, a, -1}, singles);
    for (int b = a + kGap; b < count; ++b)
      if (is_free(b)) judge({0.0, a, b}, pairs);
  }
  const auto better = [](const Choice& x, const Choice& y) {
    return x.left != y.left ? x.left < y.left : std::pair(x.a, x.b) < std::pair(y.a, y.b);
  };
  std::sort(singles.begin(), singles.end(), better);
  std::sort(pairs.begin(), pairs.end(), better);
  singles.resize(std::min(singles.size(), kSingles));
  pairs.resize(std::min(pairs.size(), kPairs));

  std::vector<std::vector<Timing>> list;
  const double span_s = static_cast<double>(rows) * window.step_s;
  for (const auto& choices : {singles, pairs})
    for (const Choice& c : choices) {
      Eigen::MatrixXd terms;
      solve(c, &terms);
      std::vector<Timing> set;
      for (const auto& [index, row] : {std::pair(c.a, 0), {c.b, kTerms}}) {
        if (index < 0) continue;
        const double along = terms.row(row).dot(terms.row(row + 1)) / terms.row(row).squaredNorm();
        double duration = -1.5 * span_s / along;
        if (!(duration > 0.0)) duration = window.max_duration_s;
        duration = std::clamp(duration, window.min_duration_s, window.max_duration_s);
        const double t0 = (window.first + index) * window.step_s;
        set.push_back({t0, t0 + duration});
      }
      list.push_back(std::move(set));
    }
  return list;
}

double start_error(const StartWindow& window, const Eigen::VectorXd& slope, const Eigen::RowVectorXd& move) {
  Eigen::MatrixXd rest = window.rest;
  Eigen::VectorXd own = slope;
  if (window.known.cols() > 0) {
    const Eigen::MatrixXd q = basis_of(window.known);
    rest -= q * (q.transpose() * rest);
    own -= q * (q.transpose() * own);
  }
  const double square = own.squaredNorm();
  if (!(square > kLeast * slope.squaredNorm())) return 0.0;
  const Eigen::RowVectorXd onto = own.transpose() * rest / square;
  if ((rest - own * onto).squaredNorm() > kGenerous * window.enough) return 0.0;
  return onto.dot(move) / move.squaredNorm();
}

}  // namespace shosa::submovement::detail
