// One more, one less, one elsewhere.

#include <algorithm>
#include <cmath>

#include "search.h"

namespace shosa::submovement::detail {

namespace {

constexpr int kScreenIterations = 7;
constexpr int kStarts = 2;  // Places in a block that are tried.
constexpr int kFirstIterations = 3;
constexpr int kLongIterations = 40;
constexpr double kNearly = 2.0;
constexpr double kHopeless = 100.0;  // A removal so many times dearer than allowed is not followed further.

}  // namespace

Search::Trial Search::best_addition(const Block& block) {
  const auto [first, last] = neighbours(block.begin_s, block.end_s, kMaxActive - 1);
  TimingFit fit = window_fit(first, last, block.begin_s, block.end_s);
  std::vector<Timing> now;
  for (int k = first; k < last; ++k) now.push_back(pieces_[k].time);

  std::vector<std::vector<Timing>> starts;
  const auto with = [&](std::vector<Timing> list, const Timing& extra) {
    list.push_back(extra);
    std::sort(list.begin(), list.end(), [](const Timing& a, const Timing& b) { return a.t0_s < b.t0_s; });
    return list;
  };

  // Insertions: a grid of durations and places, the best few that are not neighbours of each other.
  std::vector<Timing> candidates;
  for (double duration = 1.4 * params_.min_duration_s; duration < 1.8; duration *= 1.6) {
    const double stride = std::max(duration / 4.0, 0.5 * step_s_);
    for (double centre = block.begin_s + 0.5 * stride; centre < block.end_s; centre += stride) {
      const Timing t{centre - 0.5 * duration, centre + 0.5 * duration};
      if (t.t0_s >= fit.window().low_s && t.tf_s <= fit.window().high_s) candidates.push_back(t);
    }
  }
  std::vector<double> gains;
  fit.score(now, candidates, gains);
  for (int pick = 0; pick < kStarts; ++pick) {
    const auto best = std::max_element(gains.begin(), gains.end());
    if (best == gains.end() || *best <= 0.0) break;
    const Timing chosen = candidates[best - gains.begin()];
    starts.push_back(with(now, chosen));
    const double reach = 0.35 * (chosen.tf_s - chosen.t0_s);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const double apart = 0.5 * std::abs(candidates[c].t0_s + candidates[c].tf_s - chosen.t0_s - chosen.tf_s);
      const double ratio = (candidates[c].tf_s - candidates[c].t0_s) / (chosen.tf_s - chosen.t0_s);
      if (apart < reach && ratio < 1.7 && ratio > 0.6) gains[c] = 0.0;
    }
  }
  // Splits of what lies in the block.
  for (std::size_t k = 0; k < now.size(); ++k) {
    const double centre = 0.5 * (now[k].t0_s + now[k].tf_s), duration = now[k].tf_s - now[k].t0_s;
    const bool inside = centre >= block.begin_s && (centre < block.end_s || &block == &blocks_.back());
    if (!inside && !(&block == &blocks_.front() && centre < block.begin_s)) continue;
    if (duration < 2.0 * params_.min_duration_s) continue;
    auto list = now;
    list[k] = {now[k].t0_s, now[k].t0_s + 0.62 * duration};
    starts.push_back(with(std::move(list), {now[k].tf_s - 0.62 * duration, now[k].tf_s}));
  }

  Trial best{.first = first, .last = last};
  for (auto& start : starts) {
    Trial trial = attempt(fit, first, last, std::move(start), kScreenIterations);
    if (trial.score > best.score) best = std::move(trial);
  }
  if (best.score > 0.0) improve(fit, best, 2 * kScreenIterations);
  return best;
}

bool Search::add() {
  Block* chosen = nullptr;
  for (Block& block : blocks_) {
    if (!block.best) block.best = best_addition(block);
    if (!chosen || block.best->score > chosen->best->score) chosen = &block;
  }
  if (!chosen || !(chosen->best->gain > 0.0 && chosen->best->score > 0.0)) return false;
  const Trial trial = *chosen->best;
  commit(trial);
  return true;
}

// Piece `index` dropped, or merged with the next: the better of the two after a fit of all around.
Search::Trial Search::best_removal(int index, double allowed_error) {
  const Timing own = pieces_[index].time;
  const auto [first, last] = around(index);
  TimingFit fit = window_fit(first, last, 1e300, -1e300);
  std::vector<Timing> others;
  for (int k = first; k < last; ++k)
    if (k != index) others.push_back(pieces_[k].time);
  Trial best{.first = first, .last = last};
  if (others.empty() && !(fit.window().free_end && fit.window().free_start)) return best;
  // What is far from allowed after a few steps is left there.
  const auto tried = [&](std::vector<Timing> timings) {
    Trial trial = attempt(fit, first, last, std::move(timings), kFirstIterations);
    if (squared_error_ - trial.gain <= kHopeless * allowed_error)
      improve(fit, trial, kScreenIterations - kFirstIterations);
    return trial;
  };
  best = tried(others);
  if (index + 1 < last) {
    const std::size_t at = static_cast<std::size_t>(index - first);
    auto merged = others;
    merged[at].t0_s = std::min(own.t0_s, merged[at].t0_s);
    merged[at].tf_s = std::max(own.tf_s, merged[at].tf_s);
    Trial trial = tried(std::move(merged));
    if (trial.score > best.score) best = std::move(trial);
  }
  if (squared_error_ - best.gain <= kHopeless * allowed_error) improve(fit, best, kScreenIterations);
  // By the criterion a few percent decide.
  const double left = squared_error_ - best.gain;
  if (ridge_ == 0.0 && left > allowed_error && left <= kNearly * allowed_error) improve(fit, best, kLongIterations);
  return best;
}

// The piece whose removal costs least, or the one after that in cost, …; -1 where there are not as many.
int Search::cheapest_removal(std::size_t rank, double allowed_error) {
  std::vector<int> order;
  for (int k = 0; k < static_cast<int>(pieces_.size()); ++k) {
    auto& removal = removals_[k];
    if (!removal) removal = best_removal(k, allowed_error);
    order.push_back(k);
  }
  if (rank >= order.size()) return -1;
  const auto score = [&](int k) { return removals_[k]->score; };
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(rank), order.end(),
                   [&](int a, int b) { return score(a) != score(b) ? score(a) > score(b) : a < b; });
  return order[rank];
}

bool Search::remove_cheapest(double allowed_error) {
  const int chosen = cheapest_removal(0, allowed_error);
  if (chosen < 0) return false;
  const Trial trial = *removals_[chosen];
  if (squared_error_ - trial.gain > allowed_error) return false;
  commit(trial);
  return true;
}

// Drops what does not pay: by the criterion where everything is explained, by the bound where not.
bool Search::shrink(bool exact) {
  bool any = false;
  while (!pieces_.empty()) {
    double allowed = params_.max_error * params_.max_error * samples_;
    if (exact) allowed = worthwhile_error(squared_error_);
    if (!remove_cheapest(allowed)) break;
    any = true;
  }
  return any;
}

// At an equal count, one dropped and one added elsewhere, if the error falls.
bool Search::swap() {
  Snapshot before = snapshot();
  if (remove_cheapest(1e300) && add() && squared_error_ < 0.98 * before.squared_error) return true;
  restore(std::move(before));
  return false;
}

// One piece less, where a removal that is too dear by itself can be made good by fitting all and by swaps.
bool Search::reduce() {
  const double bound = params_.max_error * params_.max_error * samples_;
  for (std::size_t rank = 0; rank < 3; ++rank) {
    const int chosen = cheapest_removal(rank, 6.0 * bound);
    if (chosen < 0) return false;
    const Trial trial = *removals_[chosen];
    if (squared_error_ - trial.gain > 6.0 * bound) return false;
    Snapshot before = snapshot();
    commit(trial);
    polish(2);
    for (int round = 0; round < 4 && squared_error_ > bound; ++round) {
      if (!swap()) break;
      polish(1);
    }
    if (squared_error_ <= bound) return true;
    restore(std::move(before));
  }
  return false;
}

}  // namespace shosa::submovement::detail
