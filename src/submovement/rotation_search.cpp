#include "rotation_search.h"

#include <algorithm>
#include <cmath>

#include "exact_product.h"
#include "noise.h"
#include "rotation_frames.h"
#include "rotation_polish.h"
#include "rotation_steps.h"
#include "rotation_stretch.h"
#include "shosa/solve/minimum_jerk.h"
#include "stretches.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kTurnPerStretch_rad = 9.0;
constexpr std::size_t kFewExplained = 6;
constexpr double kStep = 0.95;      // Of the shortest duration: what follows samples one by one.
constexpr double kRough = 1.6;      // Of the bound: no submovements follow this.
constexpr double kFlip_rad = 0.35;  // A turn between two samples that is no movement.
constexpr double kExplained = 4.0;  // Times the noise of samples that were made …
constexpr int kFewKnots = 8;
constexpr double kOverlap_rad = 1e-8;    // Turns that overlap are no polynomials; this is less than what a knot leaves.
constexpr double kExplained_rad = 3e-7;  // … or, where that is less, this.

struct StretchFit {
  RotationModel model;
  bool good = false;
  bool exact = false;
  double noise = 0.0;
  long evaluations = 0;
};

// Root mean square of what is left when every sample is smoothed by a parabola over the shortest duration: submovements
// follow no better than that.
double roughness(std::span<const Quatd> samples, double step_s, double min_duration_s) {
  const int reach = static_cast<int>(std::floor(0.5 * min_duration_s / step_s));
  const int n = static_cast<int>(samples.size());
  if (reach < 2 || n <= 2 * reach) return 0.0;
  const Eigen::MatrixXd turned = develop(samples);
  // The weights of a parabola's value in the middle (Savitzky and Golay).
  const double m = reach, scale = (2.0 * m - 1.0) * (2.0 * m + 1.0) * (2.0 * m + 3.0) / 3.0;
  Eigen::VectorXd weights(2 * reach + 1);
  for (int k = -reach; k <= reach; ++k) weights(k + reach) = (3.0 * m * (m + 1.0) - 1.0 - 5.0 * k * k) / scale;
  double sum = 0.0;
  for (int i = reach; i + reach < n; ++i)
    sum += (turned.row(i) - weights.transpose() * turned.middleRows(i - reach, 2 * reach + 1)).squaredNorm();
  return std::sqrt(sum / (n - 2 * reach));
}

StretchFit fit_stretch(std::span<const Quatd> samples, double step_s, SearchParams params) {
  const bool shortest = static_cast<double>(samples.size()) * step_s < 2.0 * kShortest_s;
  double fastest = 0.0;
  for (std::size_t i = 1; i < samples.size(); ++i)
    fastest = std::max(fastest, samples[i - 1].angularDistance(samples[i]));
  if (fastest > kFlip_rad || roughness(samples, step_s, params.min_duration_s) > kRough * params.max_error)
    return {shortest ? follow_steps(samples, step_s, params) : RotationModel{}, shortest, false};

  const int stride = search_stride(step_s);
  std::vector<Quatd> coarse;
  for (std::size_t i = 0; i < samples.size(); i += static_cast<std::size_t>(stride)) coarse.push_back(samples[i]);
  RotationSearch search(coarse, stride * step_s, params);
  search.run();
  RotationSearch all(samples, step_s, params);
  all.run_from(search.model(), search.exact());
  StretchFit fit{all.model(), search.exact() || all.within(1.0), search.exact(), all.noise(),
                 search.evaluations() + all.evaluations()};
  // Trembling joints of a body that nearly meet the bound are left at that: steps would be many.
  if (!fit.good && shortest && !params.thorough) fit.good = all.within(kNearlyGood);
  if (!fit.good && shortest) fit.model = follow_steps(samples, step_s, params);
  return fit;
}

// Stretch after stretch; `settled` where the times are as good as they need be, on frames or explained.
RotationDecomposition in_stretches(std::span<const Quatd> samples, double step_s, const SearchParams& params,
                                   std::size_t few, bool& settled) {
  RotationDecomposition result;
  bool exact = true;
  result.model.start = samples[0];
  Quatd ended = Quatd::Identity();
  std::vector<RotationSubmovement> under_way;

  struct Found {
    RotationModel model;
    std::vector<Timing> timings;
    bool first;
    bool good;
  };
  // Degrees of freedom that overlap and turn far are no sum any more: the more a joint turns, the shorter the stretch.
  std::vector<double> turned{0.0};
  for (std::size_t i = 1; i < samples.size(); ++i)
    turned.push_back(turned.back() + samples[i - 1].angularDistance(samples[i]));
  const auto longest_s = [&](int first) {
    const auto from = static_cast<std::size_t>(first);
    const auto end = std::upper_bound(turned.begin() + first, turned.end(), turned[from] + kTurnPerStretch_rad);
    return std::clamp(static_cast<double>(end - turned.begin() - first) * step_s, kShortest_s, kStretch_s);
  };
  for_each_stretch(
      static_cast<int>(samples.size()), step_s, true, longest_s,
      [&](int first, int count, bool is_first) {
        // Factors are in the order of t0: a prefix that has ended is one rotation.
        while (!under_way.empty() && under_way.front().tf_s <= first * step_s) {
          ended = (ended * exp_rotation(under_way.front().rotation_rad)).normalized();
          under_way.erase(under_way.begin());
        }
        std::vector<Quatd> rest;
        for (int i = first; i < first + count; ++i) {
          Quatd before = ended;
          for (const auto& s : under_way)
            before = before * exp_rotation(solve::minimum_jerk_value(i * step_s, s.t0_s, s.tf_s) * s.rotation_rad);
          rest.push_back((before.conjugate() * samples[static_cast<std::size_t>(i)]).normalized());
        }
        SearchParams own = params;
        own.fixed_start = !is_first;
        own.gentle = kGentleTurns;
        StretchFit fit = fit_stretch(rest, step_s, own);
        if (fit.good) exact = exact && fit.exact;
        if (is_first) result.noise_rad = fit.noise;
        result.evaluations += fit.evaluations;
        Found found{std::move(fit.model), {}, is_first, fit.good};
        for (auto& s : found.model.submovements) {
          s.t0_s += first * step_s;
          s.tf_s += first * step_s;
          found.timings.push_back({s.t0_s, s.tf_s});
        }
        return found;
      },
      [&](const Found& found, std::size_t kept) {
        if (found.first) {
          result.model.start = found.model.start;
          ended = found.model.start;
        }
        for (std::size_t k = 0; k < kept; ++k) {
          result.model.submovements.push_back(found.model.submovements[k]);
          under_way.push_back(found.model.submovements[k]);
        }
      });
  // A few that explain everything are known better than to a frame.
  settled = result.model.submovements.size() <= few || (exact && result.model.submovements.size() <= kFewExplained) ||
            put_on_frames(samples, step_s, params, result.model, result.evaluations);
  return result;
}

// Starts may be as near each other as they like as long as they can be put on frames, or are kept apart from the
// outset: the thorough search does with fewer where they are.
RotationDecomposition in_stretches(std::span<const Quatd> samples, double step_s, const SearchParams& params,
                                   std::size_t few) {
  SearchParams first = params, second = params;
  second.start_gap_s = kStartGap * step_s;
  if (params.thorough) std::swap(first, second);
  bool settled = false;
  RotationDecomposition result = in_stretches(samples, step_s, first, few, settled);
  const auto& list = result.model.submovements;
  const auto is_step = [&](const auto& s) { return s.tf_s - s.t0_s < kStep * params.min_duration_s; };
  if (settled || std::any_of(list.begin(), list.end(), is_step)) return result;
  RotationDecomposition other = in_stretches(samples, step_s, second, few, settled);
  other.evaluations += result.evaluations;
  return settled ? other : result;
}

}  // namespace

RotationDecomposition search_rotations(std::span<const Quatd> samples, double step_s, const SearchParams& params) {
  const Eigen::MatrixXd development = develop(samples);
  SearchParams own = params;
  own.noise = estimate_noise(development);
  const bool made = samples_were_made(development, own.noise);
  // Of a product that was made a few submovements are found soonest by the search; many by growing.
  const bool few = made && knot_count(development, std::max(own.noise, kOverlap_rad)) <= kFewKnots;
  RotationDecomposition result;
  const auto grown = [&](bool on_frames) {
    own.on_frames = on_frames;
    auto exact = take_product_apart(samples, step_s, own, result.evaluations);
    if (exact) result.model = std::move(*exact);
    result.noise_rad = own.noise;
    return exact.has_value();
  };
  if (made && !few && grown(true)) return result;
  const long before = result.evaluations;
  // Of a few that were made the times are better than frames, found to the last digit or not.
  result = in_stretches(samples, step_s, params, made ? kFewExplained : 0);
  result.evaluations += before;
  if (!made) return result;
  const double allowed = std::max(kExplained * own.noise, kExplained_rad);
  const double error = rotation_error(samples, step_s, result.model) / static_cast<double>(samples.size());
  if (error <= allowed * allowed) return result;
  // What is smooth but no product of turns is explained to the last digit by many that nearly cancel.
  own.most = most_made(result.model.submovements.size());
  if (!few || !grown(true)) grown(false);
  return result;
}

}  // namespace shosa::submovement::detail
