#include "sum_fit.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "frames.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kRidge = 1e-9;  // Weight of a displacement as a sample of 0: keeps two equal columns solvable.

// Everything at one set of timings.
struct State {
  Eigen::MatrixXd levels;  // Start (where free) and displacements.
  Eigen::MatrixXd jtj;
  Eigen::VectorXd jtr;
  double cost = 0.0;  // Squared error.
};

class Problem {
 public:
  Problem(const Eigen::MatrixXd& target, const SumFitParams& params) : target_(target), params_(params) {}

  State at(const std::vector<Timing>& timings, bool slopes) {
    const auto n = target_.rows(), count = static_cast<Eigen::Index>(timings.size());
    const Eigen::Index first = params_.free_start ? 1 : 0, columns = first + count;
    State state;
    if (columns == 0) {
      state.cost = target_.squaredNorm();
      return state;
    }
    basis_.setZero(n + columns, columns);
    slopes_.setZero(n + columns, 2 * count);
    if (params_.free_start) basis_.col(0).head(n).setOnes();
    for (Eigen::Index k = 0; k < count; ++k) {
      const Timing& t = timings[static_cast<std::size_t>(k)];
      for (Eigen::Index i = 0; i < n; ++i) {
        const auto step =
            solve::minimum_jerk_timing(params_.begin_s + static_cast<double>(i) * params_.step_s, t.t0_s, t.tf_s);
        basis_(i, first + k) = step.value;
        slopes_(i, 2 * k) = t.t0_s >= params_.fixed_starts_from_s ? 0.0 : step.by_t0;
        slopes_(i, 2 * k + 1) = is_end_known(t.tf_s) ? 0.0 : step.by_tf;
      }
      basis_(n + first + k, first + k) = kRidge;
    }
    qr_.compute(basis_);
    const Eigen::MatrixXd q = qr_.householderQ() * Eigen::MatrixXd::Identity(n + columns, columns);
    state.levels =
        qr_.matrixQR().topRows(columns).triangularView<Eigen::Upper>().solve(q.topRows(n).transpose() * target_);
    if (!state.levels.allFinite()) {
      state.cost = 1e300;
      return state;
    }
    const Eigen::MatrixXd left = target_ - basis_.topRows(n) * state.levels;
    state.cost = left.squaredNorm();
    if (!slopes) return state;
    const Eigen::MatrixXd moves = state.levels.bottomRows(count);
    const Eigen::MatrixXd inner = slopes_.topRows(n).transpose() * left;  // 2 count x channels
    slopes_ -= q * (q.transpose() * slopes_);
    state.jtj = slopes_.transpose() * slopes_;
    const Eigen::MatrixXd gram = moves * moves.transpose();
    state.jtr.resize(2 * count);
    for (Eigen::Index i = 0; i < 2 * count; ++i) {
      state.jtr(i) = -inner.row(i).dot(moves.row(i / 2));
      for (Eigen::Index j = 0; j < 2 * count; ++j) state.jtj(i, j) *= gram(i / 2, j / 2);
    }
    return state;
  }

 private:
  bool is_end_known(double tf_s) const { return is_known_end(tf_s, params_.fixed_ends_until_s, params_.step_s); }

  const Eigen::MatrixXd& target_;
  const SumFitParams& params_;
  Eigen::MatrixXd basis_, slopes_;
  Eigen::HouseholderQR<Eigen::MatrixXd> qr_;
};

}  // namespace

SumFit fit_sum(const Eigen::MatrixXd& target, std::vector<Timing> timings, const SumFitParams& params) {
  const auto project = [&](std::vector<Timing>& list) {
    for (Timing& t : list) {
      const double duration = std::clamp(t.tf_s - t.t0_s, params.min_duration_s, params.max_duration_s);
      if (duration == t.tf_s - t.t0_s) continue;
      if (t.t0_s >= params.fixed_starts_from_s) {
        t.tf_s = t.t0_s + duration;
        continue;
      }
      const double middle = 0.5 * (t.t0_s + t.tf_s);
      t = {middle - 0.5 * duration, middle + 0.5 * duration};
    }
  };
  project(timings);
  Problem problem(target, params);
  State state = problem.at(timings, params.max_iterations > 0);
  long evaluations = 1;
  double damping = 1e-3;
  const auto size = 2 * static_cast<Eigen::Index>(timings.size());
  for (int iteration = 0; iteration < params.max_iterations && state.cost > params.stop_error && size > 0;
       ++iteration) {
    const Eigen::VectorXd scale =
        state.jtj.diagonal().unaryExpr([](double d) { return d > 0.0 ? 1.0 / std::sqrt(d) : 0.0; });
    Eigen::MatrixXd scaled = scale.asDiagonal() * state.jtj * scale.asDiagonal();
    for (Eigen::Index i = 0; i < size; ++i) scaled(i, i) = (scale(i) > 0.0 ? scaled(i, i) : 1.0) + damping;
    const Eigen::VectorXd step = scale.cwiseProduct(scaled.ldlt().solve(scale.cwiseProduct(state.jtr)));
    std::vector<Timing> trial = timings;
    for (std::size_t k = 0; k < trial.size(); ++k) {
      trial[k].t0_s -= step(2 * static_cast<Eigen::Index>(k));
      trial[k].tf_s -= step(2 * static_cast<Eigen::Index>(k) + 1);
    }
    project(trial);
    State next = problem.at(trial, true);
    ++evaluations;
    if (std::isfinite(next.cost) && next.cost < state.cost) {
      const bool settled = next.cost > 0.999999 * state.cost && damping < 1e-6;
      state = std::move(next);
      timings = std::move(trial);
      damping = std::max(0.15 * damping, 1e-15);
      if (settled) break;
    } else if ((damping *= 10.0) > 1e2) {
      break;
    }
  }
  SumFit fit{.timings = std::move(timings), .squared_error = state.cost, .evaluations = evaluations};
  const auto count = static_cast<Eigen::Index>(fit.timings.size());
  fit.start = params.free_start ? state.levels.row(0).eval() : Eigen::RowVectorXd::Zero(target.cols()).eval();
  fit.moves = count > 0 ? state.levels.bottomRows(count).eval() : Eigen::MatrixXd(0, target.cols());
  return fit;
}

}  // namespace shosa::submovement::detail
