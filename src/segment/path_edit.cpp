#include "segment/path_edit.h"

#include <algorithm>
#include <cassert>

#include "segment/least_norm.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::segment {

Vec3d path_offset(const PathCoefficients& c, EditMethod method, const EndChange& change, int i) {
  const auto k = static_cast<std::size_t>(i);
  switch (method) {
    case EditMethod::linear:
      return linear_share(i, c.last()) * change.position;
    case EditMethod::one_step:
      if (!change.has_velocity) break;
      return c.gamma[k] * change.position + c.epsilon[k] * change.velocity;
    case EditMethod::two_step:
      if (!change.has_velocity) break;
      return c.delta[k] * change.position + c.tail_epsilon[k] * (change.velocity - c.end_share * change.position);
  }
  return c.delta[k] * change.position;
}

std::vector<double> path_speeds(std::span<const Vec3d> samples, std::span<const char> planted, double rest_speed) {
  assert(samples.size() >= 2 && (planted.empty() || planted.size() == samples.size()));
  std::vector<double> speeds(samples.size() - 1);
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    const double speed = (samples[i + 1] - samples[i]).norm();
    const bool rests = speed <= rest_speed || (!planted.empty() && planted[i] != 0 && planted[i + 1] != 0);
    speeds[i] = rests ? 0.0 : speed;
  }
  return speeds;
}

std::vector<Vec3d> with_next_sample(std::span<const Vec3d> samples) {
  assert(samples.size() >= 2);
  std::vector<Vec3d> all(samples.begin(), samples.end());
  all.push_back(2.0 * samples.back() - samples[samples.size() - 2]);
  return all;
}

PlayingPath::PlayingPath(std::span<const Vec3d> samples, std::vector<double> speeds, int ramp_frames)
    : samples_(samples),
      speeds_(std::move(speeds)),
      offsets_(samples.size(), Vec3d::Zero()),
      share_(samples.size(), 0.0),
      tail_(samples.size(), 0.0),
      ramp_frames_(std::max(ramp_frames, 1)) {
  assert(samples.size() >= 4 && speeds_.size() + 1 == samples.size());
}

Vec3d PlayingPath::at(int i) const {
  const auto k = static_cast<std::size_t>(i);
  // Adding 0 would turn -0 into +0: an unedited sample keeps its bits.
  return offsets_[k].isZero(0.0) ? samples_[k] : Vec3d(samples_[k] + offsets_[k]);
}

bool PlayingPath::set_end(int now, const EndChange& change) {
  const int n = last();
  if (now > n - 3) return false;
  // The change of the plan: what is asked for now less what the plan so far gives.
  const auto end = static_cast<std::size_t>(n);
  const Vec3d position = change.position - offsets_[end];
  const double end_share = share_out(now);
  Vec3d missing = Vec3d::Zero();
  if (change.has_velocity) missing = change.velocity - (offsets_[end + 1] - offsets_[end]) - end_share * position;
  for (int i = std::max(now, 0); i <= n + 1; ++i) {
    const auto k = static_cast<std::size_t>(i);
    offsets_[k] += share_[k] * position + tail_[k] * missing;
  }
  return true;
}

// delta and tail_epsilon of the samples from `now` on, delta with ramped speeds. Returns delta_{n+1} - 1.
double PlayingPath::share_out(int now) {
  const int n = last();
  const int first = std::max(now, 0);
  const int ramp = now < 0 ? 0 : std::min(ramp_frames_, n - first - 1);
  const auto r = [&](int j) { return speeds_[j]; };
  const auto ramped = [&](int j) {
    return ramp == 0 ? r(j) : r(j) * minimum_jerk_step(static_cast<double>(j - first) / ramp);
  };
  double total = 0.0;
  for (int j = first; j < n; ++j) total += ramped(j);
  eased_ = !(total > 0.0);
  double sum = 0.0;
  for (int i = first; i < n; ++i) {
    share_[i] = eased_ ? minimum_jerk_step(static_cast<double>(i - first) / (n - first)) : sum / total;
    sum += ramped(i);
  }
  const double end_share = eased_ ? 0.0 : ramped(n) / total;
  share_[n] = 1.0;
  share_[static_cast<std::size_t>(n) + 1] = 1.0 + end_share;

  std::fill(tail_.begin(), tail_.end(), 0.0);
  const auto put = [&](int i, double, double epsilon) { tail_[i] = epsilon; };
  const auto even = [](int) { return 1.0; };
  const int begin = tail_begin(first, n, r);
  if (const LeastNorm tail(begin, n, r); tail.regular()) {
    integrate(begin, n, r, tail, put);
  } else {
    integrate(begin, n, even, LeastNorm(begin, n, even), put);
  }
  return end_share;
}

}  // namespace shosa::segment
