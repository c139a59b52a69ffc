#include "shosa/submovement/decompose.h"

#include <algorithm>
#include <cmath>

#include "channels.h"
#include "model_error.h"
#include "rotations.h"
#include "seed_method.h"
#include "shosa/core/rotations.h"

namespace shosa::submovement {

namespace {

Result<void> check(const DecomposeParams& params, std::size_t samples, double frame_time_s) {
  const auto wrong = [](std::string_view rule) { return fail(ErrorCode::invalid_argument, "decompose: {}", rule); };
  if (samples == 0) return wrong("no samples");
  if (!(frame_time_s > 0.0) || !std::isfinite(frame_time_s)) return wrong("the frame time must be above 0");
  if (!(params.max_error_m > 0.0) || !(params.max_error_rad > 0.0)) return wrong("the allowed error must be above 0");
  if (!(params.min_duration_s > 0.0) || !(params.max_duration_s > params.min_duration_s) ||
      !(params.max_turn_s > params.min_duration_s) || !std::isfinite(params.max_duration_s) ||
      !std::isfinite(params.max_turn_s))
    return wrong("durations must be above 0 and the longest above the shortest");
  if (!(params.min_gap_s >= 0.0)) return wrong("the gap between starts must not be negative");
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
    const detail::SearchParams search = search_params(params, params.max_error_m, params.max_duration_s);
    auto found = detail::decompose_channels(data, frame_time_s, search);
    if (params.min_gap_s > 0.0) detail::keep_apart(data, frame_time_s, search, params.min_gap_s, found);
    result.model.start_m = found.start;
    for (const auto& piece : found.pieces)
      result.model.submovements.push_back({piece.time.t0_s, piece.time.tf_s, piece.move.transpose()});
    std::stable_sort(result.model.submovements.begin(), result.model.submovements.end(),
                     [](const auto& a, const auto& b) { return a.t0_s < b.t0_s; });
    result.noise_m = found.noise;
    result.evaluations = found.evaluations;
  }
  drop_unseen(result.model, static_cast<double>(samples_m.size() - 1) * frame_time_s);
  const auto error = detail::model_error(result.model, samples_m, frame_time_s);
  result.rms_m = error.rms;
  result.max_error_m = error.largest;
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
  const auto error = detail::model_error(result.model, unit, frame_time_s);
  result.rms_rad = error.rms;
  result.max_error_rad = error.largest;
  return result;
}

}  // namespace shosa::submovement
