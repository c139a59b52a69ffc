#include "seed_method.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model_error.h"
#include "shosa/core/rotations.h"
#include "shosa/solve/cma_es.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement::detail {

namespace {

using Eigen::VectorXd;
using solve::minimum_jerk;
using solve::minimum_jerk_value;

constexpr int kMostSubmovements = 6;

// The weights of eqs. 7 to 9 for displacements (or rotation vectors) in the order of their starts.
double weight(std::span<const Vec3d> goals, double largest, double end_error) {
  double turning = 1.0, size = 0.0;
  for (std::size_t k = 0; k < goals.size(); ++k) {
    if (k > 0) {
      const double lengths = goals[k].norm() * goals[k - 1].norm();
      turning *= lengths > 1e-12 ? goals[k].dot(goals[k - 1]) / lengths : 1.0;
    }
    const double off = (goals[k].norm() - 0.5 * largest) / largest;
    size += off * off;
  }
  return std::exp(1.0 - turning) * std::exp(size) * std::exp(end_error * end_error);
}

struct Bounds {
  VectorXd low, high, start, scale;
};

// t0 and tf of `count` submovements spread over the recording.
void add_timing(Bounds& bounds, int index, int count, int stride, double length, double min_duration) {
  const double share = length / count;
  const int at = index * stride;
  // Coordinates: t0 and the duration, so that tf stays behind t0.
  bounds.start(at) = share * index;
  bounds.low(at) = 0.0;
  bounds.high(at) = std::max(length - min_duration, 1e-3);
  bounds.scale(at) = share;
  bounds.start(at + 1) = std::max(share, 1.5 * min_duration);
  bounds.low(at + 1) = min_duration;
  bounds.high(at + 1) = std::max(length, 2.0 * min_duration);
  bounds.scale(at + 1) = share;
}

Bounds make_bounds(int size) {
  return {VectorXd::Constant(size, -1e6), VectorXd::Constant(size, 1e6), VectorXd::Zero(size), VectorXd::Ones(size)};
}

solve::CmaEsParams cma_params(const Bounds& bounds, const DecomposeParams& params) {
  return {.sigma = 0.3,
          .scale = bounds.scale,
          .low = bounds.low,
          .high = bounds.high,
          .max_evaluations = params.max_evaluations,
          .tolerance_cost = 1e-13,
          .tolerance_step = 1e-7,
          .restarts = 2,
          .seed = params.seed};
}

Result<PositionDecomposition> seed_positions_of(std::span<const Vec3d> samples, double step_s, int count,
                                                const DecomposeParams& params) {
  const int n = static_cast<int>(samples.size());
  const double length = (n - 1) * step_s;
  std::vector<Vec3d> original(samples.begin(), samples.end());
  double largest = 1e-9;
  for (Vec3d& x : original) {
    x -= samples[0];
    largest = std::max(largest, x.norm());
  }
  // Stage 1: t0, tf, x_tan so that a sum of minimum-jerk speeds follows the tangential speed.
  std::vector<double> speed(static_cast<std::size_t>(n - 1));
  for (int i = 0; i + 1 < n; ++i) speed[i] = (samples[i + 1] - samples[i]).norm() / step_s;
  Bounds timing = make_bounds(3 * count);
  const double path = step_s * std::accumulate(speed.begin(), speed.end(), 0.0);
  for (int k = 0; k < count; ++k) {
    add_timing(timing, k, count, 3, length, params.min_duration_s);
    timing.start(3 * k + 2) = path / count;
    timing.low(3 * k + 2) = 0.0;
    timing.high(3 * k + 2) = std::max(path, 1e-6);
    timing.scale(3 * k + 2) = std::max(path / count, 1e-6);
  }
  const auto speed_cost = [&](const VectorXd& x) {
    double sum = 0.0;
    for (int i = 0; i + 1 < n; ++i) {
      double model = 0.0;
      for (int k = 0; k < count; ++k)
        model += x(3 * k + 2) * minimum_jerk((i + 0.5) * step_s, x(3 * k), x(3 * k) + x(3 * k + 1)).velocity;
      const double off = model - speed[i];
      sum += off * off;
    }
    return sum / n;
  };
  const auto timings = solve::minimize_cma_es(speed_cost, timing.start, cma_params(timing, params));
  if (!timings) return std::unexpected(timings.error());
  PositionDecomposition result{.evaluations = timings->report.evaluations};
  result.model.start_m = samples[0];
  for (int k = 0; k < count; ++k)
    result.model.submovements.push_back({timings->x(3 * k), timings->x(3 * k) + timings->x(3 * k + 1), Vec3d::Zero()});
  std::stable_sort(result.model.submovements.begin(), result.model.submovements.end(),
                   [](const auto& a, const auto& b) { return a.t0_s < b.t0_s; });

  // Stage 2: displacements under the seed's weights.
  Eigen::MatrixXd basis(n, count);
  for (int k = 0; k < count; ++k) {
    const auto& s = result.model.submovements[k];
    for (int i = 0; i < n; ++i) basis(i, k) = minimum_jerk_value(i * step_s, s.t0_s, s.tf_s);
  }
  Bounds goals = make_bounds(3 * count);
  goals.scale.setConstant(largest);
  for (int k = 0; k < count; ++k) goals.start.segment<3>(3 * k) = original.back() / count;
  std::vector<Vec3d> moves(static_cast<std::size_t>(count));
  const auto cost = [&](const VectorXd& x) {
    for (int k = 0; k < count; ++k) moves[k] = x.segment<3>(3 * k);
    double sum = 0.0, last = 0.0;
    for (int i = 0; i < n; ++i) {
      Vec3d off = -original[i];
      for (int k = 0; k < count; ++k) off += basis(i, k) * moves[k];
      sum += last = off.squaredNorm();
    }
    return weight(moves, largest, std::sqrt(last)) * sum / n;
  };
  const auto found = solve::minimize_cma_es(cost, goals.start, cma_params(goals, params));
  if (!found) return std::unexpected(found.error());
  result.evaluations += found->report.evaluations;
  for (int k = 0; k < count; ++k) result.model.submovements[k].displacement_m = found->x.segment<3>(3 * k);
  return result;
}

RotationModel rotations_from(const VectorXd& x, int count, const Quatd& start) {
  RotationModel model{.start = start};
  for (int k = 0; k < count; ++k)
    model.submovements.push_back({x(5 * k), x(5 * k) + x(5 * k + 1), x.segment<3>(5 * k + 2)});
  std::stable_sort(model.submovements.begin(), model.submovements.end(),
                   [](const auto& a, const auto& b) { return a.t0_s < b.t0_s; });
  return model;
}

Result<RotationDecomposition> seed_rotations_of(std::span<const Quatd> samples, double step_s, int count,
                                                const DecomposeParams& params) {
  const int n = static_cast<int>(samples.size());
  const double length = (n - 1) * step_s;
  double largest = 1e-9;
  for (const Quatd& q : samples) largest = std::max(largest, samples[0].angularDistance(q));
  Bounds bounds = make_bounds(5 * count);
  const Vec3d whole = log_rotation(samples[0].conjugate() * samples.back());
  for (int k = 0; k < count; ++k) {
    add_timing(bounds, k, count, 5, length, params.min_duration_s);
    bounds.start.segment<3>(5 * k + 2) = whole / count;
    bounds.scale.segment<3>(5 * k + 2).setConstant(largest);
  }
  std::vector<Vec3d> goals(static_cast<std::size_t>(count));
  const auto cost = [&](const VectorXd& x) {
    const RotationModel model = rotations_from(x, count, samples[0]);
    for (int k = 0; k < count; ++k) goals[k] = model.submovements[k].rotation_rad;
    const auto made = sample_rotations(model, n, step_s);
    double sum = 0.0, last = 0.0;
    for (int i = 0; i < n; ++i) {
      last = made[i].angularDistance(samples[i]);
      sum += last * last;
    }
    return weight(goals, largest, last) * sum / n;
  };
  const auto found = solve::minimize_cma_es(cost, bounds.start, cma_params(bounds, params));
  if (!found) return std::unexpected(found.error());
  RotationDecomposition result{.evaluations = found->report.evaluations};
  result.model = rotations_from(found->x, count, samples[0]);
  return result;
}

// One more at a time until the bound holds; the best where it never does.
template <class Decomposition, class Attempt, class Error>
Result<Decomposition> with_count(int count, double bound, Attempt&& attempt, Error&& error) {
  if (count > 0) return attempt(count);
  Result<Decomposition> best = attempt(1);
  long evaluations = best ? best->evaluations : 0;
  for (int k = 2; best && k <= kMostSubmovements && error(*best) > bound; ++k) {
    Result<Decomposition> next = attempt(k);
    if (!next) return next;
    evaluations += next->evaluations;
    if (error(*next) < error(*best)) best = std::move(next);
  }
  if (best) best->evaluations = evaluations;
  return best;
}

}  // namespace

Result<PositionDecomposition> seed_positions(std::span<const Vec3d> samples_m, double frame_time_s,
                                             const DecomposeParams& params) {
  const auto error = [&](const PositionModel& model) { return model_error(model, samples_m, frame_time_s).rms; };
  const PositionModel still{.start_m = samples_m[0]};
  if (samples_m.size() < 3 || (params.count == 0 && error(still) <= params.max_error_m))
    return PositionDecomposition{.model = still};
  return with_count<PositionDecomposition>(
      params.count, params.max_error_m,
      [&](int count) { return seed_positions_of(samples_m, frame_time_s, count, params); },
      [&](const PositionDecomposition& d) { return error(d.model); });
}

Result<RotationDecomposition> seed_rotations(std::span<const Quatd> samples, double frame_time_s,
                                             const DecomposeParams& params) {
  const auto error = [&](const RotationModel& model) { return model_error(model, samples, frame_time_s).rms; };
  const RotationModel still{.start = samples[0]};
  if (samples.size() < 3 || (params.count == 0 && error(still) <= params.max_error_rad))
    return RotationDecomposition{.model = still};
  return with_count<RotationDecomposition>(
      params.count, params.max_error_rad,
      [&](int count) { return seed_rotations_of(samples, frame_time_s, count, params); },
      [&](const RotationDecomposition& d) { return error(d.model); });
}

}  // namespace shosa::submovement::detail
