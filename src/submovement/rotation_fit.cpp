#include "rotation_fit.h"

#include <algorithm>
#include <cmath>

#include "shosa/core/rotations.h"
#include "shosa/solve/levenberg_marquardt.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement::detail {

using Eigen::Matrix3d;

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

// Rows of the Jacobian are written in the frame in front of the first factor: factor k moves a sample by
// R_k = start F_1 ... F_k J_k, wherever the factors behind it stand. Once a factor and all before it have ended, R_k is
// the same for every later sample, so that these columns need only sums over the samples. With e = log(M' D), the
// change of e is -J_l^-1(e) R_k; as J_l^-1(e)' e = e the gradient is exact without J_l, and the matrix is the one for
// small errors.
double RotationFit::evaluate(const Eigen::VectorXd& x, Eigen::MatrixXd& jtj, Eigen::VectorXd& jtr) {
  const int count = (static_cast<int>(x.size()) - 3) / 5;
  const Eigen::Index size = x.size();
  jtj.setZero(size, size);
  jtr.setZero(size);
  settled_.setZero(3, size);
  sums_.setZero(3, size);
  moving_.resize(3, size);
  const Vec3d turn = x.head<3>();
  const Quatd start = start_ * exp_rotation(turn);
  int samples = 0, ended = 0;
  double cost = 0.0;
  Vec3d errors = Vec3d::Zero();

  // Where the settled columns stand: how many samples and which sum of errors came before them.
  struct Entry {
    Eigen::Index column;
    int samples;
    Vec3d errors;
  };
  std::vector<Entry> entries;
  const auto settle = [&](Eigen::Index column, const Matrix3d& rows) {
    for (Eigen::Index c = 0; c < 3; ++c) {
      settled_.col(column + c) = rows.col(c);
      entries.push_back({column + c, samples, errors});
    }
  };
  // Products of settled columns with those that moved since the last time.
  const auto flush = [&](int first_moving) {
    const Eigen::Index from = 3 + 5 * first_moving;
    if (from >= size || (count > 0 && first_moving >= count)) return;
    for (const Entry& entry : entries)
      jtj.row(entry.column).tail(size - from) +=
          settled_.col(entry.column).transpose().lazyProduct(sums_.rightCols(size - from));
    sums_.rightCols(size - from).setZero();
  };

  std::vector<ExpDerivative> full(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) full[k] = exp_derivative(x.segment<3>(5 * k + 5));
  Quatd settled_turn = start;
  if (window_.free_start) settle(0, start.toRotationMatrix() * exp_derivative(turn).left.transpose());

  for (std::size_t i = 0; i < window_.samples.size(); ++i) {
    const double time = window_.begin_s + static_cast<double>(i) * window_.step_s;
    while (ended < count && x(5 * ended + 4) <= time) {
      flush(ended);
      const ExpDerivative& factor = full[ended];
      settled_turn = settled_turn * factor.turn;
      settle(5 * ended + 5, settled_turn.toRotationMatrix() * factor.left.transpose());
      ++ended;
    }
    Quatd model = settled_turn;
    used_.clear();
    for (int k = ended; k < count; ++k) {
      const double t0 = x(5 * k + 3), tf = x(5 * k + 4);
      if (time <= t0) continue;
      const Eigen::Index column = 5 * k + 3;
      if (time >= tf) {
        const ExpDerivative& factor = full[k];
        model = model * factor.turn;
        moving_.middleCols<3>(column + 2) = model.toRotationMatrix() * factor.left.transpose();
      } else {
        const Vec3d r = x.segment<3>(column + 2);
        const auto step = solve::minimum_jerk_timing(time, t0, tf);
        const ExpDerivative factor = exp_derivative(step.value * r);
        model = model * factor.turn;
        const Matrix3d frame = model.toRotationMatrix();
        if (!window_.fixed_timings) {
          const Vec3d along = frame * r;
          moving_.col(column) = step.by_t0 * along;
          moving_.col(column + 1) = step.by_tf * along;
          used_.push_back(column);
          used_.push_back(column + 1);
        }
        moving_.middleCols<3>(column + 2) = step.value * (frame * factor.left.transpose());
      }
      for (Eigen::Index c = 2; c < 5; ++c) used_.push_back(column + c);
    }
    if (!window_.after.empty()) model = model * window_.after[i];
    const Quatd whole = window_.before.empty() ? model : window_.before[i] * model;
    const Vec3d error = log_rotation(whole.conjugate() * window_.samples[i]);
    const Vec3d turned = model * error;
    cost += 0.5 * error.squaredNorm();
    errors += turned;
    ++samples;
    for (std::size_t a = 0; a < used_.size(); ++a) {
      const Eigen::Index row = used_[a];
      const double r0 = moving_(0, row), r1 = moving_(1, row), r2 = moving_(2, row);
      jtr(row) -= r0 * turned.x() + r1 * turned.y() + r2 * turned.z();
      sums_.col(row) += moving_.col(row);
      for (std::size_t b = a; b < used_.size(); ++b) {
        const double* const other = moving_.data() + 3 * used_[b];
        jtj(row, used_[b]) += r0 * other[0] + r1 * other[1] + r2 * other[2];
      }
    }
  }
  flush(ended);
  for (std::size_t b = 0; b < entries.size(); ++b) {
    const Eigen::Index column = entries[b].column;
    jtr(column) -= settled_.col(column).dot(errors - entries[b].errors);
    // Columns settle in ascending order: the later of two decides how many samples see both.
    for (std::size_t a = 0; a <= b; ++a)
      jtj(entries[a].column, column) +=
          (samples - entries[b].samples) * settled_.col(entries[a].column).dot(settled_.col(column));
  }
  if (window_.end_weight > 0.0) cost += add_end(x, full, jtj, jtr);
  for (Eigen::Index at = 5; at < size; at += 5) {
    cost += 0.5 * window_.ridge * x.segment<3>(at).squaredNorm();
    jtr.segment<3>(at) += window_.ridge * x.segment<3>(at);
    jtj.diagonal().segment<3>(at).array() += window_.ridge;
  }
  return cost;
}

// What a change of the whole product costs.
double RotationFit::add_end(const Eigen::VectorXd& x, std::span<const ExpDerivative> full, Eigen::MatrixXd& jtj,
                            Eigen::VectorXd& jtr) {
  const Vec3d turn = x.head<3>();
  Quatd product = exp_rotation(turn);
  moving_.setZero(3, x.size());
  if (window_.free_start) moving_.leftCols<3>() = product.toRotationMatrix() * exp_derivative(turn).left.transpose();
  for (std::size_t k = 0; k < full.size(); ++k) {
    product = product * full[k].turn;
    moving_.middleCols<3>(5 * static_cast<Eigen::Index>(k) + 5) = product.toRotationMatrix() * full[k].left.transpose();
  }
  const Vec3d error = log_rotation(product.conjugate() * whole_);
  jtr -= window_.end_weight * (moving_.transpose() * (product * error));
  jtj += window_.end_weight * moving_.transpose().lazyProduct(moving_);
  return 0.5 * window_.end_weight * error.squaredNorm();
}

void RotationFit::project(Eigen::VectorXd& x) const {
  for (Eigen::Index at = 5; at < x.size(); at += 5) {
    const double angle = x.segment<3>(at).norm();
    if (angle > kMostTurn_rad) x.segment<3>(at) *= kMostTurn_rad / angle;
  }
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
  start_turn_ = x.head<3>();
  for (std::size_t k = 0; k < factors_.size(); ++k) {
    const Eigen::Index at = 3 + 5 * static_cast<Eigen::Index>(k);
    factors_[k] = {x(at), x(at + 1), x.segment<3>(at + 2)};
  }
  return report;
}

}  // namespace shosa::submovement::detail
