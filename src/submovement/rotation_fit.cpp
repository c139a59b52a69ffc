#include "rotation_fit.h"

#include <algorithm>
#include <cmath>

#include "shosa/solve/levenberg_marquardt.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement::detail {

namespace {

using Eigen::Matrix3d;

Matrix3d cross_matrix(const Vec3d& v) {
  Matrix3d m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

}  // namespace

Matrix3d right_jacobian(const Vec3d& v) {
  const double a2 = v.squaredNorm(), a = std::sqrt(a2);
  // (1 - cos a) / a^2 and (a - sin a) / a^3, by their series near 0.
  const double first = a > 1e-3 ? (1.0 - std::cos(a)) / a2 : 0.5 - a2 / 24.0;
  const double second = a > 1e-3 ? (a - std::sin(a)) / (a2 * a) : 1.0 / 6.0 - a2 / 120.0;
  const Matrix3d k = cross_matrix(v);
  return Matrix3d::Identity() - first * k + second * k * k;
}

Matrix3d inverse_left_jacobian(const Vec3d& v) {
  const double a2 = v.squaredNorm(), a = std::sqrt(a2);
  const double second =
      a > 1e-3 ? (1.0 - 0.5 * a * std::cos(0.5 * a) / std::sin(0.5 * a)) / a2 : 1.0 / 12.0 + a2 / 720.0;
  const Matrix3d k = cross_matrix(v);
  return Matrix3d::Identity() - 0.5 * k + second * k * k;
}

RotationFit::RotationFit(RotationWindow window, const Quatd& start, std::vector<RotationSubmovement> factors)
    : window_(std::move(window)), start_(start), factors_(std::move(factors)), whole_(Quatd::Identity()) {
  for (const auto& f : factors_) whole_ = whole_ * exp_rotation(f.rotation_rad);
}

Quatd RotationFit::start() const {
  return (start_ * exp_rotation(start_turn_)).normalized();
}

Eigen::VectorXd RotationFit::parameters() const {
  Eigen::VectorXd x(3 + 5 * static_cast<Eigen::Index>(factors_.size()));
  x.head<3>() = start_turn_;
  for (std::size_t k = 0; k < factors_.size(); ++k) {
    const Eigen::Index at = 3 + 5 * static_cast<Eigen::Index>(k);
    x(at) = factors_[k].t0_s;
    x(at + 1) = factors_[k].tf_s;
    x.segment<3>(at + 2) = factors_[k].rotation_rad;
  }
  return x;
}

double RotationFit::evaluate(const Eigen::VectorXd& x, Eigen::MatrixXd& jtj, Eigen::VectorXd& jtr) {
  const int count = (static_cast<int>(x.size()) - 3) / 5;
  jtj.setZero(x.size(), x.size());
  jtr.setZero(x.size());
  const Vec3d turn = x.head<3>();
  const Quatd start = start_ * exp_rotation(turn);
  const Matrix3d start_slope = window_.free_start ? right_jacobian(turn) : Matrix3d::Zero();

  // What a factor is once it has ended, for all samples after.
  struct Ended {
    Quatd turn;
    Matrix3d slope;
  };
  std::vector<Ended> ended(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) {
    const Vec3d r = x.segment<3>(5 * k + 5);
    ended[static_cast<std::size_t>(k)] = {exp_rotation(r), right_jacobian(r)};
  }

  double cost = 0.0;
  std::vector<Eigen::Matrix<double, 3, 5>> slopes(static_cast<std::size_t>(count));
  std::vector<Quatd> turns(static_cast<std::size_t>(count));
  std::vector<int> state(static_cast<std::size_t>(count));  // 0 not begun, 1 under way, 2 ended.
  std::vector<Eigen::Index> used;
  Eigen::Matrix<double, 3, Eigen::Dynamic> rows(3, x.size());

  // Upper triangle, row by row, over the columns that a sample moves.
  const auto size = static_cast<std::size_t>(x.size());
  std::vector<double> sums(size * size, 0.0);
  const auto accumulate = [&](const Vec3d& error, double weight) {
    cost += 0.5 * weight * error.squaredNorm();
    const double* const r = rows.data();
    for (std::size_t a = 0; a < used.size(); ++a) {
      const auto i = static_cast<std::size_t>(used[a]);
      const double r0 = weight * r[3 * i], r1 = weight * r[3 * i + 1], r2 = weight * r[3 * i + 2];
      jtr(used[a]) += r0 * error.x() + r1 * error.y() + r2 * error.z();
      double* const line = sums.data() + i * size;
      for (std::size_t b = a; b < used.size(); ++b) {
        const auto j = static_cast<std::size_t>(used[b]);
        line[j] += r0 * r[3 * j] + r1 * r[3 * j + 1] + r2 * r[3 * j + 2];
      }
    }
  };

  for (std::size_t i = 0; i < window_.samples.size(); ++i) {
    const double time = window_.begin_s + static_cast<double>(i) * window_.step_s;
    Quatd model = window_.before.empty() ? start : window_.before[i] * start;
    for (int k = 0; k < count; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const double t0 = x(5 * k + 3), tf = x(5 * k + 4);
      if (time <= t0) {
        state[at] = 0;
        continue;
      }
      if (time >= tf) {
        state[at] = 2;
        model = model * ended[at].turn;
        continue;
      }
      state[at] = 1;
      const Vec3d r = x.segment<3>(5 * k + 5);
      const auto step = solve::minimum_jerk_timing(time, t0, tf);
      turns[at] = exp_rotation(step.value * r);
      slopes[at].col(0) = step.by_t0 * r;
      slopes[at].col(1) = step.by_tf * r;
      slopes[at].rightCols<3>() = step.value * right_jacobian(step.value * r);
      model = model * turns[at];
    }
    Matrix3d later = Matrix3d::Identity();
    if (!window_.after.empty()) {
      model = model * window_.after[i];
      later = window_.after[i].toRotationMatrix().transpose();
    }
    // e = log(M^T D); when M turns by d in its own frame, e changes by -J_l^-1(e) d.
    const Vec3d error = log_rotation(model.conjugate() * window_.samples[i]);
    later = -(inverse_left_jacobian(error) * later).eval();
    used.clear();
    for (int k = count - 1; k >= 0; --k) {
      const auto at = static_cast<std::size_t>(k);
      if (state[at] == 0) continue;
      const Eigen::Index column = 5 * k + 3;
      if (state[at] == 2) {
        rows.middleCols<3>(column + 2) = later * ended[at].slope;
        later = (later * ended[at].turn.toRotationMatrix().transpose()).eval();
      } else {
        rows.middleCols<5>(column) = later * slopes[at];
        later = (later * turns[at].toRotationMatrix().transpose()).eval();
      }
    }
    if (window_.free_start) {
      rows.leftCols<3>() = later * start_slope;
      for (Eigen::Index c = 0; c < 3; ++c) used.push_back(c);
    }
    for (int k = 0; k < count; ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (state[at] == 0) continue;
      for (Eigen::Index c = state[at] == 2 || window_.fixed_timings ? 2 : 0; c < 5; ++c) used.push_back(5 * k + 3 + c);
    }
    accumulate(error, 1.0);
  }

  if (window_.end_weight > 0.0) {
    Quatd product = exp_rotation(turn);
    for (const auto& e : ended) product = product * e.turn;
    const Vec3d error = log_rotation(product.conjugate() * whole_);
    Matrix3d later = -inverse_left_jacobian(error);
    used.clear();
    for (int k = count - 1; k >= 0; --k) {
      rows.middleCols<3>(5 * k + 5) = later * ended[static_cast<std::size_t>(k)].slope;
      later = (later * ended[static_cast<std::size_t>(k)].turn.toRotationMatrix().transpose()).eval();
    }
    if (window_.free_start) {
      rows.leftCols<3>() = later * start_slope;
      for (Eigen::Index c = 0; c < 3; ++c) used.push_back(c);
    }
    for (int k = 0; k < count; ++k)
      for (Eigen::Index c = 2; c < 5; ++c) used.push_back(5 * k + 3 + c);
    accumulate(error, window_.end_weight);
  }
  for (Eigen::Index i = 0; i < x.size(); ++i)
    for (Eigen::Index j = i; j < x.size(); ++j)
      jtj(i, j) = sums[static_cast<std::size_t>(i) * size + static_cast<std::size_t>(j)];
  return cost;
}

void RotationFit::project(Eigen::VectorXd& x) const {
  if (window_.fixed_timings) return;
  double earliest = std::max(window_.low_s, window_.first_t0_s);
  for (Eigen::Index at = 3; at < x.size(); at += 5) {
    double& t0 = x(at);
    double& tf = x(at + 1);
    const double duration = std::clamp(tf - t0, window_.min_duration_s, window_.max_duration_s);
    if (duration != tf - t0) {
      const double middle = 0.5 * (t0 + tf);
      t0 = middle - 0.5 * duration;
      tf = middle + 0.5 * duration;
    }
    const double latest = std::min(window_.high_s - window_.min_duration_s, window_.last_t0_s);
    t0 = std::clamp(t0, std::min(earliest, latest), latest);
    tf = std::clamp(tf, t0 + window_.min_duration_s, std::max(window_.high_s, t0 + window_.min_duration_s));
    earliest = t0;
  }
}

solve::SolveReport RotationFit::fit(int max_iterations, double stop_error) {
  Eigen::VectorXd x = parameters(), jtr;
  Eigen::MatrixXd jtj;
  project(x);
  jtj.resize(x.size(), x.size());
  jtr.resize(x.size());
  const auto report = solve::levenberg_marquardt(
      *this, x, jtj, jtr,
      {.max_iterations = max_iterations, .relative_cost = 1e-4, .stop_cost = 0.5 * stop_error, .damping = 1e-3});
  squared_error_ = 2.0 * report.final_cost;
  start_turn_ = x.head<3>();
  for (std::size_t k = 0; k < factors_.size(); ++k) {
    const Eigen::Index at = 3 + 5 * static_cast<Eigen::Index>(k);
    factors_[k] = {x(at), x(at + 1), x.segment<3>(at + 2)};
  }
  return report;
}

}  // namespace shosa::submovement::detail
