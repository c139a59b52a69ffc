#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>

#include "shosa/core/result.h"
#include "shosa/solve/report.h"

namespace shosa::solve {

/// Covariance matrix adaptation evolution strategy, (mu/mu_w, lambda) with active covariance update and restarts with
/// a doubled population (Hansen, "The CMA evolution strategy: a tutorial", 2016; Auger and Hansen 2005).
///
/// Needs values only, no derivatives. O(lambda n^2) per generation and O(n^3) every n / 10 generations. Deterministic
/// for a seed. Not handled: constraints other than bounds.
struct CmaEsParams {
  double sigma = 0.3;          ///< First standard deviation, in units of `scale`; > 0.
  Eigen::VectorXd scale = {};  ///< Unit of every coordinate; > 0. Empty: 1.
  Eigen::VectorXd low = {};   ///< Bounds; empty: none. A point outside is evaluated on the bound and pays the square of
  Eigen::VectorXd high = {};  ///< its distance (in units of `scale`, times 1 + |cost|). low < high.
  int population = 0;         ///< lambda; 0: 4 + floor(3 ln n). Otherwise >= 4.
  bool active = true;         ///< Bad samples shrink the covariance in their direction.
  long max_evaluations = 100000;  ///< Over all restarts; >= 1.
  double stop_cost = -1e300;      ///< Done when the best cost is not above this.
  double tolerance_cost = 1e-12;  ///< Converged when the costs of the last generations lie this close together …
  double tolerance_step = 1e-12;  ///< … or the distribution is this narrow, in units of `scale`.
  int restarts = 0;               ///< After converging above `stop_cost`, from the first mean; >= 0.
  std::uint64_t seed = 1;
};

struct CmaEsResult {
  Eigen::VectorXd x;  ///< Best point seen, inside the bounds.
  double cost = 0.0;
  int restarts_used = 0;
  SolveReport report;  ///< `iterations` are generations.
};

/// Fails exactly when a rule above is broken, `start` is empty or not finite. A cost that is not finite ranks last.
Result<CmaEsResult> minimize_cma_es(const std::function<double(const Eigen::VectorXd&)>& cost,
                                    const Eigen::VectorXd& start, const CmaEsParams& params = {});

}  // namespace shosa::solve
