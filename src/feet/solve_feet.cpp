#include <Eigen/Cholesky>
#include <algorithm>

#include "feet/feet_problem.h"

namespace shosa::feet {

bool FeetProblem::Normal::step(double factor, const Eigen::VectorXd& own, Eigen::VectorXd& out) const {
  solve::BlockTridiagonal damped = matrix;
  const int banded = matrix.size(), shared = static_cast<int>(corner.rows());
  for (int i = 0; i < banded; ++i) damped.add(i, i, factor * own[i]);
  if (!damped.factor()) return false;
  // A y = -g, A Y = B; then (C - B'Y) s = -c - B'y for the shifts, and y - Y s for the rest.
  Eigen::MatrixXd right(banded, 1 + shared);
  right << -gradient.head(banded), border;
  damped.solve(right);
  out.resize(gradient.size());
  out.head(banded) = right.col(0);
  if (shared == 0) return true;
  Eigen::MatrixXd schur = corner - border.transpose() * right.rightCols(shared);
  schur.diagonal() += factor * own.tail(shared);
  const Eigen::LLT<Eigen::MatrixXd> inner(schur);
  if (inner.info() != Eigen::Success) return false;
  out.tail(shared) = inner.solve(-gradient.tail(shared) - border.transpose() * right.col(0));
  out.head(banded) -= right.rightCols(shared) * out.tail(shared);
  return true;
}

solve::SolveReport solve_feet(const FeetProblem& problem, const PlaceFeetParams& params, Eigen::VectorXd& x) {
  solve::SolveReport report;
  FeetProblem::Normal normal = problem.make_normal();
  const Eigen::VectorXd own = problem.damping();
  double cost = problem.cost(x, &normal), damping = Levenberg::kFirst;
  report.initial_cost = report.final_cost = cost;
  report.evaluations = 1;
  // The cost of a motion that does what is asked is 0.
  while (report.iterations < params.max_steps && cost > 1e-18) {
    ++report.iterations;
    double next = cost;
    Eigen::VectorXd step, trial;
    if (normal.step(damping, own, step)) {
      trial = problem.moved(x, step);
      next = problem.cost(trial, nullptr);
      ++report.evaluations;
    }
    if (!(next < cost)) {
      damping *= Levenberg::kUp;
      if (damping > Levenberg::kMost) {
        report.stop_reason = solve::StopReason::no_progress;
        break;
      }
      continue;
    }
    const bool done = cost - next < params.converged * cost;
    damping = std::max(Levenberg::kLeast, damping * Levenberg::kDown);
    x = std::move(trial);
    cost = next;
    if (done) {
      report.stop_reason = solve::StopReason::converged;
      break;
    }
    cost = problem.cost(x, &normal);
  }
  report.final_cost = cost;
  return report;
}

}  // namespace shosa::feet
