#include "rotation_search.h"

#include <algorithm>

#include "exact_product.h"
#include "noise.h"
#include "rotation_bound.h"
#include "rotation_frames.h"
#include "rotation_polish.h"
#include "rotation_regions.h"
#include "rotation_steps.h"

namespace shosa::submovement::detail {

namespace {

constexpr int kFewKnots = 8, kFewSteps = 2;
constexpr double kPerhapsMade_rad = 3e-6;
constexpr double kCrowded_rad = 1e-7;
constexpr double kDoublePrecision_rad = 3e-10;  // Samples that were never rounded to single precision.
constexpr double kOverlap_rad = 1e-8;  // Turns that overlap are no polynomials; this is less than what a knot leaves.
// Times the noise of samples that were made, or, where that is less, this.
constexpr double kExplained = 4.0, kExplained_rad = 3e-7;

}  // namespace

RotationDecomposition search_rotations(std::span<const Quatd> samples, double step_s, const SearchParams& params) {
  const Eigen::MatrixXd development = develop(samples);
  SearchParams own = params;
  own.noise = estimate_noise(development);
  const bool made = samples_were_made(development, own.noise);
  const int exact_steps = count_exact_steps(samples, kRounding_rad, kFewSteps);
  own.steps = exact_steps >= kFewSteps;
  own.crowded = own.noise > kCrowded_rad;
  own.sure = made || own.steps || least_noise(development) < kPerhapsMade_rad;
  own.steps = own.steps || split_at_jumps(samples, step_s, params.max_error).size() > 1;
  // Of a product that was made a few submovements are found soonest by the search; many by growing.
  const bool few = made && knot_count(development, std::max(own.noise, kOverlap_rad)) <= kFewKnots;
  RotationDecomposition result;
  const auto grown = [&](bool on_frames, double noise, bool steps) {
    SearchParams trial = own;
    trial.steps = steps;
    trial.on_frames = on_frames;
    if (on_frames) trial.min_duration_s = shortest_on_frames_s(params.min_duration_s, step_s);
    trial.noise = noise;
    auto exact = take_product_apart(samples, step_s, trial, result.evaluations);
    if (exact) {
      result.model = std::move(*exact);
      result.noise_rad = noise;
    }
    return exact.has_value();
  };
  // The estimate is too low where a joint hardly turns for most of the time, too high where turns begin all the time.
  const auto grown_on_frames = [&] {
    if (own.noise < kDoublePrecision_rad && grown(true, own.noise, false)) return true;
    return grown(true, kRounding_rad, false) ||
           ((own.steps || (made && exact_steps > 0)) && grown(true, kRounding_rad, true));
  };
  if (!few && grown_on_frames()) return result;
  const long before = result.evaluations;
  // Of a few that were made the times are better than frames.
  result = bound_rotations(samples, step_s, params, made && !own.steps ? kFewExplained : 0);
  result.evaluations += before;
  result.noise_rad = own.noise;
  if (!made) return result;
  const double allowed = std::max(kExplained * own.noise, kExplained_rad);
  const double error = rotation_error(samples, step_s, result.model) / static_cast<double>(samples.size());
  if (error <= allowed * allowed) return result;
  // What is smooth but no product of turns is explained to the last digit by many that nearly cancel.
  const std::size_t needed = result.model.submovements.size();
  own.most = most_made(std::max(kFewExplained, needed));
  if (few && grown_on_frames()) return result;
  own.most = most_made(needed);
  if (grown(false, own.noise, false)) return result;
  put_on_frames(samples, step_s, params, true, result.model, result.evaluations);
  return result;
}

}  // namespace shosa::submovement::detail
