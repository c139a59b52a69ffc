#include "relay_knots.h"

#include <algorithm>
#include <cmath>

#include "frames.h"

namespace shosa::submovement::detail {

namespace {

constexpr int kShortStep = 2;
constexpr double kNearlyAll = 0.85;      // Of the samples.
constexpr std::size_t kSplitShare = 12;  // One of so many intervals is split at a time, …
constexpr std::size_t kDropShare = 4;    // … and one of so many knots dropped, then fewer.

class Knots {
 public:
  Knots(const std::vector<double>& starts, const RelayLimits& limits) : limits_(limits), last_(limits.samples - 1) {
    for (const double start : starts) {
      const int at = static_cast<int>(std::lround(start));
      if (at >= earliest() && at <= latest()) inner_.push_back(at);
    }
    even_out();
  }

  bool is_possible() const { return last_ >= earliest() + kLastFrames; }

  // The whole row: with what is before the first sample and after the last.
  std::vector<int> all() const {
    std::vector<int> knots;
    if (limits_.from_rest)
      knots.push_back(0);
    else
      knots.push_back(-(inner_.empty() ? last_ : inner_.front()));
    knots.insert(knots.end(), inner_.begin(), inner_.end());
    knots.push_back(last_);
    if (!limits_.to_rest) knots.push_back(last_link_end(knots[knots.size() - 2], last_));
    return knots;
  }

  std::size_t count() const { return inner_.size(); }

  // As near each other as they may be.
  void set_finest() {
    inner_.clear();
    for (int at = earliest(); at <= latest(); at += kLeastApart) inner_.push_back(at);
  }

  // Where most is left; false where no interval can be split.
  bool split(const std::vector<double>& errors) {
    struct Cut {
      double error;
      int at;
    };
    std::vector<Cut> cuts;
    for (std::size_t k = 0; k <= inner_.size(); ++k) {
      const int from = k == 0 ? 0 : inner_[k - 1], to = k == inner_.size() ? last_ : inner_[k], at = (from + to) / 2;
      if (at < earliest() || at > latest() || at - from < kLeastApart || to - at < kLeastApart) continue;
      cuts.push_back({sum(errors, from, to), at});
    }
    std::stable_sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.error > b.error; });
    cuts.resize(std::min(cuts.size(), 1 + inner_.size() / kSplitShare));
    for (const Cut& cut : cuts) inner_.push_back(cut.at);
    std::sort(inner_.begin(), inner_.end());
    even_out();
    return !cuts.empty();
  }

  // Without `count` knots around which least is left, no two of them neighbours.
  Knots without(const std::vector<double>& errors, std::size_t count) const {
    std::vector<std::pair<double, std::size_t>> cheapest;
    for (std::size_t k = 0; k < inner_.size(); ++k)
      cheapest.push_back({sum(errors, k == 0 ? 0 : inner_[k - 1], k + 1 == inner_.size() ? last_ : inner_[k + 1]), k});
    std::sort(cheapest.begin(), cheapest.end());
    std::vector<bool> dropped(inner_.size() + 2, false);  // Of the knot before each.
    Knots fewer = *this;
    fewer.inner_.clear();
    for (const auto& [error, k] : cheapest) {
      if (count == 0) break;
      if (dropped[k] || dropped[k + 2]) continue;
      dropped[k + 1] = true;
      --count;
    }
    for (std::size_t k = 0; k < inner_.size(); ++k)
      if (!dropped[k + 1]) fewer.inner_.push_back(inner_[k]);
    fewer.even_out();
    return fewer;
  }

 private:
  int earliest() const { return limits_.from_rest ? kLeastApart : kCalm; }
  int longest_apart() const { return std::clamp(limits_.longest / 2, 2 * kLeastApart, kLongestApart); }
  int latest() const { return last_ - std::max(kLeastApart, kLastFrames); }

  static double sum(const std::vector<double>& errors, int from, int to) {
    double sum = 0.0;
    for (int i = from; i <= to; ++i) sum += errors[static_cast<std::size_t>(i)];
    return sum;
  }

  // None too near the one before, nor too far for how far apart those before it are.
  void even_out() {
    std::vector<int> apart;
    for (const int at : inner_)
      if (at - (apart.empty() ? 0 : apart.back()) >= kLeastApart) apart.push_back(at);
    inner_ = std::move(apart);
    // What is under way at the first sample began as long before it as the first knot is after it.
    int reach = longest_apart(), before = limits_.from_rest ? 0 : -1;
    for (std::size_t k = 0; k <= inner_.size();) {
      const int to = k < inner_.size() ? inner_[k] : last_, from = std::max(0, before);
      if (to - from > reach) {
        inner_.insert(inner_.begin() + static_cast<std::ptrdiff_t>(k), (from + to) / 2);
        continue;
      }
      reach = std::min(longest_apart(), farthest(before < 0 ? 2 * to : to - before));
      before = to;
      ++k;
    }
  }

  RelayLimits limits_;
  int last_;
  std::vector<int> inner_;  // Ascending; between the first sample and the last.
};

double total(const std::vector<double>& errors) {
  double sum = 0.0;
  for (const double error : errors) sum += error;
  return sum;
}

}  // namespace

Certainty certainty_of(const std::vector<Link>& links, int samples, double max_error) {
  const auto weak =
      std::count_if(links.begin(), links.end(), [&](const Link& link) { return link.move.norm() < kWeak * max_error; });
  if (2 * weak > static_cast<std::ptrdiff_t>(links.size())) return Certainty::none;
  const auto hands_over = [&](std::size_t k) {
    return links[k].tf == links[k + 2].t0 && links[k + 1].t0 < links[k].tf;
  };
  for (std::size_t k = 0; k + 3 < links.size(); ++k)
    if (hands_over(k) && hands_over(k + 1)) return Certainty::certain;
  if (std::none_of(links.begin(), links.end(), [](const Link& link) { return link.tf - link.t0 <= kShortStep; }))
    return Certainty::certain;
  return static_cast<double>(links.size()) < kNearlyAll * samples ? Certainty::doubtful : Certainty::none;
}

bool find_relay(const std::vector<double>& starts, const RelayLimits& limits, const FitRelay& fit) {
  Knots knots(starts, limits);
  if (!knots.is_possible()) return false;
  std::vector<double> errors = fit(knots.all());
  const auto within = [&](const std::vector<double>& left) { return total(left) <= limits.bound; };
  while (!within(errors) && knots.split(errors)) errors = fit(knots.all());
  if (!within(errors)) {
    knots.set_finest();
    errors = fit(knots.all());
    if (!within(errors)) return false;
  }
  for (std::size_t some = knots.count() / kDropShare; some > 0;) {
    const Knots fewer = knots.without(errors, some);
    const std::vector<double> left = fewer.count() < knots.count() ? fit(fewer.all()) : std::vector<double>{1e300};
    if (within(left)) {
      knots = fewer;
      errors = left;
      some = std::min(some, knots.count() / kDropShare);
    } else {
      some /= 2;
    }
  }
  fit(knots.all());
  return true;
}

}  // namespace shosa::submovement::detail
