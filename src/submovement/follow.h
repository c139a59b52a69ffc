#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "samples.h"
#include "search.h"
#include "shosa/solve/minimum_jerk.h"

// Recordings of any length and of any behaviour, cut into what a search can do (docs/methods/submovements.md, "Long
// recordings" and "What jumps or shakes"). A kind of motion is a sum of displacements or a product of turns:
//
//   struct Kind {
//     using Value = …;                                       // A sample.
//     static Value compose(const Value& a, const Value& b);  // b as seen from a, seen from where a is.
//     static Value seen_from(const Value& a, const Value& b);
//     static Value exp(const Eigen::RowVectorXd& move);
//     static Eigen::RowVectorXd log(const Value& value);
//     static Eigen::MatrixXd path(std::span<const Value> samples);  // Rows that add up as moves do, nearly or exactly.
//     static StretchFit<Kind> fit(std::span<const Value> samples, double step_s, const SearchParams& params);
//     static constexpr double kWayPerStretch;  // Sum of the moves from sample to sample.
//   };
namespace shosa::submovement::detail {

inline constexpr double kStretch_s = 8.0;      ///< The longest stretch that is searched at once.
inline constexpr double kLookAhead = 3.0 / 8;  ///< Submovements that start in this last share are left to the next one.
inline constexpr double kOneStretch = 1.5;     ///< What is left is not cut when it is no longer than so many stretches.
inline constexpr double kShortest_s = 1.5;     ///< No stretch is cut shorter than this.
inline constexpr double kBackUp_s = 0.3;       ///< The next stretch starts this much before its first submovement.
inline constexpr double kRough = 0.85;         ///< Of the bound: what is rougher is not searched.
inline constexpr double kNoisy = 1.3;          ///< Of the bound: noise that is followed no further.
inline constexpr int kFewestFrames = 4;        ///< That a submovement lasts which is no step, and a stretch.
inline constexpr double kNear = 1.3;           ///< Of the bound, for single samples under a step.
inline constexpr double kStill = 0.06;         ///< Of the bound: a step that is less is none.

/// What a search makes of one stretch, times counted from its first sample.
template <class Kind>
struct StretchFit {
  typename Kind::Value start;
  std::vector<Piece> pieces;  ///< Ascending t0.
  double error = 1e300;       ///< Root mean square, of the bound.
  bool explained = false;     ///< Down to the noise.
  long evaluations = 0;
};

/// A whole recording.
template <class Kind>
struct Chain {
  typename Kind::Value start;
  std::vector<Piece> pieces;  ///< Ascending t0.
  int stretches = 0;
  bool stepped = false;    ///< Steps were needed somewhere.
  bool explained = false;  ///< Some stretch was, down to the noise.
  long evaluations = 0;
};

template <class Kind>
class Follower {
 public:
  using Value = typename Kind::Value;

  Follower(std::span<const Value> samples, double step_s, const SearchParams& params)
      : samples_(samples), step_s_(step_s), params_(params) {}

  Chain<Kind> run() && {
    const Eigen::MatrixXd path = Kind::path(samples_);
    way_.assign(1, 0.0);
    for (Eigen::Index i = 1; i < path.rows(); ++i) way_.push_back(way_.back() + (path.row(i) - path.row(i - 1)).norm());
    chain_.start = ended_ = samples_[0];
    for (const Region& region : rough_regions(path, step_s_, params_.max_error)) {
      if (region.rough || region.last - region.first < 2)
        take(steps(rest(region.first, region.last + 1 - region.first)), region.first, 1e300);
      else
        follow(region);
    }
    std::stable_sort(chain_.pieces.begin(), chain_.pieces.end(),
                     [](const Piece& a, const Piece& b) { return a.time.t0_s < b.time.t0_s; });
    return std::move(chain_);
  }

 private:
  // Every stretch is searched with what came before taken away, the submovements that start well before its end are
  // kept, and the next stretch starts where the first of the others does: time is linear in the length. A stretch that
  // stays too far from its samples is tried again at half its length.
  void follow(const Region& region) {
    int first = region.first;
    double stretch_s = longest_s(first), reach_s = 1e300;
    while (true) {
      const int left = region.last + 1 - first;
      const int whole = std::max(2, static_cast<int>(std::lround(std::min(stretch_s / step_s_, 1e9))));
      const bool last = left * step_s_ <= kOneStretch * stretch_s || left <= whole;
      const int count = last ? left : whole;
      SearchParams own = params_;
      own.fixed_start = first > 0;
      own.ends_inside = last && region.last + 1 < static_cast<int>(samples_.size());
      const std::vector<Value> seen = rest(first, count);
      const bool shortest = 0.5 * count * step_s_ < kShortest_s || count <= kFewestFrames;
      auto fit = fitted(seen, own, shortest);
      if (!is_good(fit) && !shortest) {
        // What failed at some length hardly succeeds at it next door.
        stretch_s = reach_s = 0.5 * std::min(stretch_s, count * step_s_);
        continue;
      }
      if (!is_good(fit)) fit = steps(seen);
      ++chain_.stretches;
      chain_.explained = chain_.explained || fit.explained;
      if (last) {
        take(fit, first, 1e300);
        return;
      }
      const double cut_s = (first + (1.0 - kLookAhead) * count) * step_s_;
      const double next_s = take(fit, first, cut_s);
      const int earliest = first + std::max(1, count / 4);
      first = std::clamp(static_cast<int>(std::floor(next_s / step_s_)), earliest, region.last);
      reach_s = std::min(1.5 * reach_s, 1e300);
      stretch_s = std::min(longest_s(first), reach_s);
    }
  }

  // The more it turns, the less it is a sum.
  double longest_s(int first) const {
    const auto end = std::upper_bound(way_.begin() + first, way_.end(), way_[first] + Kind::kWayPerStretch);
    return std::clamp(static_cast<double>(end - way_.begin() - first) * step_s_, kShortest_s, kStretch_s);
  }

  // What is explained down to the noise cannot be explained better.
  static bool is_good(const StretchFit<Kind>& fit) { return fit.error <= (fit.explained ? kNoisy : 1.0); }

  // Shaking needs shorter submovements than goals do: as long as a parabola over them leaves about the bound.
  StretchFit<Kind> fitted(const std::vector<Value>& seen, SearchParams params, bool shortest) {
    StretchFit<Kind> fit{.start = seen[0]};
    const Eigen::MatrixXd path = Kind::path(seen);
    for (double least_s = params.min_duration_s;; least_s = kFewestFrames * step_s_) {
      if (roughness(path, step_s_, least_s) <= kRough * params.max_error) {
        params.min_duration_s = least_s;
        fit = Kind::fit(seen, step_s_, params);
        chain_.evaluations += fit.evaluations;
        if (is_good(fit) || !shortest) return fit;
      }
      if (least_s <= kFewestFrames * step_s_) return fit;
    }
  }

  // Samples as seen from what the chain reaches.
  std::vector<Value> rest(int first, int count) {
    // Turns multiply in the order of their starts: only a prefix that has ended altogether is one value.
    while (running_ < chain_.pieces.size() && chain_.pieces[running_].time.tf_s <= first * step_s_)
      ended_ = Kind::compose(ended_, Kind::exp(chain_.pieces[running_++].move));
    std::vector<Value> seen;
    for (int i = first; i < first + count; ++i) {
      Value before = ended_;
      for (std::size_t k = running_; k < chain_.pieces.size(); ++k) {
        const Piece& p = chain_.pieces[k];
        const double share = solve::minimum_jerk_value(i * step_s_, p.time.t0_s, p.time.tf_s);
        if (share > 0.0) before = Kind::compose(before, Kind::exp(share * p.move));
      }
      seen.push_back(Kind::seen_from(before, samples_[i]));
    }
    return seen;
  }

  // What no sum of overlapping submovements follows, such as a joint that flips between two frames of a capture: one
  // after the other, each as long as the samples under it stay near.
  StretchFit<Kind> steps(const std::vector<Value>& seen) {
    chain_.stepped = true;
    StretchFit<Kind> fit{.start = Kind::exp(0.0 * Kind::log(seen[0]))};
    const int n = static_cast<int>(seen.size());
    const auto at = [&](int i) -> const Value& { return seen[i]; };
    Value now = fit.start;
    const auto stays_near = [&](int from, int to) {
      const Eigen::RowVectorXd move = Kind::log(Kind::seen_from(now, at(to)));
      for (int i = from + 1; i < to; ++i) {
        const Value reached = Kind::compose(now, Kind::exp(solve::minimum_jerk_value(i, from, to) * move));
        if (Kind::log(Kind::seen_from(reached, at(i))).norm() > kNear * params_.max_error) return false;
      }
      return true;
    };
    for (int from = 0; from + 1 < n;) {
      int to = from + 1;
      while (to + 1 < n && (to + 1 - from) * step_s_ <= params_.max_duration_s && stays_near(from, to + 1)) ++to;
      const Eigen::RowVectorXd move = Kind::log(Kind::seen_from(now, at(to)));
      if (move.norm() >= kStill * params_.max_error) {
        fit.pieces.push_back({{from * step_s_, to * step_s_}, move});
        now = at(to);
      }
      from = to;
    }
    return fit;
  }

  // Keeps what starts before `cut_s`; returns when the next stretch may start.
  double take(StretchFit<Kind> fit, int first, double cut_s) {
    if (first == 0) chain_.start = ended_ = Kind::compose(samples_[0], fit.start);
    double next_s = cut_s, kept_s = -1e300;
    for (Piece& piece : fit.pieces) {
      piece.time.t0_s += first * step_s_;
      piece.time.tf_s += first * step_s_;
      if (piece.time.t0_s >= cut_s) {
        next_s = std::min(next_s, piece.time.t0_s - kBackUp_s);
        continue;
      }
      kept_s = piece.time.t0_s;
      chain_.pieces.push_back(std::move(piece));
    }
    // None of the next stretch may start before one that is kept.
    return std::max(next_s, kept_s + step_s_);
  }

  std::span<const Value> samples_;
  double step_s_;
  SearchParams params_;
  std::vector<double> way_;  // Up to every sample.
  Chain<Kind> chain_;
  Value ended_;              // The start and all that has ended, ...
  std::size_t running_ = 0;  // ... which are so many pieces.
};

template <class Kind>
Chain<Kind> follow(std::span<const typename Kind::Value> samples, double step_s, const SearchParams& params) {
  return Follower<Kind>(samples, step_s, params).run();
}

}  // namespace shosa::submovement::detail
