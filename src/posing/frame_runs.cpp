#include "posing/frame_runs.h"

#include <algorithm>
#include <cmath>

#include "posing/smooth_path.h"

namespace shosa::posing {

std::vector<char> frames_of(const std::vector<TimeInterval>& intervals, int frames, double frame_time_s) {
  std::vector<char> on(static_cast<std::size_t>(frames), 0);
  for (const TimeInterval& interval : intervals) {
    const int first = std::max(0, static_cast<int>(std::ceil(interval.begin_s / frame_time_s - 1e-6)));
    const int last = std::min(frames - 1, static_cast<int>(std::floor(interval.end_s / frame_time_s + 1e-6)));
    for (int f = first; f <= last; ++f) on[static_cast<std::size_t>(f)] = 1;
  }
  return on;
}

std::vector<Run> runs_of(const std::vector<char>& on) {
  std::vector<Run> runs;
  for (std::size_t f = 0; f < on.size(); ++f) {
    if (!on[f]) continue;
    if (f == 0 || !on[f - 1]) runs.push_back({f, f});
    runs.back().last = f;
  }
  return runs;
}

std::vector<double> ramps(const std::vector<char>& on, int width) {
  std::vector<double> share(on.size(), 0.0);
  for (const Run& run : runs_of(on)) {
    for (std::size_t f = run.first; f <= run.last; ++f) {
      double x = 1.0;
      if (run.first > 0) x = std::min(x, static_cast<double>(f - run.first) / width);
      if (run.last + 1 < on.size()) x = std::min(x, static_cast<double>(run.last - f) / width);
      share[f] = smooth_step(x);
    }
  }
  return share;
}

Quatd mean_rotation(const std::vector<Quatd>& rotations, const Run& run) {
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  const Eigen::Vector4d middle = rotations[(run.first + run.last) / 2].coeffs();
  for (std::size_t f = run.first; f <= run.last; ++f) {
    const Eigen::Vector4d q = rotations[f].coeffs();
    sum += q.dot(middle) < 0.0 ? Eigen::Vector4d(-q) : q;
  }
  return Quatd(sum.normalized());
}

}  // namespace shosa::posing
