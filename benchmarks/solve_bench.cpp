// CMA-ES on the usual functions.

#include <benchmark/benchmark.h>

#include "shosa/solve/cma_es.h"

namespace {

using Eigen::VectorXd;

void cma_es_rosenbrock(benchmark::State& state) {
  const auto rosenbrock = [](const VectorXd& x) {
    double sum = 0.0;
    for (Eigen::Index i = 0; i + 1 < x.size(); ++i) {
      const double a = x(i + 1) - x(i) * x(i), b = 1.0 - x(i);
      sum += 100.0 * a * a + b * b;
    }
    return sum;
  };
  long evaluations = 0;
  for (auto _ : state) {
    const auto found =
        shosa::solve::minimize_cma_es(rosenbrock, VectorXd::Zero(state.range(0)), {.stop_cost = 1e-10, .restarts = 3});
    evaluations = found->report.evaluations;
    benchmark::DoNotOptimize(found);
  }
  state.counters["evaluations"] = static_cast<double>(evaluations);
}
BENCHMARK(cma_es_rosenbrock)->Arg(4)->Arg(8)->Arg(16)->Unit(benchmark::kMillisecond);

}  // namespace
