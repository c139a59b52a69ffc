// The pieces, what they leave, and trials on a window of them.

#include <algorithm>
#include <cmath>

#include "search.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::submovement::detail {

using solve::minimum_jerk_value;

namespace {

constexpr double kMargin_s = 0.3;  // How far a window reaches past the submovements in it.

}  // namespace

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
    const Timing& t = pieces_[k].time;
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
    low = std::min(low, pieces_[k].time.t0_s);
    high = std::max(high, pieces_[k].time.tf_s);
  }
  const double length = (samples_ - 1) * step_s_;
  low -= kMargin_s;
  high += kMargin_s;
  // Beyond the recording there are no samples that could move unseen.
  if (first == 0 || low <= 0.0) low = params_.fixed_start ? 0.0 : -params_.max_duration_s;
  if (last == count || high >= length) high = length + (params_.ends_inside ? 0.0 : params_.max_duration_s);
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
    const Piece& piece = pieces_[k];
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
  for (int k = trial.first; k < trial.last; ++k) moves += pieces_[k].move.squaredNorm();
  trial.gain = before - fit.squared_error();
  trial.score = before + ridge_ * moves - fit.penalized_error();
}

void Search::commit(const Trial& trial) {
  double low = 1e300, high = -1e300;
  const auto touch = [&](const Timing& t) {
    low = std::min(low, t.t0_s);
    high = std::max(high, t.tf_s);
  };
  for (int k = trial.first; k < trial.last; ++k) touch(pieces_[k].time);
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
  for (int k = trial.first; k < trial.last; ++k) add_to_residual(pieces_[k], 1.0);
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
      const Timing& t = pieces_[k].time;
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

}  // namespace shosa::submovement::detail
