#include "search.h"

#include <algorithm>
#include <cmath>

#include "seeds.h"

namespace shosa::submovement::detail {

namespace {

constexpr int kFullIterations = 40;
constexpr double kBlock_s = 1.0;
constexpr double kFloor = 1e-5;  // Of the range: an error that is none.

}  // namespace

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
  ridge_ = gentle_ridge_ = params_.gentle * params_.max_error * params_.max_error * samples_ / (range_ * range_);
  const double floor = kFloor * range_;
  floor_error_ = floor * floor * samples_ * channels_;
  const double length = (samples_ - 1) * step_s_;
  // Where samples are far apart a block has several of them all the same.
  const double blocks = std::min(length / kBlock_s, samples_ / 4.0);
  const int count = std::max(1, static_cast<int>(std::lround(blocks)));
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

double Search::noise_error() const {
  const double values = static_cast<double>(samples_) * channels_;
  const double noise = 1.3 * params_.noise;
  return std::max(noise * noise * values, 4.0 * floor_error_);
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
      for (int k = first; k < last; ++k) timings.push_back(pieces_[k].time);
      const Trial trial = attempt(fit, first, last, std::move(timings), kFullIterations);
      if (trial.score > 0.0) commit(trial);
      if (last == count) break;
    }
    if (count <= kMaxActive || before - squared_error_ < 1e-3 * before) break;
  }
}

void Search::settle_explained() {
  do {
    while (shrink(true)) polish(2);
  } while (rearrange());
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
    settle_explained();
    // Nothing is left to explain where the error is none at all.
    bool more = false;
    for (int extra = 0; extra < params_.look_ahead && !full() && squared_error_ > floor_error_; ++extra) {
      Snapshot saved = snapshot();
      const double before = criterion(squared_error_, pieces_.size());
      if (!add()) break;
      polish(1);
      if (criterion(squared_error_, pieces_.size()) >= before) {
        restore(std::move(saved));
        break;
      }
      more = true;
    }
    polish(3);
    if (more) settle_explained();
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

  // A second start, from nothing: the seeds are not always the better ones.
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
