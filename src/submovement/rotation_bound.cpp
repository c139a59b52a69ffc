#include "rotation_bound.h"

#include <algorithm>
#include <cmath>

#include "rotation_regions.h"
#include "rotation_steps.h"
#include "rotation_ways.h"

namespace shosa::submovement::detail {

namespace {

constexpr double kWorth_s = 0.5;                 // What is left of a region before or after a part that steps follow.
constexpr double kCalm_radps = 1.0;              // What a joint may be stopped at for a frame without that being seen.
constexpr double kPart_s = 6.0;                  // What is longer is cut into more than two.
constexpr int kLeastPart = 8;                    // Samples of a part, on average: frames may be minutes apart.
constexpr double kNear = 0.4;                    // Of a part: how far from its end it may be cut.
constexpr int kAround = 2;                       // Samples on both sides of where a joint turns least.
constexpr std::size_t kCost = 3, kCostMore = 4;  // Times as many, and some more, if these are found again.

// Region after region, each from where the one before has come to rest.
class Regions {
 public:
  Regions(std::span<const Quatd> samples, double step_s, const SearchParams& params, std::size_t few)
      : samples_(samples), step_s_(step_s), params_(params), few_(few) {
    result_.model.start = reached_ = samples[0];
  }

  RotationDecomposition run() && {
    const std::vector<Region> regions = split_at_jumps(samples_, step_s_, params_.max_error);
    jumps_ = regions.size() > 1;
    for (const Region& region : regions) follow(region, regions.size() == 1 ? few_ : 0);
    return std::move(result_);
  }

 private:
  // A few submovements of the whole recording, not of a part, keep their times.
  void follow(const Region& region, std::size_t few) {
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
    const Followed followed = follow_smoothly(rest, step_s_, params, few);
    result_.evaluations += followed.result.evaluations;
    const std::size_t count = followed.result.model.submovements.size();
    if (followed.within && !followed.sure && !params_.thorough && follow_otherwise(region, kCost * count + kCostMore))
      return;
    if (followed.within) {
      if (first) {
        result_.noise_rad = followed.result.noise_rad;
        result_.model.start = reached_ = followed.result.model.start;
      }
      take(followed.result.model.submovements, region.first);
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

  // What is not found again, or not on frames, is cut where the joint hardly turns, or followed by steps where it is
  // short and the joint is thrown about anyway; false where that takes more than `most` submovements.
  bool follow_otherwise(const Region& region, std::size_t most) {
    const int n = region.last - region.first + 1;
    auto& list = result_.model.submovements;
    const std::size_t before = list.size();
    const Quatd start = result_.model.start, reached = reached_;
    if (n * step_s_ >= kShortRegion_s && n >= 2 * kLeastPart) {
      const int parts = std::clamp(static_cast<int>(std::ceil(n * step_s_ / kPart_s)), 2, n / kLeastPart);
      int from = region.first;
      for (int k = 1; k < parts; ++k) {
        const int reach = static_cast<int>(kNear * n / parts), middle = region.first + n * k / parts;
        const int to = calmest(middle - reach, middle + reach);
        if (!jumps_ && speed_radps(to) > kCalm_radps) continue;
        follow({from, to, false}, 0);
        from = to;
      }
      if (from == region.first) return false;
      follow({from, region.last, false}, 0);
    } else if (jumps_) {
      follow({region.first, region.last, true}, 0);
    } else {
      return false;
    }
    if (list.size() - before <= most) return true;
    list.resize(before);
    result_.model.start = start;
    reached_ = reached;
    return false;
  }

  // The sample from `from` to `to` around which the joint turns least.
  int calmest(int from, int to) const {
    int best = from;
    for (int i = from + 1; i <= to; ++i)
      if (speed_radps(i) < speed_radps(best)) best = i;
    return best;
  }

  double speed_radps(int at) const {
    const Quatd &before = samples_[static_cast<std::size_t>(at - kAround)],
                &after = samples_[static_cast<std::size_t>(at + kAround)];
    return before.angularDistance(after) / (2 * kAround * step_s_);
  }

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
  bool jumps_ = false;  // The recording has some.
  RotationDecomposition result_;
  Quatd reached_;
};

}  // namespace

RotationDecomposition bound_rotations(std::span<const Quatd> samples, double step_s, const SearchParams& params,
                                      std::size_t few) {
  return Regions(samples, step_s, params, few).run();
}

}  // namespace shosa::submovement::detail
