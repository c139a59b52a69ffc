#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>

#include "shosa/solve/report.h"

namespace shosa::solve {

/// Minimises a sum of squares F(x) = |r(x)|^2 / 2 by Levenberg-Marquardt steps on its normal equations
/// (J'J + lambda diag(J'J)) step = -J'r (Marquardt 1963), with Nielsen's rule for lambda.
///
/// Working on J'J and J'r instead of J lets a caller with structure (variable projection, few overlapping columns) form
/// them directly. O(n^3) per iteration besides the caller's evaluation. Deterministic.
struct LevenbergMarquardtParams {
  int max_iterations = 50;       ///< >= 0. Trials that were refused count too.
  double relative_cost = 1e-10;  ///< Converged when a step lowers the cost by less than this share of it.
  double stop_cost = 0.0;        ///< Done when the cost is not above this.
  double damping = 1e-3;         ///< First lambda; > 0.
  double max_damping = 1e12;     ///< Given up beyond this.
};

/// `problem` has
///   double evaluate(const Vector& x, Matrix& jtj, Vector& jtr);   the cost; the upper triangle of jtj is enough
///   void project(Vector& x);                                      puts x back inside its bounds
/// `Vector` and `Matrix` are any Eigen types that fit each other, fixed or dynamic. A cost that is not finite is
/// refused. `x` holds the best point on return, and the last accepted evaluation was made there or the problem's own
/// state can be had by evaluating once more.
template <class Problem, class Vector, class Matrix>
SolveReport levenberg_marquardt(Problem& problem, Vector& x, Matrix& jtj, Vector& jtr,
                                const LevenbergMarquardtParams& params = {}) {
  SolveReport report;
  double cost = problem.evaluate(x, jtj, jtr);
  report.evaluations = 1;
  report.initial_cost = report.final_cost = cost;
  if (!std::isfinite(cost)) {
    report.stop_reason = StopReason::no_progress;
    return report;
  }
  if (x.size() == 0) {
    report.stop_reason = StopReason::converged;
    return report;
  }
  double damping = params.damping, growth = 2.0;
  Matrix damped = jtj, trial_jtj = jtj;
  Vector trial = x, trial_jtr = jtr, step = x;
  while (report.iterations < params.max_iterations) {
    if (cost <= params.stop_cost) {
      report.stop_reason = StopReason::cost_reached;
      break;
    }
    ++report.iterations;
    // A floor under the diagonal keeps directions without influence from making the system singular.
    const double floor = 1e-12 * std::max(jtj.diagonal().maxCoeff(), 1e-300);
    damped = jtj;
    for (Eigen::Index i = 0; i < x.size(); ++i) damped(i, i) += damping * std::max(jtj(i, i), floor) + floor;
    Eigen::LLT<Eigen::Ref<Matrix>, Eigen::Upper> factor(damped);
    bool accepted = false;
    double next = cost;
    if (factor.info() == Eigen::Success) {
      step = -factor.solve(jtr);
      trial = x + step;
      problem.project(trial);
      step = trial - x;
      // A system that is singular all the same, or out of the range of numbers, leads nowhere.
      if (step.allFinite()) {
        next = problem.evaluate(trial, trial_jtj, trial_jtr);
        ++report.evaluations;
        accepted = std::isfinite(next) && next < cost;
      }
    }
    if (!accepted) {
      damping *= growth;
      growth *= 2.0;
      if (damping > params.max_damping) {
        report.stop_reason = StopReason::no_progress;
        break;
      }
      continue;
    }
    // Nielsen (1999): the gain ratio against the quadratic model decides how far lambda falls.
    const double predicted = -step.dot(jtr) - 0.5 * step.dot(jtj.template selfadjointView<Eigen::Upper>() * step);
    const double ratio = predicted > 0.0 ? (cost - next) / predicted : 0.0;
    const double shrink = 2.0 * ratio - 1.0;
    damping = std::max(damping * std::max(0.1, 1.0 - shrink * shrink * shrink), 1e-12);
    growth = 2.0;
    const double fell = cost - next;
    x = trial;
    jtj = trial_jtj;
    jtr = trial_jtr;
    cost = next;
    if (fell <= params.relative_cost * cost) {
      report.stop_reason = StopReason::converged;
      break;
    }
  }
  report.final_cost = cost;
  return report;
}

}  // namespace shosa::solve
