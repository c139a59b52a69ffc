#include "search.h"

#include <algorithm>
#include <cmath>

#include "profile_seeds.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement::detail {

using solve::minimum_jerk_value;

namespace {

constexpr int kScreenIterations = 7;
constexpr int kFullIterations = 40;
constexpr double kBlock_s = 1.0;
constexpr double kMargin_s = 0.3;  // How far a window reaches past the submovements in it.

}  // namespace

int search_stride(double step_s) {
  return std::max(1, static_cast<int>(std::floor(1.0 / (50.0 * step_s) + 1e-6)));
}

double estimate_noise(const Eigen::MatrixXd& data) {
  if (data.rows() < 20) return 0.0;
  // Coefficients of the sixth difference; their squares sum to 924.
  constexpr double kTaps[7] = {1, -6, 15, -20, 15, -6, 1};
  std::vector<double> squares;
  for (Eigen::Index i = 0; i + 7 <= data.rows(); ++i) {
    double sum = 0.0;
    for (Eigen::Index c = 0; c < data.cols(); ++c) {
      double difference = 0.0;
      for (int k = 0; k < 7; ++k) difference += kTaps[k] * data(i + k, c);
      sum += difference * difference;
    }
    squares.push_back(sum / static_cast<double>(data.cols()));
  }
  // The lower third, scaled by the chi-square quantile of as many channels (Wilson-Hilferty).
  const auto nth = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 3);
  std::nth_element(squares.begin(), nth, squares.end());
  const double k = static_cast<double>(data.cols());
  const double quantile = std::pow(1.0 - 2.0 / (9.0 * k) - 0.4307 * std::sqrt(2.0 / (9.0 * k)), 3.0);
  return std::sqrt(*nth / (924.0 * quantile));
}

Search::Search(Eigen::MatrixXd data, double step_s, const SearchParams& params)
    : data_(std::move(data)),
      step_s_(step_s),
      params_(params),
      samples_(static_cast<int>(data_.rows())),
      channels_(static_cast<int>(data_.cols())),
      start_(params.fixed_start ? Eigen::RowVectorXd::Zero(channels_).eval() : data_.colwise().mean().eval()),
      residual_(data_.rowwise() - start_),
      squared_error_(residual_.squaredNorm()) {
  range_ = std::max((data_.rowwise() - data_.row(0)).rowwise().norm().maxCoeff(), 1e-12);
  ridge_ = params_.gentle * params_.max_error * params_.max_error * samples_ / (range_ * range_);
  const double floor = 1e-5 * range_;
  floor_error_ = floor * floor * samples_ * channels_;
  const double length = (samples_ - 1) * step_s_;
  const int count = std::max(1, static_cast<int>(std::lround(length / kBlock_s)));
  for (int i = 0; i < count; ++i) blocks_.push_back({length * i / count, length * (i + 1) / count, {}});
}

double Search::rms() const {
  return std::sqrt(squared_error_ / samples_);
}

double Search::criterion(double squared_error, std::size_t count) const {
  const double values = static_cast<double>(samples_) * channels_;
  const double parameters = static_cast<double>(count) * (2.0 + channels_);
  return values * std::log((squared_error + floor_error_) / values) + parameters * std::log(values);
}

double Search::worthwhile_error(double squared_error) const {
  // criterion(e, K - 1) <= criterion(now, K), solved for e.
  const double values = static_cast<double>(samples_) * channels_;
  return (squared_error + floor_error_) * std::exp((2.0 + channels_) * std::log(values) / values) - floor_error_;
}

bool Search::at_noise(double squared_error) const {
  const double values = static_cast<double>(samples_) * channels_;
  const double noise = 1.3 * params_.noise;
  return squared_error <= std::max(noise * noise * values, 4.0 * floor_error_);
}

// As many pieces as fit around one, by their order.
std::pair<int, int> Search::around(int index) const {
  const int count = static_cast<int>(pieces_.size()), room = std::min(count, kMaxActive - 1);
  const int first = std::clamp(index - room / 2, 0, count - room);
  return {first, first + room};
}

// The pieces that touch a stretch, and more on both sides while there is room.
std::pair<int, int> Search::neighbours(double begin_s, double end_s, int room) const {
  const int count = static_cast<int>(pieces_.size());
  if (count <= room) return {0, count};
  const double middle = 0.5 * (begin_s + end_s);
  const auto centre = [&](int k) {
    const Timing& t = pieces_[static_cast<std::size_t>(k)].time;
    return 0.5 * (t.t0_s + t.tf_s);
  };
  int first = 0;
  while (first < count && centre(first) < middle) ++first;
  int last = first;
  while (last - first < room) {
    const bool can_left = first > 0, can_right = last < count;
    if (!can_left && !can_right) break;
    const bool left = can_left && (!can_right || middle - centre(first - 1) < centre(last) - middle);
    left ? --first : ++last;
  }
  return {first, last};
}

TimingFit Search::window_fit(int first, int last, double begin_s, double end_s) const {
  const int count = static_cast<int>(pieces_.size());
  FitWindow window;
  window.ridge = ridge_;
  window.step_s = step_s_;
  window.min_duration_s = params_.min_duration_s;
  window.max_duration_s = params_.max_duration_s;
  window.free_start = first == 0 && !params_.fixed_start;
  window.free_end = last == count;
  double low = begin_s, high = end_s;
  for (int k = first; k < last; ++k) {
    low = std::min(low, pieces_[static_cast<std::size_t>(k)].time.t0_s);
    high = std::max(high, pieces_[static_cast<std::size_t>(k)].time.tf_s);
  }
  const double length = (samples_ - 1) * step_s_;
  low -= kMargin_s;
  high += kMargin_s;
  // Beyond the recording there are no samples that could move unseen.
  if (first == 0 || low <= 0.0) low = params_.fixed_start ? 0.0 : -params_.max_duration_s;
  if (last == count || high >= length) high = length + params_.max_duration_s;
  const int begin = std::clamp(static_cast<int>(std::floor(low / step_s_)), 0, samples_ - 1);
  const int end = std::clamp(static_cast<int>(std::ceil(high / step_s_)) + 1, begin + 1, samples_);
  window.low_s = low;
  window.high_s = high;
  window.begin_s = begin * step_s_;
  window.target = residual_.middleRows(begin, end - begin);
  window.end_level = Eigen::RowVectorXd::Zero(channels_);
  if (window.free_start) {
    window.target.rowwise() += start_;
    window.end_level += start_;
  }
  for (int k = first; k < last; ++k) {
    const Piece& piece = pieces_[static_cast<std::size_t>(k)];
    for (int i = begin; i < end; ++i) {
      const double value = minimum_jerk_value(i * step_s_, piece.time.t0_s, piece.time.tf_s);
      if (value != 0.0) window.target.row(i - begin) += value * piece.move;
    }
    window.end_level += piece.move;
  }
  return TimingFit(std::move(window));
}

Search::Trial Search::attempt(TimingFit& fit, int first, int last, std::vector<Timing> timings, int iterations) {
  Trial trial{.first = first, .last = last, .timings = std::move(timings)};
  improve(fit, trial, iterations);
  return trial;
}

void Search::improve(TimingFit& fit, Trial& trial, int iterations) {
  evaluations_ += fit.fit(trial.timings, iterations, 1e-7 * floor_error_).evaluations + 1;
  trial.levels = fit.levels();
  const int begin = static_cast<int>(std::lround(fit.window().begin_s / step_s_));
  const double before = residual_.middleRows(begin, fit.window().target.rows()).squaredNorm();
  double moves = 0.0;
  for (int k = trial.first; k < trial.last; ++k) moves += pieces_[static_cast<std::size_t>(k)].move.squaredNorm();
  trial.gain = before - fit.squared_error();
  trial.score = before + ridge_ * moves - fit.penalized_error();
}

void Search::commit(const Trial& trial) {
  double low = 1e300, high = -1e300;
  const auto touch = [&](const Timing& t) {
    low = std::min(low, t.t0_s);
    high = std::max(high, t.tf_s);
  };
  for (int k = trial.first; k < trial.last; ++k) touch(pieces_[static_cast<std::size_t>(k)].time);
  for (const Timing& t : trial.timings) touch(t);
  const bool new_start = trial.first == 0 && !params_.fixed_start;
  const bool new_end = trial.last == static_cast<int>(pieces_.size());

  std::vector<Piece> fresh;
  for (std::size_t k = 0; k < trial.timings.size(); ++k)
    fresh.push_back({trial.timings[k], trial.levels.row(static_cast<Eigen::Index>(k) + 1)});
  std::stable_sort(fresh.begin(), fresh.end(),
                   [](const Piece& a, const Piece& b) { return a.time.t0_s < b.time.t0_s; });

  const int begin = new_start ? 0 : std::clamp(static_cast<int>(std::floor(low / step_s_)), 0, samples_ - 1);
  const int end = new_start || new_end
                      ? samples_
                      : std::clamp(static_cast<int>(std::ceil(high / step_s_)) + 1, begin + 1, samples_);
  const auto add_to_residual = [&](const Piece& piece, double sign) {
    for (int i = begin; i < end; ++i) {
      const double value = minimum_jerk_value(i * step_s_, piece.time.t0_s, piece.time.tf_s);
      if (value != 0.0) residual_.row(i) += sign * value * piece.move;
    }
  };
  squared_error_ -= residual_.middleRows(begin, end - begin).squaredNorm();
  for (int k = trial.first; k < trial.last; ++k) add_to_residual(pieces_[static_cast<std::size_t>(k)], 1.0);
  if (new_start) {
    residual_.rowwise() += start_ - trial.levels.row(0);
    start_ = trial.levels.row(0);
  }
  for (const Piece& piece : fresh) add_to_residual(piece, -1.0);
  squared_error_ += residual_.middleRows(begin, end - begin).squaredNorm();
  if (new_start) squared_error_ = residual_.squaredNorm();

  // Trials that are kept for elsewhere count pieces from the start.
  const int shift = static_cast<int>(fresh.size()) - (trial.last - trial.first);
  const auto renumber = [&](std::optional<Trial>& kept) {
    if (!kept) return;
    if (kept->first >= trial.last) {
      kept->first += shift;
      kept->last += shift;
    } else if (kept->last > trial.first) {
      kept.reset();
    }
  };
  for (Block& block : blocks_) renumber(block.best);
  for (auto& removal : removals_) renumber(removal);
  pieces_.erase(pieces_.begin() + trial.first, pieces_.begin() + trial.last);
  pieces_.insert(pieces_.begin() + trial.first, fresh.begin(), fresh.end());
  removals_.erase(removals_.begin() + trial.first, removals_.begin() + trial.last);
  removals_.insert(removals_.begin() + trial.first, fresh.size(), std::nullopt);
  forget(low, high);
}

void Search::restore(Snapshot snapshot) {
  pieces_ = std::move(snapshot.pieces);
  start_ = std::move(snapshot.start);
  residual_ = std::move(snapshot.residual);
  squared_error_ = snapshot.squared_error;
  removals_ = std::move(snapshot.removals);
  blocks_ = std::move(snapshot.blocks);
}

// Trials under another ridge are not comparable.
void Search::set_ridge(double ridge) {
  ridge_ = ridge;
  removals_.assign(pieces_.size(), std::nullopt);
  for (Block& block : blocks_) block.best.reset();
}

// A trial that was made with pieces near a changed stretch is no longer true.
void Search::forget(double begin_s, double end_s) {
  const double near = 2.0 * kMargin_s;
  const auto stale = [&](const Trial& trial) {
    for (int k = trial.first; k < trial.last; ++k) {
      const Timing& t = pieces_[static_cast<std::size_t>(k)].time;
      if (t.tf_s > begin_s - near && t.t0_s < end_s + near) return true;
    }
    return trial.first == 0 || trial.last == static_cast<int>(pieces_.size());
  };
  for (Block& block : blocks_) {
    const bool near_block = block.end_s > begin_s - near && block.begin_s < end_s + near;
    if (block.best && (near_block || stale(*block.best))) block.best.reset();
  }
  for (auto& removal : removals_)
    if (removal && stale(*removal)) removal.reset();
}

void Search::set_pieces(const Eigen::RowVectorXd& start, std::vector<Piece> pieces) {
  start_ = start;
  pieces_ = std::move(pieces);
  removals_.assign(pieces_.size(), std::nullopt);
  for (Block& block : blocks_) block.best.reset();
  residual_ = data_.rowwise() - start_;
  for (const Piece& piece : pieces_) {
    for (int i = 0; i < samples_; ++i) {
      const double value = minimum_jerk_value(i * step_s_, piece.time.t0_s, piece.time.tf_s);
      if (value != 0.0) residual_.row(i) -= value * piece.move;
    }
  }
  squared_error_ = residual_.squaredNorm();
}

void Search::seed() {
  const auto seeds = profile_seeds(data_, step_s_, params_.noise, params_.min_duration_s);
  if (seeds.empty()) return;
  // Displacements from the data at the middle of every gap; the sweeps that follow put them right.
  Snapshot before = snapshot();
  std::vector<Piece> list;
  const auto level_at = [&](double time) {
    const int i = std::clamp(static_cast<int>(std::lround(time / step_s_)), 0, samples_ - 1);
    return data_.row(i).eval();
  };
  if (!params_.fixed_start) start_ = level_at(seeds.front().t0_s);
  Eigen::RowVectorXd level = start_;
  for (std::size_t k = 0; k < seeds.size(); ++k) {
    const double until = k + 1 < seeds.size() ? 0.5 * (seeds[k].tf_s + seeds[k + 1].t0_s) : seeds[k].tf_s;
    const Eigen::RowVectorXd next = level_at(until);
    list.push_back({seeds[k], next - level});
    level = next;
  }
  set_pieces(start_, std::move(list));
  polish(2);
  if (squared_error_ > before.squared_error) restore(std::move(before));
}

void Search::polish(int sweeps) {
  const int count = static_cast<int>(pieces_.size());
  if (count == 0) return;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const double before = squared_error_;
    const int stride = count <= kMaxActive ? kMaxActive : kMaxActive / 2;
    for (int first = 0; first < count; first += stride) {
      const int last = std::min(first + kMaxActive, count);
      TimingFit fit = window_fit(first, last, 1e300, -1e300);
      std::vector<Timing> timings;
      for (int k = first; k < last; ++k) timings.push_back(pieces_[static_cast<std::size_t>(k)].time);
      const Trial trial = attempt(fit, first, last, std::move(timings), kFullIterations);
      if (trial.score > 0.0) commit(trial);
      if (last == count) break;
    }
    if (count <= kMaxActive || before - squared_error_ < 1e-3 * before) break;
  }
}

Search::Trial Search::best_addition(const Block& block) {
  const auto [first, last] = neighbours(block.begin_s, block.end_s, kMaxActive - 1);
  TimingFit fit = window_fit(first, last, block.begin_s, block.end_s);
  std::vector<Timing> now;
  for (int k = first; k < last; ++k) now.push_back(pieces_[static_cast<std::size_t>(k)].time);

  std::vector<std::vector<Timing>> starts;
  const auto with = [&](std::vector<Timing> list, const Timing& extra) {
    list.push_back(extra);
    std::sort(list.begin(), list.end(), [](const Timing& a, const Timing& b) { return a.t0_s < b.t0_s; });
    return list;
  };

  // Insertions: a grid of durations and places, the best few that are not neighbours of each other.
  std::vector<Timing> candidates;
  for (double duration = 1.4 * params_.min_duration_s; duration < 1.8; duration *= 1.6) {
    const double stride = duration / 4.0;
    for (double centre = block.begin_s + 0.5 * stride; centre < block.end_s; centre += stride) {
      const Timing t{centre - 0.5 * duration, centre + 0.5 * duration};
      if (t.t0_s >= fit.window().low_s && t.tf_s <= fit.window().high_s) candidates.push_back(t);
    }
  }
  std::vector<double> gains;
  fit.score(now, candidates, gains);
  for (int pick = 0; pick < 2; ++pick) {
    const auto best = std::max_element(gains.begin(), gains.end());
    if (best == gains.end() || *best <= 0.0) break;
    const Timing chosen = candidates[static_cast<std::size_t>(best - gains.begin())];
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
Search::Trial Search::best_removal(int index) {
  const Timing own = pieces_[static_cast<std::size_t>(index)].time;
  const auto [first, last] = around(index);
  TimingFit fit = window_fit(first, last, 1e300, -1e300);
  std::vector<Timing> others;
  for (int k = first; k < last; ++k)
    if (k != index) others.push_back(pieces_[static_cast<std::size_t>(k)].time);
  Trial best{.first = first, .last = last};
  if (others.empty() && !(fit.window().free_end && fit.window().free_start)) return best;
  best = attempt(fit, first, last, others, kScreenIterations);
  if (index + 1 < last) {
    const std::size_t at = static_cast<std::size_t>(index - first);
    auto merged = others;
    merged[at].t0_s = std::min(own.t0_s, merged[at].t0_s);
    merged[at].tf_s = std::max(own.tf_s, merged[at].tf_s);
    Trial trial = attempt(fit, first, last, std::move(merged), kScreenIterations);
    if (trial.score > best.score) best = std::move(trial);
  }
  if (best.score > -1e299) improve(fit, best, kScreenIterations);
  return best;
}

// The piece whose removal costs least, or the one after that in cost, …; -1 where there are not as many.
int Search::cheapest_removal(std::size_t rank) {
  std::vector<int> order;
  for (int k = 0; k < static_cast<int>(pieces_.size()); ++k) {
    auto& removal = removals_[static_cast<std::size_t>(k)];
    if (!removal) removal = best_removal(k);
    order.push_back(k);
  }
  if (rank >= order.size()) return -1;
  const auto score = [&](int k) { return removals_[static_cast<std::size_t>(k)]->score; };
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(rank), order.end(),
                   [&](int a, int b) { return score(a) != score(b) ? score(a) > score(b) : a < b; });
  return order[rank];
}

bool Search::remove_cheapest(double allowed_error) {
  const int chosen = cheapest_removal(0);
  if (chosen < 0) return false;
  const Trial trial = *removals_[static_cast<std::size_t>(chosen)];
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
    const int chosen = cheapest_removal(rank);
    if (chosen < 0) return false;
    const Trial trial = *removals_[static_cast<std::size_t>(chosen)];
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

void Search::run() {
  if (samples_ < 3 || range_ <= 1e-9) return;
  const double bound = params_.max_error * params_.max_error * samples_;
  const int most = std::max(1, static_cast<int>((samples_ - 1) * step_s_ / params_.min_duration_s));
  const auto full = [&] { return static_cast<int>(pieces_.size()) >= most; };
  if (squared_error_ > bound) seed();
  while (squared_error_ > bound && !full()) {
    const double before = criterion(squared_error_, pieces_.size());
    const bool noise = at_noise();
    Snapshot saved = snapshot();
    if (!add()) break;
    if (noise && criterion(squared_error_, pieces_.size()) >= before) {
      restore(std::move(saved));
      break;
    }
  }
  polish(3);

  // Within the bound a few more may explain everything, down to the noise: then the criterion decides.
  if (!at_noise()) {
    Snapshot within = snapshot();
    const double ridge = ridge_;
    set_ridge(0.0);
    polish(2);
    for (int extra = 0; extra < params_.look_ahead && !full() && !at_noise(); ++extra) {
      if (!add()) break;
      polish(1);
    }
    if (!at_noise()) {
      restore(std::move(within));
      ridge_ = ridge;
    }
  }
  if (at_noise()) {
    set_ridge(0.0);
    polish(2);
    while (shrink(true)) polish(2);
    // Nothing is left to explain where the error is none at all.
    for (int extra = 0; extra < params_.look_ahead && !full() && squared_error_ > floor_error_; ++extra) {
      Snapshot saved = snapshot();
      const double before = criterion(squared_error_, pieces_.size());
      if (!add()) break;
      polish(1);
      if (criterion(squared_error_, pieces_.size()) < before) continue;
      restore(std::move(saved));
      break;
    }
    polish(3);
    return;
  }
  const auto settle = [&] {
    shrink(false);
    if (params_.thorough) {
      while (reduce()) shrink(false);
    }
    polish(3);
  };
  settle();
  if (!params_.thorough) return;

  // A second start, from nothing: the seeds are not always the better beginning.
  Snapshot seeded = snapshot();
  set_pieces(params_.fixed_start ? Eigen::RowVectorXd::Zero(channels_).eval() : data_.colwise().mean().eval(), {});
  while (squared_error_ > bound && pieces_.size() <= seeded.pieces.size() + 2 && add()) {
  }
  if (squared_error_ <= bound) settle();
  const bool fewer = pieces_.size() < seeded.pieces.size();
  const bool nearer = pieces_.size() == seeded.pieces.size() && squared_error_ < seeded.squared_error;
  if (squared_error_ > bound || !(fewer || nearer)) restore(std::move(seeded));
}

}  // namespace shosa::submovement::detail
