#include "rotation_bound.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "found_again.h"
#include "rotation_polish.h"
#include "rotation_regions.h"
#include "rotation_relay.h"
#include "rotation_steps.h"
#include "rotation_ways.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kWorth_s = 0.5;  // What is left of a region before or after a part that steps follow.
constexpr int kAround = 6;        // Samples on both sides of where a relay is too far off: more than …
constexpr double kBad = 3.0;      // … so many times the bound.
constexpr int kCuts = 4;
constexpr double kNothing_rad = 1e-7;  // A turn that is rounding.

// Region after region, each from where the one before has come to rest.
class Regions {
 public:
  Regions(std::span<const Quatd> samples, double step_s, const SearchParams& params, std::size_t few)
      : samples_(samples), step_s_(step_s), params_(params), few_(few) {}

  RotationDecomposition run() && {
    const std::vector<Region> regions = split_at_jumps(samples_, step_s_, params_.max_error);
    begin();
    for (const Region& region : regions) follow(region, regions.size() == 1 ? few_ : 0);
    // Parts that are found again by themselves may not be as a whole.
    if (params_.thorough || (sure_ && ((looked_for_ && parts_.size() == 1 && !parts_[0].region.rough) ||
                                       is_found_again(result_.model, samples_.size(), step_s_, params_, Roundings::one,
                                                      result_.evaluations))))
      return std::move(result_);
    const RotationDecomposition followed = std::move(result_);
    const std::size_t most = kCost * followed.model.submovements.size() + kCostMore;
    if (follow_by_relays(most)) return std::move(result_);
    const auto nearly_all = static_cast<std::size_t>(kRatherAll * static_cast<double>(samples_.size()));
    if (result_.model.submovements.size() < nearly_all || samples_.size() > most) return followed;
    follow_every_sample();
    return std::move(result_);
  }

 private:
  // A region as it was followed.
  struct Part {
    Region region;
    RotationModel model;   // From its first sample on.
    double rms_rad = 0.0;  // May be past the bound where it shakes.
  };

  void begin() {
    const long evaluations = result_.evaluations;
    result_ = {.evaluations = evaluations};
    result_.model.start = reached_ = samples_[0];
  }

  std::vector<Quatd> rest_of(const Region& region) const {
    std::vector<Quatd> rest;
    for (int i = region.first; i <= region.last; ++i) {
      const Quatd& q = samples_[static_cast<std::size_t>(i)];
      rest.push_back(region.first == 0 ? q : (reached_.conjugate() * q).normalized());
    }
    return rest;
  }

  SearchParams params_of(const Region& region) const {
    SearchParams params = params_;
    params.fixed_start = region.first != 0;
    params.ends_inside = region.last + 1 != static_cast<int>(samples_.size());
    return params;
  }

  // A few submovements of the whole recording, not of a part, keep their times.
  void follow(const Region& region, std::size_t few) {
    if (region.rough || region.last - region.first < 2) {
      step(region);
      return;
    }
    const std::vector<Quatd> rest = rest_of(region);
    const Followed followed = follow_smoothly(rest, step_s_, params_of(region), few);
    result_.evaluations += followed.result.evaluations;
    if (followed.within) {
      sure_ = sure_ && followed.sure;
      if (region.first == 0) result_.noise_rad = followed.result.noise_rad;
      take(followed.result.model, region);
      const double error = rotation_error(rest, step_s_, followed.result.model);
      parts_.back().rms_rad = std::sqrt(error / static_cast<double>(rest.size()));
      return;
    }
    if (followed.too_far) {
      looked_for_ = false;
      relay(region, {.region = region}, kCuts);
      return;
    }
    // What is left before and after is tried again by itself.
    const int worth = static_cast<int>(kWorth_s / step_s_);
    const int from = region.first + followed.failed.first, to = region.first + followed.failed.last;
    const bool before = from - region.first >= worth, after = region.last - to >= worth;
    if (before) follow({region.first, from, false}, 0);
    follow({before ? from : region.first, after ? to : region.last, true}, 0);
    if (after) follow({to, region.last, false}, 0);
  }

  void step(const Region& region) {
    const auto own = samples_.subspan(static_cast<std::size_t>(region.first),
                                      static_cast<std::size_t>(region.last - region.first + 1));
    take({.start = reached_, .submovements = follow_steps(own, step_s_, params_, reached_)}, region);
  }

  // Steps as before, relays where there were others; false where that takes more than `most`, or is not read either.
  bool follow_by_relays(std::size_t most) {
    const std::vector<Part> parts = std::exchange(parts_, {});
    begin();
    for (const Part& part : parts) {
      if (part.region.rough)
        step(part.region);
      else
        relay(part.region, part, kCuts);
    }
    return result_.model.submovements.size() <= most &&
           is_relay_found_again(result_.model, samples_.size(), step_s_, params_, result_.evaluations);
  }

  // Whatever is found in these samples is found again, because those of the model are the same but for rounding.
  void follow_every_sample() {
    begin();
    for (std::size_t i = 1; i < samples_.size(); ++i) {
      const Vec3d turn = log_rotation(reached_.conjugate() * samples_[i]);
      if (turn.norm() < kNothing_rad) continue;
      const auto frame = static_cast<double>(i);
      result_.model.submovements.push_back({(frame - 1.0) * step_s_, frame * step_s_, turn});
      reached_ = (reached_ * exp_rotation(turn)).normalized();
    }
  }

  // Where a relay does not follow, steps do, for `cuts` times.
  void relay(const Region& region, const Part& part, int cuts) {
    if (region.last - region.first < 2 * kAround || cuts == 0) {
      step(region);
      return;
    }
    SearchParams params = params_of(region);
    params.max_error = std::max(params.max_error, part.rms_rad);
    RotationModel seeds;
    for (RotationSubmovement s : part.model.submovements) {
      s.t0_s -= (region.first - part.region.first) * step_s_;
      if (s.t0_s > 0.0 && s.t0_s < (region.last - region.first) * step_s_) seeds.submovements.push_back(s);
    }
    std::vector<double> errors;
    const auto found = follow_by_relay(rest_of(region), step_s_, params, seeds, errors, result_.evaluations);
    if (found) {
      take(*found, region);
      return;
    }
    if (errors.empty()) {
      step(region);
      return;
    }
    for (const Region& own : split_at_errors(errors, kBad * params.max_error)) {
      const Region at{region.first + own.first, region.first + own.last, own.rough};
      if (own.rough)
        step(at);
      else
        relay(at, part, cuts - 1);
    }
  }

  // Rough for some samples on both sides of those that are more than so far off, or of the one that is farthest.
  static std::vector<Region> split_at_errors(const std::vector<double>& errors, double allowed) {
    const int n = static_cast<int>(errors.size());
    const double bad = std::min(allowed, *std::max_element(errors.begin(), errors.end()));
    std::vector<Region> regions;
    for (int i = 0, clear = 0; i < n; ++i) {
      if (errors[static_cast<std::size_t>(i)] < bad) continue;
      const int from = std::max(0, i - kAround), to = std::min(n - 1, i + kAround);
      if (!regions.empty() && from - clear < kAround) {
        regions.back().last = clear = to;
        continue;
      }
      if (from > 0) regions.push_back({clear, from, false});
      regions.push_back({from, to, true});
      clear = to;
    }
    if (regions.back().last < n - 1) regions.push_back({regions.back().last, n - 1, false});
    return regions;
  }

  void take(const RotationModel& model, const Region& region) {
    parts_.push_back({region, model});
    if (region.first == 0) result_.model.start = reached_ = model.start;
    for (RotationSubmovement s : model.submovements) {
      s.t0_s += region.first * step_s_;
      s.tf_s += region.first * step_s_;
      result_.model.submovements.push_back(s);
      reached_ = (reached_ * exp_rotation(s.rotation_rad)).normalized();
    }
  }

  std::span<const Quatd> samples_;
  double step_s_;
  SearchParams params_;
  std::size_t few_;
  bool sure_ = true;
  bool looked_for_ = true;  // Every part is found again by itself.
  std::vector<Part> parts_;
  RotationDecomposition result_;
  Quatd reached_;
};

}  // namespace

RotationDecomposition bound_rotations(std::span<const Quatd> samples, double step_s, const SearchParams& params,
                                      std::size_t few) {
  return Regions(samples, step_s, params, few).run();
}

}  // namespace shosa::submovement::detail
