#include "growth_starts.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "frames.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement::detail {

namespace {

constexpr int kTerms = 3;
constexpr int kGap = kStartGap;
constexpr std::size_t kSingles = 4, kPairs = 6;
constexpr double kLeast = 1e-9;    // Of a column: what the known ones leave of it.
constexpr double kGenerous = 2.0;  // Times the squared error that is enough.
// Frames before and after the first sample, between which something may be under way.
constexpr int kBefore[] = {1, 2, 3, 5, 8, 12, 18, 27, 40, 60, 90, 130};
constexpr int kAfter[] = {2, 3, 4, 6, 8, 11, 15, 20, 27, 36, 50, 70, 100, 140, 200, 280};
constexpr int kSoon = 11;
constexpr std::size_t kBeginnings = 5;

struct Choice {
  double left = 0.0;
  int a = 0, b = -1;
};

/// Orthonormal columns that span the given ones.
Eigen::MatrixXd basis_of(const Eigen::MatrixXd& columns) {
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(columns);
  return qr.householderQ() * Eigen::MatrixXd::Identity(columns.rows(), std::min(qr.rank(), columns.rows()));
}

/// What is left of the samples, and of any columns, beside those along which the model may still change.
class Beside {
 public:
  explicit Beside(const Eigen::MatrixXd& known) : known_(known.cols() > 0 ? basis_of(known) : known) {}
  template <class Columns>
  void take(Columns& columns) const {
    if (known_.cols() > 0) columns -= known_ * (known_.transpose() * columns).eval();
  }

 private:
  Eigen::MatrixXd known_;
};

/// Of c3 u^3 + c4 u^4 + ..., with u = 1 after `span_s`; the longest where the terms tell none.
double duration_s(const Eigen::RowVectorXd& c3, const Eigen::RowVectorXd& c4, double span_s,
                  const StartWindow& window) {
  const double duration = -1.5 * span_s / (c3.dot(c4) / c3.squaredNorm());
  return std::clamp(duration > 0.0 ? duration : window.max_duration_s, window.min_duration_s, window.max_duration_s);
}

}  // namespace

std::vector<std::vector<Timing>> likely_starts(const StartWindow& window, bool two) {
  const auto rows = window.rest.rows();
  const Beside beside(window.known);
  Eigen::MatrixXd rest = window.rest;
  beside.take(rest);
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
    beside.take(own);
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
  std::vector<Choice> choices;
  const auto judge = [&](Choice c) {
    c.left = solve(c, nullptr);
    if (c.left <= kGenerous * window.enough) choices.push_back(c);
  };
  const auto is_free = [&](int a) {
    return std::none_of(window.begun_s.begin(), window.begun_s.end(),
                        [&](double t0) { return std::abs(t0 / window.step_s - window.first - a) < kGap - 0.5; });
  };
  for (int a = 0; a < count; ++a) {
    if (!is_free(a)) continue;
    if (!two) judge({0.0, a, -1});
    for (int b = a + kGap; two && b < count; ++b)
      if (is_free(b)) judge({0.0, a, b});
  }
  const auto better = [](const Choice& x, const Choice& y) {
    return x.left != y.left ? x.left < y.left : std::pair(x.a, x.b) < std::pair(y.a, y.b);
  };
  std::sort(choices.begin(), choices.end(), better);
  choices.resize(std::min(choices.size(), two ? kPairs : kSingles));

  std::vector<std::vector<Timing>> list;
  const double span_s = static_cast<double>(rows) * window.step_s;
  for (const Choice& c : choices) {
    Eigen::MatrixXd terms;
    solve(c, &terms);
    std::vector<Timing> set;
    for (const auto& [index, row] : {std::pair(c.a, 0), {c.b, kTerms}}) {
      if (index < 0) continue;
      const double duration = duration_s(terms.row(row), terms.row(row + 1), span_s, window);
      const double t0 = (window.first + index) * window.step_s;
      set.push_back({t0, t0 + duration});
    }
    list.push_back(std::move(set));
  }
  return list;
}

std::vector<std::vector<Timing>> likely_short_ones(const StartWindow& window, bool two) {
  const auto rows = window.rest.rows();
  const Beside beside(window.known);
  Eigen::MatrixXd rest = window.rest;
  beside.take(rest);
  const FrameLimits limits(window.min_duration_s, window.max_duration_s, window.step_s);
  const int end = window.begin + static_cast<int>(rows) - 1;
  struct Candidate {
    int start = 0, duration = 0;
    Eigen::VectorXd column = {};
    Eigen::RowVectorXd onto = {};
    double square = 0.0;
  };
  const auto begun = [&](int start) {
    return std::any_of(window.begun_s.begin(), window.begun_s.end(),
                       [&](double t0) { return std::abs(t0 / window.step_s - start) < kGap - 0.5; });
  };
  std::vector<Candidate> candidates;
  for (int start = window.first; start + limits.shortest <= end; ++start) {
    if (begun(start)) continue;
    for (int duration = limits.shortest; duration <= limits.longest && start + duration <= end; ++duration) {
      Candidate c{start, duration, Eigen::VectorXd(rows)};
      for (Eigen::Index i = 0; i < rows; ++i)
        c.column(i) = solve::minimum_jerk_value(window.begin + static_cast<double>(i), start, start + duration);
      const double whole = c.column.squaredNorm();
      beside.take(c.column);
      c.square = c.column.squaredNorm();
      if (!(c.square > kLeast * whole)) continue;
      c.onto = c.column.transpose() * rest;
      candidates.push_back(std::move(c));
    }
  }
  struct Pair {
    double left = 0.0;
    std::size_t a = 0, b = 0;
  };
  std::vector<Pair> pairs;
  const double all = rest.squaredNorm(), enough = kGenerous * window.enough;
  for (std::size_t a = 0; a < candidates.size(); ++a) {
    const Candidate& one = candidates[a];
    const double left = all - one.onto.squaredNorm() / one.square;
    if (!two && left <= enough) pairs.push_back({left, a, a});
    for (std::size_t b = a + 1; two && b < candidates.size(); ++b) {
      const Candidate& other = candidates[b];
      if (other.start - one.start < kGap) continue;
      const double share = one.column.dot(other.column) / one.square;
      const double across = other.square - share * share * one.square;
      if (!(across > kLeast * other.square)) continue;
      const double both = left - (other.onto - share * one.onto).squaredNorm() / across;
      if (both <= enough) pairs.push_back({both, a, b});
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& x, const Pair& y) {
    return x.left != y.left ? x.left < y.left : std::pair(x.a, x.b) < std::pair(y.a, y.b);
  });
  pairs.resize(std::min(pairs.size(), kSingles));
  std::vector<std::vector<Timing>> list;
  const auto timing = [&](const Candidate& c) {
    return Timing{c.start * window.step_s, (c.start + c.duration) * window.step_s};
  };
  for (const Pair& p : pairs) {
    list.push_back({timing(candidates[p.a])});
    if (p.b != p.a) list.back().push_back(timing(candidates[p.b]));
  }
  return list;
}

std::vector<std::vector<Timing>> likely_beginnings(const StartWindow& window) {
  const auto rows = window.rest.rows();
  struct Choice {
    double left = 0.0;
    Timing under_way = {};
    int start = -1;
    double duration_s = 0.0;
  };
  std::vector<Choice> choices;
  const double span = static_cast<double>(rows);
  for (const int before : kBefore)
    for (const int after : kAfter) {
      const double t0 = -before, tf = after;
      if ((tf - t0) * window.step_s < window.min_duration_s || (tf - t0) * window.step_s > window.max_duration_s)
        continue;
      Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(rows, 2 + kTerms);
      columns.col(0).setOnes();
      for (Eigen::Index i = 0; i < rows; ++i) columns(i, 1) = solve::minimum_jerk_value(static_cast<double>(i), t0, tf);
      // -1: alone.
      for (int start = -1; start < std::min<Eigen::Index>(kSoon, rows - kTerms); ++start) {
        if (start == 0) continue;
        for (Eigen::Index i = 0; start > 0 && i < rows; ++i) {
          const double u = std::max(0.0, static_cast<double>(i) - start) / span;
          columns(i, 2) = u * u * u;
          columns(i, 3) = u * columns(i, 2);
          columns(i, 4) = u * columns(i, 3);
        }
        const Eigen::HouseholderQR<Eigen::MatrixXd> qr(columns.leftCols(start > 0 ? 2 + kTerms : 2));
        const auto size = qr.matrixQR().cols();
        const Eigen::MatrixXd onto = qr.householderQ().adjoint() * window.rest;
        Choice c{onto.bottomRows(rows - size).squaredNorm(), {t0 * window.step_s, tf * window.step_s}, start};
        if (start > 0) {
          const Eigen::MatrixXd terms =
              qr.matrixQR().topRows(size).triangularView<Eigen::Upper>().solve(onto.topRows(size));
          c.duration_s = duration_s(terms.row(2), terms.row(3), span * window.step_s, window);
        }
        choices.push_back(c);
      }
    }
  std::sort(choices.begin(), choices.end(), [](const Choice& x, const Choice& y) {
    return std::tuple(x.left, x.under_way.t0_s, x.under_way.tf_s, x.start) <
           std::tuple(y.left, y.under_way.t0_s, y.under_way.tf_s, y.start);
  });
  // One for every start, the best first, and the best alone, which leaves more than any with another, before these.
  std::vector<std::vector<Timing>> list;
  std::vector<int> seen;
  std::stable_partition(choices.begin(), choices.end(), [](const Choice& c) { return c.start < 0; });
  for (const Choice& c : choices) {
    if (std::find(seen.begin(), seen.end(), c.start) != seen.end()) continue;
    seen.push_back(c.start);
    list.push_back({c.under_way});
    if (c.start > 0) list.back().push_back({c.start * window.step_s, c.start * window.step_s + c.duration_s});
    if (list.size() == kBeginnings) break;
  }
  return list;
}

double start_error(const StartWindow& window, const Eigen::VectorXd& slope, const Eigen::RowVectorXd& move) {
  Eigen::MatrixXd rest = window.rest;
  Eigen::VectorXd own = slope;
  const Beside beside(window.known);
  beside.take(rest);
  beside.take(own);
  const double square = own.squaredNorm();
  if (!(square > kLeast * slope.squaredNorm())) return 0.0;
  const Eigen::RowVectorXd onto = own.transpose() * rest / square;
  if ((rest - own * onto).squaredNorm() > kGenerous * window.enough) return 0.0;
  return onto.dot(move) / move.squaredNorm();
}

}  // namespace shosa::submovement::detail
