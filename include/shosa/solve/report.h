#pragma once

namespace shosa::solve {

enum class StopReason {
  converged,       ///< The cost or the step no longer changes.
  cost_reached,    ///< The cost fell below what was asked for.
  max_iterations,  ///< Out of iterations; the best point found is returned.
  no_progress,     ///< No step lowers the cost, not even a tiny one.
};

/// What every optimiser says about its run.
struct SolveReport {
  int iterations = 0;
  long evaluations = 0;
  double initial_cost = 0.0;
  double final_cost = 0.0;
  StopReason stop_reason = StopReason::max_iterations;
};

}  // namespace shosa::solve
