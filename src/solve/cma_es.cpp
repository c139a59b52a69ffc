#include "shosa/solve/cma_es.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

namespace shosa::solve {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The same normal numbers with every library: SplitMix64 and Box-Muller.
class Normal {
 public:
  explicit Normal(std::uint64_t seed) : state_(seed) {}
  double operator()() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    const double angle = 2.0 * std::numbers::pi * uniform();
    spare_ = radius * std::sin(angle);
    has_spare_ = true;
    return radius * std::cos(angle);
  }

 private:
  double uniform() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
  }
  std::uint64_t state_;
  double spare_ = 0.0;
  bool has_spare_ = false;
};

// Weights and rates of the tutorial's table 1.
struct Rates {
  Rates(int n, int lambda_, bool active) : lambda(lambda_), mu(lambda_ / 2), weights(lambda_) {
    for (int i = 0; i < lambda; ++i) weights(i) = std::log((lambda + 1.0) / 2.0) - std::log(i + 1.0);
    const double positive = weights.head(mu).sum();
    mu_eff = positive * positive / weights.head(mu).squaredNorm();
    const auto bad = weights.tail(lambda - mu);
    const double bad_mu_eff = bad.sum() * bad.sum() / std::max(bad.squaredNorm(), 1e-300);
    c_c = (4.0 + mu_eff / n) / (n + 4.0 + 2.0 * mu_eff / n);
    c_sigma = (mu_eff + 2.0) / (n + mu_eff + 5.0);
    c_1 = 2.0 / ((n + 1.3) * (n + 1.3) + mu_eff);
    c_mu = std::min(1.0 - c_1, 2.0 * (0.25 + mu_eff + 1.0 / mu_eff - 2.0) / ((n + 2.0) * (n + 2.0) + mu_eff));
    d_sigma = 1.0 + 2.0 * std::max(0.0, std::sqrt((mu_eff - 1.0) / (n + 1.0)) - 1.0) + c_sigma;
    weights.head(mu) /= positive;
    if (active) {
      const double bound =
          std::min({1.0 + c_1 / c_mu, 1.0 + 2.0 * bad_mu_eff / (mu_eff + 2.0), (1.0 - c_1 - c_mu) / (n * c_mu)});
      weights.tail(lambda - mu) *= bound / std::max(-bad.cwiseMin(0.0).sum(), 1e-300);
    } else {
      weights.tail(lambda - mu).setZero();
    }
    chi = std::sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
  }
  int lambda, mu;
  VectorXd weights;
  double mu_eff = 0, c_c = 0, c_sigma = 0, c_1 = 0, c_mu = 0, d_sigma = 0, chi = 0;
};

// One function with its bounds, counted.
struct Objective {
  const std::function<double(const VectorXd&)>& cost;
  const CmaEsParams& params;
  VectorXd scale;
  long evaluations = 0;
  VectorXd best_x;
  double best = kInfinity;

  VectorXd inside(const VectorXd& x) const {
    VectorXd y = x;
    if (params.low.size()) y = y.cwiseMax(params.low);
    if (params.high.size()) y = y.cwiseMin(params.high);
    return y;
  }
  double operator()(const VectorXd& x) {
    const VectorXd y = inside(x);
    ++evaluations;
    const double value = cost(y);
    if (!std::isfinite(value)) return kInfinity;
    if (value < best) {
      best = value;
      best_x = y;
    }
    return value + (1.0 + std::abs(value)) * (x - y).cwiseQuotient(scale).squaredNorm();
  }
};

// One run from `mean` until it converges; returns its generations.
int run(Objective& objective, VectorXd mean, int lambda, Normal& normal, StopReason& reason) {
  const CmaEsParams& params = objective.params;
  const int n = static_cast<int>(mean.size());
  const Rates rate(n, lambda, params.active);
  MatrixXd covariance = MatrixXd::Identity(n, n), basis = covariance;
  VectorXd axes = VectorXd::Ones(n), path_c = VectorXd::Zero(n), path_sigma = VectorXd::Zero(n);
  double sigma = params.sigma;
  int generation = 0, last_eigen = 0;
  std::deque<double> history;
  const std::size_t history_size = 10 + static_cast<std::size_t>(30.0 * n / lambda);
  std::vector<VectorXd> steps(static_cast<std::size_t>(lambda), VectorXd(n));
  std::vector<double> costs(static_cast<std::size_t>(lambda));
  std::vector<int> order(static_cast<std::size_t>(lambda));

  while (true) {
    if (objective.best <= params.stop_cost) return reason = StopReason::cost_reached, generation;
    if (objective.evaluations >= params.max_evaluations) return reason = StopReason::max_iterations, generation;
    ++generation;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      VectorXd z(n);
      for (int j = 0; j < n; ++j) z(j) = normal();
      steps[i] = basis * axes.cwiseProduct(z);
      costs[i] = objective(mean + sigma * steps[i].cwiseProduct(objective.scale));
    }
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return costs[a] < costs[b]; });
    const auto ranked = [&](int i) -> const VectorXd& { return steps[order[i]]; };

    // Mean and evolution paths.
    VectorXd shift = VectorXd::Zero(n);
    for (int i = 0; i < rate.mu; ++i) shift += rate.weights(i) * ranked(i);
    mean += sigma * shift.cwiseProduct(objective.scale);
    const VectorXd whitened = basis * (basis.transpose() * shift).cwiseQuotient(axes);
    path_sigma =
        (1.0 - rate.c_sigma) * path_sigma + std::sqrt(rate.c_sigma * (2.0 - rate.c_sigma) * rate.mu_eff) * whitened;
    const double expected = std::sqrt(1.0 - std::pow(1.0 - rate.c_sigma, 2.0 * generation));
    const bool steady = path_sigma.norm() / expected < (1.4 + 2.0 / (n + 1.0)) * rate.chi;
    path_c *= 1.0 - rate.c_c;
    if (steady) path_c += std::sqrt(rate.c_c * (2.0 - rate.c_c) * rate.mu_eff) * shift;

    // Covariance: rank one, rank mu, and the bad half with negative weights (tutorial, eq. 47).
    const double lost = steady ? 0.0 : rate.c_c * (2.0 - rate.c_c);
    covariance *= 1.0 + rate.c_1 * lost - rate.c_1 - rate.c_mu * rate.weights.sum();
    covariance += rate.c_1 * path_c * path_c.transpose();
    for (int i = 0; i < lambda; ++i) {
      double weight = rate.weights(i);
      if (weight < 0.0)
        weight *= n / std::max((basis.transpose() * ranked(i)).cwiseQuotient(axes).squaredNorm(), 1e-300);
      covariance += rate.c_mu * weight * ranked(i) * ranked(i).transpose();
    }
    sigma *= std::exp(std::min(1.0, (rate.c_sigma / rate.d_sigma) * (path_sigma.norm() / rate.chi - 1.0)));

    if (generation - last_eigen > 1.0 / (10.0 * n * (rate.c_1 + rate.c_mu))) {
      last_eigen = generation;
      covariance = 0.5 * (covariance + covariance.transpose()).eval();
      const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(covariance);
      const double largest = eigen.eigenvalues().maxCoeff();
      if (eigen.info() != Eigen::Success || !(largest > 0.0)) return reason = StopReason::no_progress, generation;
      basis = eigen.eigenvectors();
      axes = eigen.eigenvalues().cwiseMax(1e-14 * largest).cwiseSqrt();
    }

    history.push_back(costs[order[0]]);
    if (history.size() > history_size) history.pop_front();
    const auto [least, most] = std::minmax_element(history.begin(), history.end());
    const double spread = costs[order.back()] - costs[order[0]];
    const bool flat =
        history.size() == history_size && *most - *least < params.tolerance_cost && spread < params.tolerance_cost;
    if (flat || sigma * axes.maxCoeff() < params.tolerance_step) return reason = StopReason::converged, generation;
    if (!std::isfinite(sigma) || sigma > 1e12 * params.sigma) return reason = StopReason::no_progress, generation;
  }
}

}  // namespace

Result<CmaEsResult> minimize_cma_es(const std::function<double(const VectorXd&)>& cost, const VectorXd& start,
                                    const CmaEsParams& params) {
  const Eigen::Index n = start.size();
  const auto wrong = [](std::string_view rule) { return fail(ErrorCode::invalid_argument, "CMA-ES: {}", rule); };
  if (n == 0 || !start.allFinite()) return wrong("the start must have at least one coordinate, all finite");
  if (!(params.sigma > 0.0) || !std::isfinite(params.sigma)) return wrong("sigma must be above 0");
  if (params.scale.size() != 0 && (params.scale.size() != n || !(params.scale.minCoeff() > 0.0)))
    return wrong("scale must have one entry above 0 for every coordinate");
  for (const auto* bound : {&params.low, &params.high})
    if (bound->size() != 0 && bound->size() != n) return wrong("a bound must have one entry for every coordinate");
  if (params.low.size() && params.high.size() && !((params.high - params.low).minCoeff() > 0.0))
    return wrong("low must be below high");
  if (params.population != 0 && params.population < 4) return wrong("the population must be 0 or at least 4");
  if (params.max_evaluations < 1 || params.restarts < 0)
    return wrong("max_evaluations must be at least 1 and restarts not negative");

  Objective objective{cost, params, params.scale.size() ? params.scale : VectorXd::Ones(n)};
  Normal normal(params.seed);
  CmaEsResult result;
  result.report.initial_cost = objective(start);
  if (objective.best_x.size() == 0) objective.best_x = objective.inside(start);
  int lambda = params.population ? params.population : 4 + static_cast<int>(3.0 * std::log(static_cast<double>(n)));
  for (int attempt = 0; attempt <= params.restarts; ++attempt, lambda *= 2) {
    result.restarts_used = attempt;
    result.report.iterations += run(objective, start, lambda, normal, result.report.stop_reason);
    if (result.report.stop_reason == StopReason::cost_reached ||
        result.report.stop_reason == StopReason::max_iterations)
      break;
  }
  result.x = objective.best_x;
  result.cost = objective.best;
  result.report.evaluations = objective.evaluations;
  result.report.final_cost = objective.best;
  return result;
}

}  // namespace shosa::solve
