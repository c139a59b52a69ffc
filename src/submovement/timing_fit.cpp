#include "timing_fit.h"

#include <algorithm>
#include <cmath>

#include "shosa/solve/levenberg_marquardt.h"

namespace shosa::submovement::detail {

namespace {

// Keeps two equal columns solvable; far below what a displacement's sixth digit sees.
constexpr double kRidge = 1e-11;

}  // namespace

TimingFit::TimingFit(FitWindow window)
    : window_(std::move(window)),
      samples_(static_cast<int>(window_.target.rows())),
      channels_(static_cast<int>(window_.target.cols())),
      suffix_(samples_ + 1, channels_),
      buffer_(samples_, 3 * (kMaxActive + 1)) {
  suffix_.row(samples_).setZero();
  for (int c = 0; c < channels_; ++c)
    for (int i = samples_ - 1; i >= 0; --i) suffix_(i, c) = suffix_(i + 1, c) + window_.target(i, c);
  for (int k = 0; k <= kMaxActive; ++k) columns_[k].index = k;
  separable_.energy = window_.target.squaredNorm();
}

void TimingFit::fill(Column& column, const Timing& timing, bool with_slopes) {
  const double inverse = 1.0 / (timing.tf_s - timing.t0_s);
  const auto sample_after = [&](double time) {
    return static_cast<int>(std::clamp(std::ceil((time - window_.begin_s) / window_.step_s), 0.0, samples_ + 0.0));
  };
  column.begin = sample_after(timing.t0_s);
  column.end = std::max(column.begin, sample_after(timing.tf_s));
  const int begin = column.begin, size = column.end - column.begin;
  const double first = (window_.begin_s + begin * window_.step_s - timing.t0_s) * inverse;
  const double step = window_.step_s * inverse;
  auto value = buffer_.col(3 * column.index).segment(begin, size).array();
  if (with_slopes) {
    // d/dt0 = -30/T tau^2 (1 - tau)^3, d/dtf = -30/T tau^3 (1 - tau)^2.
    auto by_t0 = buffer_.col(3 * column.index + 1).segment(begin, size).array();
    auto by_tf = buffer_.col(3 * column.index + 2).segment(begin, size).array();
    for (int i = 0; i < size; ++i) by_tf(i) = first + i * step;
    value = by_tf * by_tf * by_tf * (10.0 - by_tf * (15.0 - 6.0 * by_tf));
    by_t0 = (-30.0 * inverse) * (by_tf * (1.0 - by_tf)).square();
    by_tf = by_t0 * by_tf;
    by_t0 -= by_tf;
  } else {
    for (int i = 0; i < size; ++i) value(i) = first + i * step;
    value = value * value * value * (10.0 - value * (15.0 - 6.0 * value));
  }
  buffer_.col(3 * column.index).tail(samples_ - column.end).setOnes();
}

double TimingFit::dot(const Column& a, const Column& b) const {
  const int begin = std::max(a.begin, b.begin), end = std::max({a.end, b.end, begin});
  return value(a, begin, end - begin).dot(value(b, begin, end - begin)) + (samples_ - end);
}

// Coefficients are the level before (row 0) and the displacements. With a fixed end the last displacement is what is
// left of the way.
void TimingFit::set_constraint(int count) {
  auto& s = separable_;
  const int columns = count + 1;
  const int first = window_.free_start ? 0 : 1;
  const int last = window_.free_end ? columns : columns - 1;
  const int free = std::max(last - first, 0);
  s.select.setZero(columns, free);
  s.offset.setZero(columns, channels_);
  for (int i = 0; i < free; ++i) s.select(first + i, i) = 1.0;
  if (!window_.free_end) {
    s.select.row(columns - 1).setConstant(-1.0);
    s.offset.row(columns - 1) = window_.end_level;
  }
}

double TimingFit::evaluate(const Parameters& x, Normal& jtj, Parameters& jtr) {
  const int count = static_cast<int>(x.size()) / 2;
  auto& s = separable_;
  s.gram.resize(count + 1, count + 1);
  s.cross.resize(count + 1, 2 * count);
  s.inner.resize(2 * count, 2 * count);
  s.data.resize(count + 1, channels_);
  s.slope.resize(2 * count, channels_);
  for (int k = 0; k < count; ++k) fill(columns_[k], {x(2 * k), x(2 * k + 1)}, true);

  s.gram(0, 0) = samples_;
  s.data.row(0) = suffix_.row(0);
  s.inner.setZero();
  for (int k = 0; k < count; ++k) {
    const Column& a = columns_[k];
    const int begin = a.begin, size = a.end - a.begin;
    s.gram(0, k + 1) = s.gram(k + 1, 0) = value(a, begin, size).sum() + (samples_ - a.end);
    s.cross(0, 2 * k) = by_t0(a, begin, size).sum();
    s.cross(0, 2 * k + 1) = by_tf(a, begin, size).sum();
    for (int c = 0; c < channels_; ++c) {
      const auto y = window_.target.col(c).segment(begin, size);
      s.data(k + 1, c) = value(a, begin, size).dot(y) + suffix_(a.end, c);
      s.slope(2 * k, c) = by_t0(a, begin, size).dot(y);
      s.slope(2 * k + 1, c) = by_tf(a, begin, size).dot(y);
    }
    for (int l = 0; l < count; ++l) {
      const Column& b = columns_[l];
      if (l >= k) s.gram(k + 1, l + 1) = s.gram(l + 1, k + 1) = dot(a, b);
      const int from = std::max(a.begin, b.begin);
      const int value_size = std::max(a.end - from, 0), slope_size = std::max(std::min(a.end, b.end) - from, 0);
      s.cross(l + 1, 2 * k) = by_t0(a, from, value_size).dot(value(b, from, value_size));
      s.cross(l + 1, 2 * k + 1) = by_tf(a, from, value_size).dot(value(b, from, value_size));
      if (l < k || slope_size == 0) continue;
      const auto a0 = by_t0(a, from, slope_size), a1 = by_tf(a, from, slope_size);
      const auto b0 = by_t0(b, from, slope_size), b1 = by_tf(b, from, slope_size);
      const auto put = [&](int i, int j, double sum) { s.inner(i, j) = s.inner(j, i) = sum; };
      put(2 * k, 2 * l, a0.dot(b0));
      put(2 * k, 2 * l + 1, a0.dot(b1));
      put(2 * k + 1, 2 * l, a1.dot(b0));
      put(2 * k + 1, 2 * l + 1, a1.dot(b1));
    }
  }
  // As if every displacement were also measured, at 0.
  for (int k = 1; k <= count; ++k) s.gram(k, k) += window_.ridge;
  s.owner.resize(2 * count);
  for (int i = 0; i < 2 * count; ++i) s.owner(i) = i / 2 + 1;
  set_constraint(count);
  jtj.resize(2 * count, 2 * count);
  jtr.resize(2 * count);
  evaluated_ = x;
  return cost_ = s.solve(kRidge, jtj, jtr);
}

void TimingFit::project(Parameters& x) const {
  for (Eigen::Index k = 0; k + 1 < x.size(); k += 2) {
    double& t0 = x(k);
    double& tf = x(k + 1);
    t0 = std::clamp(t0, window_.low_s, window_.high_s - window_.min_duration_s);
    tf = std::clamp(tf, window_.low_s + window_.min_duration_s, window_.high_s);
    const double middle = 0.5 * (t0 + tf), duration = tf - t0;
    const double allowed = std::clamp(duration, window_.min_duration_s, window_.max_duration_s);
    if (allowed != duration) {
      t0 = std::clamp(middle - 0.5 * allowed, window_.low_s, window_.high_s - allowed);
      tf = t0 + allowed;
    }
  }
}

solve::SolveReport TimingFit::fit(std::vector<Timing>& timings, int max_iterations, double stop_error) {
  Parameters x(2 * static_cast<int>(timings.size())), jtr;
  for (std::size_t k = 0; k < timings.size(); ++k) {
    x(static_cast<int>(2 * k)) = timings[k].t0_s;
    x(static_cast<int>(2 * k + 1)) = timings[k].tf_s;
  }
  project(x);
  Normal jtj;
  jtj.resize(x.size(), x.size());
  jtr.resize(x.size());
  const auto report = solve::levenberg_marquardt(
      *this, x, jtj, jtr,
      {.max_iterations = max_iterations, .relative_cost = 1e-7, .stop_cost = 0.5 * stop_error, .damping = 1e-2});
  if (evaluated_ != x) evaluate(x, jtj, jtr);
  penalized_error_ = 2.0 * cost_;
  levels_ = separable_.coefficients;
  squared_error_ =
      std::max(penalized_error_ - window_.ridge * levels_.bottomRows(levels_.rows() - 1).squaredNorm(), 0.0);
  for (std::size_t k = 0; k < timings.size(); ++k)
    timings[k] = {x(static_cast<int>(2 * k)), x(static_cast<int>(2 * k + 1))};
  return report;
}

void TimingFit::score(const std::vector<Timing>& timings, const std::vector<Timing>& candidates,
                      std::vector<double>& gains) {
  const int count = static_cast<int>(timings.size());
  Parameters x(2 * count), jtr(2 * count);
  for (int k = 0; k < count; ++k) {
    x(2 * k) = timings[k].t0_s;
    x(2 * k + 1) = timings[k].tf_s;
  }
  Normal jtj(2 * count, 2 * count);
  evaluate(x, jtj, jtr);
  auto& s = separable_;
  Eigen::MatrixXd normal = s.select.transpose() * s.gram * s.select;
  for (Eigen::Index i = 0; i < normal.rows(); ++i) normal(i, i) *= 1.0 + kRidge;
  const Eigen::LLT<Eigen::MatrixXd> factor(normal);
  Column& fresh = columns_[count];
  Eigen::VectorXd cross(count + 1), data(channels_);
  gains.resize(candidates.size());
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    fill(fresh, candidates[c], false);
    const int size = fresh.end - fresh.begin;
    const auto step = value(fresh, fresh.begin, size);
    cross(0) = step.sum() + (samples_ - fresh.end);
    for (int k = 0; k < count; ++k) cross(k + 1) = dot(fresh, columns_[k]);
    double square = dot(fresh, fresh) + window_.ridge;
    for (int d = 0; d < channels_; ++d)
      data(d) = step.dot(window_.target.col(d).segment(fresh.begin, size)) + suffix_(fresh.end, d);
    data -= s.coefficients.transpose() * cross;
    if (!window_.free_end) {
      // With the end fixed the candidate enters against the last step: phi - phi_last.
      const int last = count;
      square += -2.0 * cross(last) + s.gram(last, last);
      data -= (s.data.row(last) - s.gram.row(last) * s.coefficients).transpose();
      cross -= s.gram.col(last);
    }
    const Eigen::VectorXd reduced = s.select.transpose() * cross;
    const double left = square - (normal.rows() ? reduced.dot(factor.solve(reduced)) : 0.0);
    gains[c] = left > 1e-9 * std::max(square, 1.0) ? data.squaredNorm() / left : 0.0;
  }
}

}  // namespace shosa::submovement::detail
