#include "rotation_follow.h"

#include <algorithm>
#include <cmath>

#include "noise.h"
#include "rotation_fit.h"
#include "rotation_frames.h"
#include "rotation_polish.h"
#include "rotation_stretch.h"
#include "shosa/solve/minimum_jerk.h"
#include "stretches.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kTurnPerStretch_rad = 9.0;

struct StretchFit {
  RotationModel model = {};
  bool good = false;
  bool exact = false;
  double noise = 0.0;
  long evaluations = 0;
  bool too_far = false;  // Turns by more than one submovement may.
};

StretchFit fit_stretch(std::span<const Quatd> samples, double step_s, SearchParams params) {
  const bool shortest = static_cast<double>(samples.size()) * step_s < 2.0 * kShortest_s;
  if (roughness(samples, step_s, params.min_duration_s) > kRough * params.max_error) return {};

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
  fit.too_far = std::any_of(fit.model.submovements.begin(), fit.model.submovements.end(),
                            [](const auto& s) { return turns_too_far(s.rotation_rad.norm()); });
  fit.good = fit.good && !fit.too_far;
  return fit;
}

}  // namespace

Followed follow_in_stretches(std::span<const Quatd> samples, double step_s, const SearchParams& params,
                             std::size_t few) {
  Followed followed;
  RotationDecomposition& result = followed.result;
  bool exact = true;
  result.model.start = params.fixed_start ? Quatd::Identity() : samples[0];
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
        if (!followed.within) return Found{{}, {}, is_first, true};
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
        own.fixed_start = params.fixed_start || !is_first;
        own.ends_inside = params.ends_inside && first + count == static_cast<int>(samples.size());
        own.gentle = kGentleTurns;
        StretchFit fit = fit_stretch(rest, step_s, own);
        if (fit.good)
          exact = exact && fit.exact;
        else if (0.5 * count * step_s < kShortest_s)
          followed.within = false, followed.failed = {first, first + count - 1, true}, followed.too_far = fit.too_far;
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
  if (!followed.within) return followed;
  // Where stretches meet the error may be larger than in each of them.
  const double rms = std::sqrt(rotation_error(samples, step_s, result.model) / static_cast<double>(samples.size()));
  if (rms > kNearlyGood * params.max_error) {
    followed.within = false;
    followed.failed = {0, static_cast<int>(samples.size()) - 1, true};
    return followed;
  }
  // A few that explain everything are known better than to a frame; what was measured of a body's joint may be
  // explained down to what few samples leave of the noise.
  followed.settled = result.model.submovements.size() <= few ||
                     (params.thorough && exact && result.model.submovements.size() <= kFewExplained);
  return followed;
}

}  // namespace shosa::submovement::detail
