#include "shosa/submovement/decompose.h"

#include <algorithm>
#include <cmath>

#include "channels.h"
#include "rotation_search.h"
#include "seed_method.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement {

namespace {

constexpr double kTwins = 1e-4;   // Of the duration, and of the axis.
constexpr double kIdle = 0.05;    // Of the allowed error, and of the largest submovement.
constexpr double kUnseen = 0.01;  // Of the allowed error.
constexpr double kOnce = 1.01;    // Frames after the first.

Result<void> check(const DecomposeParams& params, std::size_t samples, double frame_time_s) {
  const auto wrong = [](std::string_view rule) { return fail(ErrorCode::invalid_argument, "decompose: {}", rule); };
  if (samples == 0) return wrong("no samples");
  if (!(frame_time_s > 0.0) || !std::isfinite(frame_time_s)) return wrong("the frame time must be above 0");
  if (!(params.max_error_m > 0.0) || !(params.max_error_rad > 0.0)) return wrong("the allowed error must be above 0");
  if (!(params.min_duration_s > 0.0) || !(params.max_duration_s > params.min_duration_s) ||
      !(params.max_turn_s > params.min_duration_s) || !std::isfinite(params.max_duration_s) ||
      !std::isfinite(params.max_turn_s))
    return wrong("durations must be above 0 and the longest above the shortest");
  if (params.count < 0 || params.max_evaluations < 1)
    return wrong("the count must not be negative and max_evaluations at least 1");
  return {};
}

detail::SearchParams search_params(const DecomposeParams& params, double max_error, double max_duration_s) {
  return {.max_error = max_error,
          .min_duration_s = params.min_duration_s,
          .max_duration_s = max_duration_s,
          .thorough = params.thorough};
}

// What lies wholly before or after the samples moves none of them.
void drop_unseen(PositionModel& model, double length_s) {
  std::erase_if(model.submovements, [&](const PositionSubmovement& s) {
    if (s.tf_s <= 0.0) model.start_m += s.displacement_m;
    return s.tf_s <= 0.0 || s.t0_s >= length_s;
  });
}

void drop_unseen(RotationModel& model, double length_s) {
  auto& list = model.submovements;
  std::erase_if(list, [&](const RotationSubmovement& s) { return s.t0_s >= length_s; });
  // Those that ended before the first sample in front of the first that did not; behind it they turn in its frame.
  while (!list.empty() && list.front().tf_s <= 0.0) {
    model.start = (model.start * exp_rotation(list.front().rotation_rad)).normalized();
    list.erase(list.begin());
  }
}

// What only the first sample sees of a submovement that began before it begins with it: when it did shows nowhere.
bool is_seen_once(double t0_s, double tf_s, double frame_time_s) {
  return t0_s < 0.0 && tf_s < kOnce * frame_time_s;
}

void begin_with_first(PositionModel& model, double frame_time_s) {
  for (PositionSubmovement& s : model.submovements) {
    if (!is_seen_once(s.t0_s, s.tf_s, frame_time_s)) continue;
    const Vec3d before_m = solve::minimum_jerk_value(0.0, s.t0_s, s.tf_s) * s.displacement_m;
    model.start_m += before_m;
    s.displacement_m -= before_m;
    s.t0_s = 0.0;
  }
  std::stable_sort(model.submovements.begin(), model.submovements.end(),
                   [](const auto& a, const auto& b) { return a.t0_s < b.t0_s; });
}

void begin_with_first(RotationModel& model, double frame_time_s) {
  // Behind another it turns in that one's frame, and before another that began earlier there is no place for it.
  auto& list = model.submovements;
  if (list.empty() || !is_seen_once(list[0].t0_s, list[0].tf_s, frame_time_s) ||
      (list.size() > 1 && list[1].t0_s < 0.0))
    return;
  RotationSubmovement& s = list[0];
  const Vec3d before_rad = solve::minimum_jerk_value(0.0, s.t0_s, s.tf_s) * s.rotation_rad;
  model.start = (model.start * exp_rotation(before_rad)).normalized();
  s.rotation_rad -= before_rad;
  s.t0_s = 0.0;
}

double length(const PositionSubmovement& s) {
  return s.displacement_m.norm();
}
double length(const RotationSubmovement& s) {
  return s.rotation_rad.norm();
}
// The goals after a dropped displacement stay.
void make_up(PositionSubmovement& kept, const PositionSubmovement& dropped) {
  kept.displacement_m += dropped.displacement_m;
}
void make_up(RotationSubmovement&, const RotationSubmovement&) {}

// Without what is too little to be anybody's goal: it follows rounding, or makes up for another that is as little.
template <class Model>
Model without_idle(const Model& model, double max_error) {
  double largest = 0.0;
  for (const auto& s : model.submovements) largest = std::max(largest, length(s));
  const double idle = kIdle * std::min(max_error, largest);
  Model busy = model;
  busy.submovements.clear();
  for (const auto& s : model.submovements) {
    if (length(s) >= idle)
      busy.submovements.push_back(s);
    else if (!busy.submovements.empty())
      make_up(busy.submovements.back(), s);
  }
  return busy;
}

// Whether an error is hardly larger than the one before, and not past the bound for that.
bool is_unseen(double rms, double before, double max_error) {
  return rms <= before + kUnseen * max_error && rms <= std::max(before, max_error);
}

double rms_of(const PositionModel& model, std::span<const Vec3d> samples_m, double frame_time_s, double& largest_m) {
  const auto made = sample_positions(model, static_cast<int>(samples_m.size()), frame_time_s);
  double sum = 0.0;
  largest_m = 0.0;
  for (std::size_t i = 0; i < made.size(); ++i) {
    const double square = (made[i] - samples_m[i]).squaredNorm();
    sum += square;
    largest_m = std::max(largest_m, std::sqrt(square));
  }
  return std::sqrt(sum / static_cast<double>(made.size()));
}

double rms_of(const RotationModel& model, std::span<const Quatd> samples, double frame_time_s, double& largest_rad) {
  const auto made = sample_rotations(model, static_cast<int>(samples.size()), frame_time_s);
  double sum = 0.0;
  largest_rad = 0.0;
  for (std::size_t i = 0; i < made.size(); ++i) {
    const double angle = made[i].angularDistance(samples[i]);
    sum += angle * angle;
    largest_rad = std::max(largest_rad, angle);
  }
  return std::sqrt(sum / static_cast<double>(made.size()));
}

// Leaves out what is idle, where that is hardly seen in the error.
template <class Model, class Samples>
void drop_idle(Model& model, double& rms, double& largest, const Samples& samples, double frame_time_s,
               double max_error) {
  Model busy = without_idle(model, max_error);
  if (busy.submovements.size() == model.submovements.size()) return;
  double busy_largest = 0.0;
  const double busy_rms = rms_of(busy, samples, frame_time_s, busy_largest);
  if (!is_unseen(busy_rms, rms, max_error)) return;
  model = std::move(busy);
  rms = busy_rms;
  largest = busy_largest;
}

// Two turns about one axis at the same times are one turn.
void join_twins(RotationModel& model) {
  auto& list = model.submovements;
  for (std::size_t k = 0; k + 1 < list.size();) {
    const RotationSubmovement &a = list[k], &b = list[k + 1];
    const double near_s = kTwins * (a.tf_s - a.t0_s);
    const bool twins =
        std::abs(a.t0_s - b.t0_s) < near_s && std::abs(a.tf_s - b.tf_s) < near_s &&
        a.rotation_rad.cross(b.rotation_rad).norm() < kTwins * a.rotation_rad.norm() * b.rotation_rad.norm();
    if (!twins) {
      ++k;
      continue;
    }
    list[k].rotation_rad += b.rotation_rad;
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(k) + 1);
  }
}

}  // namespace

Result<PositionDecomposition> decompose_positions(std::span<const Vec3d> samples_m, double frame_time_s,
                                                  const DecomposeParams& params) {
  if (const auto ok = check(params, samples_m.size(), frame_time_s); !ok) return std::unexpected(ok.error());
  for (std::size_t i = 0; i < samples_m.size(); ++i) {
    if (!samples_m[i].allFinite()) return fail(ErrorCode::invalid_argument, "decompose: sample {} is not finite", i);
  }
  PositionDecomposition result;
  if (params.solver == Solver::cma_es) {
    auto found = detail::seed_positions(samples_m, frame_time_s, params);
    if (!found) return std::unexpected(found.error());
    result = std::move(*found);
  } else {
    Eigen::MatrixXd data(static_cast<Eigen::Index>(samples_m.size()), 3);
    for (std::size_t i = 0; i < samples_m.size(); ++i) data.row(static_cast<Eigen::Index>(i)) = samples_m[i];
    const auto found = detail::decompose_channels(data, frame_time_s,
                                                  search_params(params, params.max_error_m, params.max_duration_s));
    result.model.start_m = found.start;
    for (const auto& piece : found.pieces)
      result.model.submovements.push_back({piece.time.t0_s, piece.time.tf_s, piece.move.transpose()});
    std::stable_sort(result.model.submovements.begin(), result.model.submovements.end(),
                     [](const auto& a, const auto& b) { return a.t0_s < b.t0_s; });
    result.noise_m = found.noise;
    result.evaluations = found.evaluations;
  }
  drop_unseen(result.model, static_cast<double>(samples_m.size() - 1) * frame_time_s);
  if (params.solver == Solver::fast) begin_with_first(result.model, frame_time_s);
  result.rms_m = rms_of(result.model, samples_m, frame_time_s, result.max_error_m);
  if (params.solver == Solver::fast)
    drop_idle(result.model, result.rms_m, result.max_error_m, samples_m, frame_time_s, params.max_error_m);
  return result;
}

Result<RotationDecomposition> decompose_rotations(std::span<const Quatd> samples, double frame_time_s,
                                                  const DecomposeParams& params) {
  if (const auto ok = check(params, samples.size(), frame_time_s); !ok) return std::unexpected(ok.error());
  std::vector<Quatd> unit(samples.begin(), samples.end());
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const double norm = unit[i].norm();
    if (!std::isfinite(norm) || !(norm > 1e-9))
      return fail(ErrorCode::invalid_argument, "decompose: rotation {} is not finite or zero", i);
    unit[i].coeffs() /= norm;
  }
  RotationDecomposition result;
  if (params.solver == Solver::cma_es) {
    auto found = detail::seed_rotations(unit, frame_time_s, params);
    if (!found) return std::unexpected(found.error());
    result = std::move(*found);
  } else {
    result =
        detail::search_rotations(unit, frame_time_s, search_params(params, params.max_error_rad, params.max_turn_s));
  }
  drop_unseen(result.model, static_cast<double>(unit.size() - 1) * frame_time_s);
  if (params.solver == Solver::fast) {
    begin_with_first(result.model, frame_time_s);
    join_twins(result.model);
  }
  result.rms_rad = rms_of(result.model, unit, frame_time_s, result.max_error_rad);
  if (params.solver == Solver::fast)
    drop_idle(result.model, result.rms_rad, result.max_error_rad, unit, frame_time_s, params.max_error_rad);
  return result;
}

}  // namespace shosa::submovement
