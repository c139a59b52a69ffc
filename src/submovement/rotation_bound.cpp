#include "rotation_bound.h"

#include <algorithm>
#include <cmath>

#include "exact_product.h"
#include "noise.h"
#include "rotation_frames.h"
#include "rotation_polish.h"
#include "rotation_regions.h"
#include "rotation_steps.h"
#include "rotation_stretch.h"
#include "shosa/solve/minimum_jerk.h"
#include "stretches.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kTurnPerStretch_rad = 9.0;
constexpr double kRough = 1.6;              // Of the bound: no submovements follow this.
constexpr std::size_t kMany = 40;           // Submovements, for which others are not worth the time.
constexpr double kDense = 0.07;             // Submovements for every sample.
constexpr double kSame = 0.01;              // Frames.
constexpr double kTighter[] = {0.75, 0.5};  // Of the bound.
constexpr double kWorth_s = 0.5;            // What is left of a region before or after a part that steps follow.

struct StretchFit {
  RotationModel model = {};
  bool good = false;
  bool exact = false;
  double noise = 0.0;
  long evaluations = 0;
};

// A whole recording, stretch after stretch.
struct Followed {
  RotationDecomposition result;
  bool within = true;    // The bound is met, or nearly so where a joint trembles, …
  Region failed = {};    // … or not here.
  bool settled = false;  // The times are as good as they need be, on frames or explained.
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
  return fit;
}

Followed in_stretches(std::span<const Quatd> samples, double step_s, const SearchParams& params, std::size_t few) {
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
          followed.within = false, followed.failed = {first, first + count - 1, true};
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
  // A few that explain everything are known better than to a frame.
  followed.settled =
      result.model.submovements.size() <= few || (exact && result.model.submovements.size() <= kFewExplained);
  return followed;
}

// Where submovements begin every few frames, whether they are found again in samples that are made from them, as these
// are rounded and as they are rounded in a frame turned elsewhere.
bool is_found_again(const RotationModel& model, std::size_t samples, double step_s, const SearchParams& params,
                    long& evaluations) {
  const auto& list = model.submovements;
  if (static_cast<double>(list.size()) < kDense * static_cast<double>(samples) || list.size() > kMany) return true;
  SearchParams own = params;
  own.on_frames = own.sure = own.crowded = true;
  own.noise = kRounding_rad;
  own.min_duration_s = std::min(params.min_duration_s, kShortestFrames * step_s);
  const auto same = [&](const RotationSubmovement& a, const RotationSubmovement& b) {
    return std::abs(a.t0_s - b.t0_s) < kSame * step_s && std::abs(a.tf_s - b.tf_s) < kSame * step_s;
  };
  for (const Vec3d& elsewhere : {Vec3d(0.0, 0.0, 0.0), Vec3d(0.4, -0.7, 0.2)}) {
    auto made = sample_rotations(model, static_cast<int>(samples), step_s);
    for (Quatd& q : made) q = (exp_rotation(elsewhere) * q).cast<float>().cast<double>().normalized();
    const auto again = take_product_apart(made, step_s, own, evaluations);
    if (!again || !std::equal(again->submovements.begin(), again->submovements.end(), list.begin(), list.end(), same))
      return false;
  }
  return true;
}

// Starts may be as near each other as they like as long as they can be put on frames, or are kept apart from the
// outset: the thorough search does with fewer where they are. Where neither will do, a few more on frames will; where
// they are not found again, those of a tighter bound may be.
Followed followed_on_frames(std::span<const Quatd> samples, double step_s, const SearchParams& params,
                            std::size_t few) {
  const bool whole = !params.fixed_start && !params.ends_inside;
  std::vector<Followed> found, spare;
  long evaluations = 0;
  // True, and the first of `spare`, where it is what we look for.
  const auto is_good = [&](Followed& followed, bool complete) {
    RotationDecomposition& result = followed.result;
    if (!followed.within) return false;
    if (!followed.settled) {
      followed.settled = put_on_frames(samples, step_s, params, complete, result.model, evaluations);
      if (!followed.settled) return false;
      if (whole && !is_found_again(result.model, samples.size(), step_s, params, evaluations)) {
        spare.push_back(followed);
        return false;
      }
    }
    spare.assign(1, followed);
    return true;
  };
  const auto chosen = [&]() -> Followed {
    Followed& best = spare.empty() ? found.front() : spare.front();
    best.result.evaluations = evaluations;
    return best;
  };
  const auto follow = [&](bool apart, double share) {
    SearchParams way = params;
    if (apart) way.start_gap_s = kStartGap * step_s;
    way.max_error *= share;
    found.push_back(in_stretches(samples, step_s, way, few));
    evaluations += found.back().result.evaluations;
  };
  for (const bool apart : {params.thorough, !params.thorough}) {
    follow(apart, 1.0);
    if (!found.front().within || is_good(found.back(), false)) return chosen();
  }
  for (Followed& followed : found)
    if (!followed.settled && is_good(followed, true)) return chosen();
  for (const double share : kTighter) {
    if (spare.empty()) break;
    follow(true, share);
    if (is_good(found.back(), false) || (!found.back().settled && is_good(found.back(), true))) return chosen();
  }
  std::stable_sort(spare.begin(), spare.end(), [](const Followed& a, const Followed& b) {
    return a.result.model.submovements.size() < b.result.model.submovements.size();
  });
  return chosen();
}

// What shakes takes shorter turns.
Followed follow_smoothly(std::span<const Quatd> samples, double step_s, const SearchParams& params, std::size_t few) {
  Followed followed = followed_on_frames(samples, step_s, params, few);
  if (followed.within) return followed;
  SearchParams shorter = params;
  shorter.min_duration_s = std::min(params.min_duration_s, kShortestFrames * step_s);
  shorter.shaking = !params.thorough;
  if (shorter.min_duration_s == params.min_duration_s) return followed;
  return followed_on_frames(samples, step_s, shorter, few);
}

// Region after region, each from where the one before has come to rest.
class Regions {
 public:
  Regions(std::span<const Quatd> samples, double step_s, const SearchParams& params, std::size_t few)
      : samples_(samples), step_s_(step_s), params_(params), few_(few) {
    result_.model.start = reached_ = samples[0];
  }

  void follow(const Region& region) {
    const auto own = samples_.subspan(static_cast<std::size_t>(region.first),
                                      static_cast<std::size_t>(region.last - region.first + 1));
    const bool first = region.first == 0, last = region.last + 1 == static_cast<int>(samples_.size());
    if (region.rough || own.size() < 3) {
      take(follow_steps(own, step_s_, params_, reached_), region.first);
      return;
    }
    SearchParams params = params_;
    params.fixed_start = !first;
    params.ends_inside = !last;
    std::vector<Quatd> rest;
    for (const Quatd& q : own) rest.push_back(first ? q : (reached_.conjugate() * q).normalized());
    const Followed followed = follow_smoothly(rest, step_s_, params, few_);
    result_.evaluations += followed.result.evaluations;
    if (followed.within) {
      if (first) {
        result_.noise_rad = followed.result.noise_rad;
        result_.model.start = reached_ = followed.result.model.start;
      }
      take(followed.result.model.submovements, region.first);
      return;
    }
    // What is left before and after is tried again by itself.
    const int from = region.first + followed.failed.first, to = region.first + followed.failed.last;
    const int worth = static_cast<int>(kWorth_s / step_s_);
    const bool before = from - region.first >= worth, after = region.last - to >= worth;
    if (before) follow({region.first, from, false});
    follow({before ? from : region.first, after ? to : region.last, true});
    if (after) follow({to, region.last, false});
  }

  RotationDecomposition result() && { return std::move(result_); }

 private:
  void take(const std::vector<RotationSubmovement>& list, int first) {
    for (RotationSubmovement s : list) {
      s.t0_s += first * step_s_;
      s.tf_s += first * step_s_;
      result_.model.submovements.push_back(s);
      reached_ = (reached_ * exp_rotation(s.rotation_rad)).normalized();
    }
  }

  std::span<const Quatd> samples_;
  double step_s_;
  SearchParams params_;
  std::size_t few_;
  RotationDecomposition result_;
  Quatd reached_;
};

}  // namespace

RotationDecomposition bound_rotations(std::span<const Quatd> samples, double step_s, const SearchParams& params,
                                      std::size_t few) {
  Regions regions(samples, step_s, params, few);
  for (const Region& region : split_at_jumps(samples, step_s, params.max_error)) regions.follow(region);
  return std::move(regions).result();
}

}  // namespace shosa::submovement::detail
