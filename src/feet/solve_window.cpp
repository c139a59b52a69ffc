#include <algorithm>
#include <cmath>

#include "feet/feet_window.h"

namespace shosa::feet {

namespace {

/// Levenberg's factor from the first step on: a window starts near its end, and few steps must do.
constexpr double kLeast = 1e-2;

}  // namespace

void FeetWindow::Room::find_ground(const GroundView& ground) {
  for (std::size_t i = 0; i < knots.size(); ++i) {
    for (int k = FeetPlan::kBefore + 1; k < plan.knot_count(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      const Eigen::Index own_at =
          static_cast<Eigen::Index>(k) * plan.per_frame() + 3 + 6 * static_cast<Eigen::Index>(i);
      ground_m[i][at] = ground(knots[i].ball_m[at].x() + x[own_at], knots[i].ball_m[at].z() + x[own_at + 2]).height_m;
    }
  }
}

double FeetWindow::Room::cost(const Eigen::VectorXd& at) const {
  double sum = 0.0;
  terms().visit(at.data(), [&](double value, std::span<const Slope>) { sum += value * value; });
  return sum;
}

double FeetWindow::Room::linearise() {
  double sum = 0.0;
  matrix.set_zero();
  gradient.head(matrix.size()).setZero();
  std::array<Slope, kLongestRow> free;
  terms().visit(x.data(), [&](double value, std::span<const Slope> slopes) {
    sum += value * value;
    std::size_t count = 0;
    for (const Slope& slope : slopes) {
      const int number = variable[slope.unknown];
      if (number >= 0 && slope.value != 0.0) free[count++] = {number, slope.value};
    }
    for (std::size_t i = 0; i < count; ++i) {
      gradient[free[i].unknown] += free[i].value * value;
      for (std::size_t j = 0; j <= i; ++j) {
        const auto [low, high] = std::minmax(free[i].unknown, free[j].unknown);
        matrix.at(high, low) += free[i].value * free[j].value;
      }
    }
  });
  return sum;
}

solve::SolveReport FeetWindow::Room::solve(const GroundView& ground) {
  solve::SolveReport report;
  const Eigen::Index unknowns = static_cast<Eigen::Index>(plan.knot_count()) * plan.per_frame();
  find_ground(ground);
  double now = linearise(), damping = kLeast;
  report.initial_cost = report.final_cost = now;
  report.evaluations = 1;
  while (report.iterations < body->params.max_steps && now > 1e-18 && matrix.size() > 0) {
    ++report.iterations;
    factor.copy_damped(matrix, damping, own);
    double next = now;
    if (factor.factor()) {
      step.head(matrix.size()) = -gradient.head(matrix.size());
      factor.solve(step);
      trial.head(unknowns) = x.head(unknowns);
      for (Eigen::Index i = 0; i < unknowns; ++i) {
        const int number = variable[i];
        if (number >= 0) trial[i] += step[number];
      }
      next = cost(trial);
      ++report.evaluations;
    }
    if (!(next < now)) {
      damping *= Levenberg::kUp;
      if (damping > Levenberg::kMost) {
        report.stop_reason = solve::StopReason::no_progress;
        break;
      }
      continue;
    }
    const bool done = now - next < body->params.converged * now;
    damping = std::max(kLeast, damping * Levenberg::kDown);
    x.swap(trial);
    now = next;
    if (done) {
      report.stop_reason = solve::StopReason::converged;
      break;
    }
    if (report.iterations == body->params.max_steps) break;
    // The ground under where the foot has come to.
    find_ground(ground);
    now = linearise();
  }
  report.final_cost = now;
  return report;
}

void FeetWindow::Room::take() {
  for (const FeetPlan::Group& group : plan.groups()) {
    for (int k = FeetPlan::kBefore + 1; k < plan.knot_count(); ++k) {
      if (!plan.is_free(group, k)) continue;
      for (int axis = 0; axis < 3; ++axis) {
        if (!group.has[axis]) continue;
        const Eigen::Index unknown = static_cast<Eigen::Index>(k) * plan.per_frame() + group.unknown + axis;
        plan.difference(group, axis, k) = x[unknown] - plan.base(group, axis, k);
      }
    }
  }
}

}  // namespace shosa::feet
