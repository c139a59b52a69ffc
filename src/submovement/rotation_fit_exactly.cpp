// Products that were made, fitted to the last digits.

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "rotation_fit.h"

namespace shosa::submovement::detail {

namespace {

// Which parameters change anything.
using Moves = Eigen::Array<bool, Eigen::Dynamic, 1>;

// From (t0, tf, turn) to (t0, 1 / duration, turn / duration^3): as long as the end of a submovement is not seen its
// samples are nearly linear in these. For one under way at the first sample, to (middle, duration, turn / duration).
void to_jerks(const Eigen::VectorXd& x, const Moves& moves, Eigen::MatrixXd& normal, Eigen::VectorXd& gradient) {
  const auto columns = [&](auto& m, Eigen::Index at) {
    const double duration = x(at + 1) - x(at), square = duration * duration;
    const Vec3d turn = x.segment<3>(at + 2);
    if (!moves(at + 1)) return;
    if (x(at) < 0.0) {
      const Eigen::VectorXd middle = m.col(at) + m.col(at + 1);
      m.col(at + 1) = (0.5 * (m.col(at + 1) - m.col(at)) + m.middleCols(at + 2, 3) * turn / duration).eval();
      m.col(at) = middle;
      m.middleCols(at + 2, 3) *= duration;
      return;
    }
    if (moves(at)) m.col(at) += m.col(at + 1);
    m.col(at + 1) = (-square * m.col(at + 1) - 3.0 * duration * (m.middleCols(at + 2, 3) * turn)).eval();
    m.middleCols(at + 2, 3) *= square * duration;
  };
  for (Eigen::Index at = 3; at < x.size(); at += 5) columns(normal, at);
  normal.transposeInPlace();
  Eigen::MatrixXd row = gradient.transpose();
  for (Eigen::Index at = 3; at < x.size(); at += 5) {
    columns(normal, at);
    columns(row, at);
  }
  gradient = row.transpose();
}

void move(Eigen::VectorXd& x, const Moves& moves, const Eigen::VectorXd& step) {
  x.head<3>() += step.head<3>();
  for (Eigen::Index at = 3; at < x.size(); at += 5) {
    const double duration = x(at + 1) - x(at), cube = duration * duration * duration;
    if (!moves(at + 1)) {
      x.segment<5>(at) += step.segment<5>(at);
      continue;
    }
    if (x(at) < 0.0) {
      const double middle = 0.5 * (x(at) + x(at + 1)) + step(at);
      const double longer = std::clamp(duration + step(at + 1), 0.2 * duration, 5.0 * duration);
      x.segment<3>(at + 2) = (x.segment<3>(at + 2) / duration + step.segment<3>(at + 2)) * longer;
      x(at) = middle - 0.5 * longer;
      x(at + 1) = middle + 0.5 * longer;
      continue;
    }
    const Vec3d jerk = x.segment<3>(at + 2) / cube + step.segment<3>(at + 2);
    const double rate = std::max(1.0 / duration + step(at + 1), 0.2 / duration), longer = 1.0 / rate;
    x(at) += step(at);
    x(at + 1) = x(at) + longer;
    x.segment<3>(at + 2) = jerk * (longer * longer * longer);
  }
}

// One step of Gauss and Newton over the start and the turns.
void solve_turns(const Eigen::MatrixXd& jtj, const Eigen::VectorXd& jtr, Eigen::VectorXd& x) {
  std::vector<Eigen::Index> used;
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if ((i < 3 || (i - 3) % 5 >= 2) && jtj(i, i) > 0.0) used.push_back(i);
  Eigen::MatrixXd normal = jtj.selfadjointView<Eigen::Upper>();
  normal = normal(used, used).eval();
  const Eigen::VectorXd scale = normal.diagonal().cwiseSqrt().cwiseInverse();
  normal = scale.asDiagonal() * normal * scale.asDiagonal();
  normal.diagonal().array() += 1e-14;
  const Eigen::VectorXd step = scale.cwiseProduct(normal.ldlt().solve(scale.cwiseProduct(jtr(used))));
  for (std::size_t k = 0; k < used.size(); ++k) x(used[k]) -= step(static_cast<Eigen::Index>(k));
}

}  // namespace

// Levenberg's steps on parameters scaled to equal weight, with no floor under the damping: near the solution errors
// fall to rounding even along directions that hardly change them.
solve::SolveReport RotationFit::fit_exactly(int max_iterations, double stop_error) {
  Eigen::VectorXd x = parameters(), jtr(x.size()), trial_jtr(x.size());
  Eigen::MatrixXd jtj(x.size(), x.size()), trial_jtj(x.size(), x.size());
  project(x);
  solve::SolveReport report;
  double cost = evaluate(x, jtj, jtr), damping = 1e-7;
  report.initial_cost = cost;
  report.evaluations = 1;
  report.stop_reason = solve::StopReason::max_iterations;
  for (; report.iterations < max_iterations; ++report.iterations) {
    if (cost <= 0.5 * stop_error) {
      report.stop_reason = solve::StopReason::cost_reached;
      break;
    }
    Eigen::MatrixXd normal = jtj.selfadjointView<Eigen::Upper>();
    Eigen::VectorXd gradient = jtr;
    const Moves moves = normal.diagonal().array() > 0.0;
    to_jerks(x, moves, normal, gradient);
    const Eigen::VectorXd scale =
        normal.diagonal().unaryExpr([](double d) { return d > 0.0 ? 1.0 / std::sqrt(d) : 0.0; });
    Eigen::MatrixXd scaled = normal;
    scaled = scale.asDiagonal() * scaled * scale.asDiagonal();
    for (Eigen::Index i = 0; i < x.size(); ++i) scaled(i, i) = (scale(i) > 0.0 ? scaled(i, i) : 1.0) + damping;
    const Eigen::VectorXd step = scale.cwiseProduct(scaled.ldlt().solve(scale.cwiseProduct(gradient)));
    Eigen::VectorXd trial = x;
    move(trial, moves, -step);
    project(trial);
    double next = evaluate(trial, trial_jtj, trial_jtr);
    ++report.evaluations;
    // With the turns solved anew for these timings, as variable projection does, a curved valley is followed far.
    if (std::isfinite(next) && next > 0.5 * stop_error) {
      solve_turns(trial_jtj, trial_jtr, trial);
      next = evaluate(trial, trial_jtj, trial_jtr);
      ++report.evaluations;
    }
    if (std::isfinite(next) && next < cost) {
      cost = next;
      x = trial;
      jtj.swap(trial_jtj);
      jtr.swap(trial_jtr);
      damping = std::max(0.1 * damping, 1e-16);
    } else if ((damping *= 8.0) > 1e3) {
      report.stop_reason = solve::StopReason::no_progress;
      break;
    }
  }
  report.final_cost = cost;
  squared_error_ = 2.0 * cost;
  take(x);
  return report;
}

}  // namespace shosa::submovement::detail
