#include "exact_product.h"

#include <algorithm>
#include <cmath>

#include "growth_product.h"
#include "knot_pairs.h"
#include "rotation_polish.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kLeastNoise_rad = 1e-10;  // What fits to the last digits leave.
constexpr double kKnotNoise_rad = 1e-8;    // Turns that overlap are no polynomials.
constexpr double kSureError = 0.03;        // Of a duration that one knot tells.
constexpr double kMissed = 2.5;            // Times the noise: samples that are not met.
constexpr double kSmall_rad = 0.05;        // Turns that may be nobody's …
constexpr double kNothing_rad = 1e-3;      // … and that hardly are anybody's.
constexpr int kLive = 14;                  // Factors fitted at once, to the last digit.
constexpr int kPruneIterations = 60;
constexpr int kTries = 60, kTries_per_s = 25;

// What the noise hides is nobody's.
void prune(std::span<const Quatd> samples, double step_s, const SearchParams& params, RotationModel& model,
           long& evaluations) {
  const double allowed = kMissed * kMissed * params.noise * params.noise * 3.0 * static_cast<double>(samples.size());
  // All at once what only made up for others that were not yet known well enough.
  RotationModel plain = model;
  std::erase_if(plain.submovements, [](const auto& s) { return s.rotation_rad.norm() < kNothing_rad; });
  const int left = static_cast<int>(plain.submovements.size());
  if (left < static_cast<int>(model.submovements.size()) && left > 0) {
    for (int sweep = 0; sweep < 2 && rotation_error(samples, step_s, plain) > allowed; ++sweep)
      for (int first = 0; first < left; first += kLive / 2) {
        polish_group(samples, step_s, params, first, std::min(left, first + kLive), plain, evaluations,
                     kPruneIterations);
        if (first + kLive >= left) break;
      }
    if (rotation_error(samples, step_s, plain) <= allowed) model = std::move(plain);
  }
  for (std::size_t k = 0; k < model.submovements.size();) {
    if (model.submovements[k].rotation_rad.norm() < kSmall_rad) {
      RotationModel without = model;
      auto& list = without.submovements;
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(k));
      const int count = static_cast<int>(list.size());
      const int first = std::clamp(static_cast<int>(k) - kLive / 2, 0, std::max(0, count - kLive));
      if (count > 0)
        polish_group(samples, step_s, params, first, std::min(count, first + kLive), without, evaluations,
                     kPruneIterations);
      if (rotation_error(samples, step_s, without) <= allowed) {
        model = std::move(without);
        continue;
      }
    }
    ++k;
  }
}

}  // namespace

std::optional<RotationModel> take_product_apart(std::span<const Quatd> samples, double step_s,
                                                const SearchParams& params, long& evaluations) {
  SearchParams own = params;
  own.ridge = 0.0;
  own.start_gap_s = 0.0;
  own.noise = std::max(params.noise, kLeastNoise_rad);
  GrowthParams growth{.step_s = step_s,
                      .noise = own.noise,
                      .min_duration_s = params.min_duration_s,
                      .max_duration_s = params.max_duration_s,
                      .tries = kTries,
                      .tries_per_s = kTries_per_s};
  const std::vector<double> noise(samples.size(), std::max(own.noise, kKnotNoise_rad));
  for (const KnownPiece& known :
       pair_knots(isolated_knots(develop(samples), step_s, noise, 5), step_s, own, kSureError, true))
    growth.hints.push_back(known.piece);
  // Smooth samples that were made otherwise have no knots.
  if (growth.hints.empty()) return std::nullopt;

  const auto grown = grow_from_first(ProductSpace(samples, step_s, own), growth, evaluations);
  if (!grown) return std::nullopt;
  RotationModel model{.start = grown->turn};
  for (const Piece& p : grown->pieces) model.submovements.push_back({p.time.t0_s, p.time.tf_s, p.move.transpose()});
  prune(samples, step_s, own, model, evaluations);
  return model;
}

}  // namespace shosa::submovement::detail
