#include "exact_product.h"

#include <algorithm>
#include <cmath>

#include "exact_sum.h"
#include "frames.h"
#include "growth_product.h"
#include "knot_pairs.h"
#include "rotation_fit.h"
#include "rotation_polish.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kLeastNoise_rad = 1e-10;  // What fits to the last digits leave.
constexpr double kNearFrame = 0.03;        // Frames.
constexpr std::size_t kManyHints = 6;
constexpr int kTriesAnywhere = 20, kEasyTries = 10, kEasyTriesEach = 2;
constexpr double kMostOnFrames = 0.7;  // Share of the knots that stand alone.
// The rounding of a quaternion's numbers changes along the samples, and the estimate is that of where it is low.
constexpr double kUneven = 1.4;
constexpr double kKnotNoise_rad = 1e-8;  // Turns that overlap are no polynomials.
constexpr double kSureError = 0.03;      // Of a duration that one knot tells.
constexpr double kMissed = 2.5;          // Times the noise: samples that are not met.
constexpr double kGenerous = 4.0;        // Times the squared error: what frozen parts of a long product may leave.
constexpr double kHinge = 30.0;          // Times the noise: turns beside one axis, whose own directions are rounded.
constexpr double kSmall_rad = 0.05;      // Turns that may be nobody's …
constexpr double kNothing_rad = 1e-3;    // … and that hardly are anybody's.
constexpr int kLive = 14;                // Factors fitted at once, to the last digit.
constexpr int kPruneIterations = 60, kSweeps = 3;

double allowed_error(std::span<const Quatd> samples, const SearchParams& params) {
  return kMissed * kMissed * params.noise * params.noise * 3.0 * static_cast<double>(samples.size());
}

void refit(std::span<const Quatd> samples, double step_s, const SearchParams& params, RotationModel& model,
           long& evaluations) {
  const double allowed = allowed_error(samples, params);
  const int count = static_cast<int>(model.submovements.size());
  for (int sweep = 0; sweep < kSweeps && rotation_error(samples, step_s, model) > allowed; ++sweep)
    for (int first = 0; first < count; first += kLive / 2) {
      polish_group(samples, step_s, params, first, std::min(count, first + kLive), model, evaluations,
                   kPruneIterations);
      if (first + kLive >= count) break;
    }
}

// What was put on frames is there to the last digit.
void fit_on_frames(std::span<const Quatd> samples, double step_s, const SearchParams& params, RotationModel& model,
                   long& evaluations) {
  for (auto& s : model.submovements) {
    s.t0_s = on_frame(s.t0_s, step_s);
    s.tf_s = std::max(on_frame(s.tf_s, step_s), s.t0_s + step_s);
  }
  SearchParams own = params;
  own.fixed_timings = true;
  refit(samples, step_s, own, model, evaluations);
}

// What the noise hides is nobody's.
void prune(std::span<const Quatd> samples, double step_s, const SearchParams& params, RotationModel& model,
           long& evaluations) {
  const double allowed = allowed_error(samples, params);
  // All at once what only made up for others that were not yet known well enough.
  RotationModel plain = model;
  std::erase_if(plain.submovements, [](const auto& s) { return s.rotation_rad.norm() < kNothing_rad; });
  const int left = static_cast<int>(plain.submovements.size());
  if (left < static_cast<int>(model.submovements.size()) && left > 0) {
    if (params.on_frames)
      fit_on_frames(samples, step_s, params, plain, evaluations);
    else
      refit(samples, step_s, params, plain, evaluations);
    if (rotation_error(samples, step_s, plain) <= allowed) model = std::move(plain);
  }
  // Of those on frames an end that is not on one tells.
  const auto doubtful = [&](const RotationSubmovement& s) {
    const double end = s.tf_s / step_s;
    return s.rotation_rad.norm() < kSmall_rad && !(params.on_frames && std::abs(end - std::round(end)) < kNearFrame);
  };
  for (std::size_t k = 0; k < model.submovements.size();) {
    if (doubtful(model.submovements[k])) {
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

// Nobody's goals: what needs such turns was made otherwise.
bool has_tiny_turns(const RotationModel& model) {
  return std::any_of(model.submovements.begin(), model.submovements.end(),
                     [](const auto& s) { return s.rotation_rad.norm() < kLeastMove; });
}

// Turns about one axis add up.
std::optional<RotationModel> take_hinge_apart(std::span<const Quatd> samples, double step_s, const SearchParams& params,
                                              long& evaluations) {
  const Eigen::MatrixXd turned = develop(samples);
  Eigen::Index farthest = 0;
  turned.rowwise().squaredNorm().maxCoeff(&farthest);
  const Eigen::RowVector3d axis = turned.row(farthest).normalized();
  const Eigen::MatrixXd angle = turned * axis.transpose();
  const double beside = (turned - angle * axis).squaredNorm() / static_cast<double>(samples.size());
  if (!(beside < kHinge * kHinge * params.noise * params.noise)) return std::nullopt;
  const auto sum = take_sum_apart(angle, step_s, params);
  if (!sum ||
      std::any_of(sum->pieces.begin(), sum->pieces.end(), [](const Piece& p) { return turns_too_far(p.move(0)); }))
    return std::nullopt;
  evaluations += sum->evaluations;
  RotationModel model{.start = (samples[0] * exp_rotation(sum->start(0) * axis.transpose())).normalized()};
  for (const Piece& p : sum->pieces)
    model.submovements.push_back({p.time.t0_s, p.time.tf_s, p.move(0) * axis.transpose()});
  return model;
}

}  // namespace

void round_to_frames(std::span<const Quatd> samples, double step_s, const SearchParams& params, RotationModel& model,
                     long& evaluations) {
  RotationModel rounded = model;
  fit_on_frames(samples, step_s, params, rounded, evaluations);
  if (rotation_error(samples, step_s, rounded) <= allowed_error(samples, params)) model = std::move(rounded);
}

std::optional<RotationModel> take_product_apart(std::span<const Quatd> samples, double step_s,
                                                const SearchParams& params, long& evaluations) {
  SearchParams own = params;
  own.ridge = 0.0;
  own.start_gap_s = 0.0;
  own.noise = std::max(kUneven * params.noise, kLeastNoise_rad);
  GrowthParams growth{.step_s = step_s,
                      .noise = own.noise,
                      .min_duration_s = params.min_duration_s,
                      .max_duration_s = params.max_duration_s};
  if (!params.on_frames) growth.tries = kTriesAnywhere;
  if (params.easily) growth.tries = kEasyTries, growth.tries_each = kEasyTriesEach;
  const std::vector<double> noise(samples.size(), std::max(own.noise, kKnotNoise_rad));
  if (!params.crowded || !params.on_frames) {
    for (const KnownPiece& known :
         pair_knots(isolated_knots(develop(samples), step_s, noise, 5), step_s, own, kSureError, true))
      growth.hints.push_back(known.piece);
  }
  // Smooth samples that were made otherwise have no knots, or few of them on frames; but knots may all be too near each
  // other to be seen.
  const double share = share_on_frames(growth.hints, step_s);
  const bool crowded = params.crowded || are_crowded(growth.hints, develop(samples), noise[0]);
  if (own.on_frames ? !crowded && share == 0.0
                    : growth.hints.empty() || (growth.hints.size() >= kManyHints && share > kMostOnFrames))
    return std::nullopt;
  growth.on_frames = own.on_frames;
  growth.most = own.most;
  if (auto hinge = take_hinge_apart(samples, step_s, own, evaluations)) {
    if (own.on_frames) round_to_frames(samples, step_s, own, *hinge, evaluations);
    if (rotation_error(samples, step_s, *hinge) <= allowed_error(samples, own) && !has_tiny_turns(*hinge)) return hinge;
  }
  const auto grown = grow_from_first(ProductSpace(samples, step_s, own), growth, evaluations);
  if (!grown) return std::nullopt;
  RotationModel model{.start = grown->turn};
  for (const Piece& p : grown->pieces) model.submovements.push_back({p.time.t0_s, p.time.tf_s, p.move.transpose()});
  prune(samples, step_s, own, model, evaluations);
  if (has_tiny_turns(model)) return std::nullopt;
  if (own.on_frames) round_to_frames(samples, step_s, own, model, evaluations);
  if (!(rotation_error(samples, step_s, model) <= kGenerous * allowed_error(samples, own))) return std::nullopt;
  return model;
}

}  // namespace shosa::submovement::detail
