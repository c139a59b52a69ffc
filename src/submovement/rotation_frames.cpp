#include "rotation_frames.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rotation_polish.h"
#include "rotation_stretch.h"

namespace shosa::submovement::detail {

namespace {

constexpr int kSweeps = 3;
constexpr double kRounded = 0.01;
constexpr double kHopeful = 2.0;  // Times the squared error allowed.
constexpr int kRounds = 2;        // Of moves by one frame.

class OnFrames {
 public:
  OnFrames(std::span<const Quatd> samples, double step_s, const SearchParams& params, long& evaluations)
      : samples_(samples), step_s_(step_s), params_(params), evaluations_(evaluations) {
    params_.fixed_timings = true;
    bound_ = params.max_error * params.max_error * static_cast<double>(samples.size());
    params_.ridge = kGentleTurns * bound_ / (std::numbers::pi * std::numbers::pi);
    // Frame times are rounded: 0.1 s are twelve frames of 0.0083333 s.
    shortest_ = static_cast<int>(std::ceil(params.min_duration_s / step_s - kRounded));
    longest_ = static_cast<int>(std::floor(params.max_duration_s / step_s + kRounded));
  }

  double bound() const { return bound_; }

  // Two at the same frames are one.
  void join_twins(RotationModel& model) const {
    auto& list = model.submovements;
    for (std::size_t k = 0; k + 1 < list.size();) {
      if (std::abs(list[k].t0_s - list[k + 1].t0_s) < step_s_ && std::abs(list[k].tf_s - list[k + 1].tf_s) < step_s_) {
        list[k].rotation_rad += list[k + 1].rotation_rad;
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(k) + 1);
      } else {
        ++k;
      }
    }
  }

  // False where starts then pass each other.
  bool put(RotationModel& model, bool one_under_way) const {
    join_twins(model);
    auto& list = model.submovements;
    double earliest = -1e300;
    for (auto& s : list) {
      // Steps from frame to frame are there already.
      if (is_step(s)) {
        earliest = std::max(earliest, s.t0_s / step_s_);
        continue;
      }
      const double t0 = std::max(std::round(s.t0_s / step_s_), earliest);
      set(s, t0, std::clamp(std::round(s.tf_s / step_s_) - t0, 1.0 * shortest_, 1.0 * longest_));
      // Of those under way at the first sample the ends alone show: no more than one.
      earliest = t0 + kStartGap;
      if (one_under_way) earliest = std::max(earliest, 0.0);
    }
    return std::is_sorted(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.t0_s < b.t0_s; });
  }

  double fit(RotationModel& model) {
    return polish_rotations(samples_, step_s_, params_, kSweeps, model, evaluations_);
  }

  // Starts and ends moved by a frame while that lowers the error and it is not `enough`.
  void move(RotationModel& model, double& error, double enough) {
    for (int round = 0; round < kRounds; ++round) {
      const double before = error;
      const int count = static_cast<int>(model.submovements.size());
      for (int k = 0; k < count; ++k) {
        if (is_step(model.submovements[static_cast<std::size_t>(k)])) continue;
        for (const auto& [first, last] : {std::pair(-1.0, 0.0), {1.0, 0.0}, {0.0, -1.0}, {0.0, 1.0}}) {
          if (error <= enough) return;
          RotationModel trial = model;
          auto& s = trial.submovements[static_cast<std::size_t>(k)];
          const double t0 = std::round(s.t0_s / step_s_) + first, tf = std::round(s.tf_s / step_s_) + last;
          if (tf - t0 < shortest_ || tf - t0 > longest_) continue;
          set(s, t0, tf - t0);
          if (!apart(trial, k)) continue;
          const int room = std::min(count, kGroup), begin = std::clamp(k - room / 2, 0, count - room);
          polish_group(samples_, step_s_, params_, begin, begin + room, trial, evaluations_);
          const double now = rotation_error(samples_, step_s_, trial);
          if (now >= error) continue;
          model = std::move(trial);
          error = now;
        }
      }
      if (error > 0.999 * before) return;
    }
  }

 private:
  bool is_step(const RotationSubmovement& s) const { return s.tf_s - s.t0_s < (shortest_ - 0.5) * step_s_; }

  void set(RotationSubmovement& s, double t0, double duration) const {
    s.t0_s = t0 * step_s_;
    s.tf_s = (t0 + duration) * step_s_;
  }

  bool apart(const RotationModel& model, int k) const {
    const auto start = [&](int i) { return model.submovements[static_cast<std::size_t>(i)].t0_s; };
    const double gap_s = (kStartGap - 0.5) * step_s_;
    const int count = static_cast<int>(model.submovements.size());
    return (k == 0 || start(k) - start(k - 1) > gap_s) && (k + 1 == count || start(k + 1) - start(k) > gap_s);
  }

  std::span<const Quatd> samples_;
  double step_s_;
  SearchParams params_;
  double bound_;
  int shortest_, longest_;
  long& evaluations_;
};

}  // namespace

bool put_on_frames(std::span<const Quatd> samples, double step_s, const SearchParams& params, RotationModel& model,
                   long& evaluations) {
  if (model.submovements.empty()) return true;
  const double before = rotation_error(samples, step_s, model);
  OnFrames frames(samples, step_s, params, evaluations);
  RotationModel trial;
  double error = 0.0;
  const double enough =
      before > frames.bound() ? std::max(before, kNearlyGood * kNearlyGood * frames.bound()) : frames.bound();
  for (const bool one_under_way : {true, false}) {
    trial = model;
    error = 1e300;
    if (!frames.put(trial, one_under_way)) continue;
    error = frames.fit(trial);
    if (error > enough && error < kHopeful * enough) frames.move(trial, error, enough);
    if (error <= enough) break;
  }
  const bool put = error <= enough;
  if (!put) {
    trial = model;
    frames.join_twins(trial);
    if (trial.submovements.size() == model.submovements.size() || frames.fit(trial) > enough) return false;
  }
  model = std::move(trial);
  return put;
}

}  // namespace shosa::submovement::detail
