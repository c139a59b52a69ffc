#include "analysis/signals.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shosa/core/clip_edit.h"

namespace shosa::analysis {
namespace {

template <class T>
std::vector<T> gaussian(std::span<const T> values, double sigma) {
  std::vector<T> out(values.begin(), values.end());
  const int n = static_cast<int>(values.size());
  const int radius = std::min(whole_frames(std::ceil(3.0 * sigma)), n - 1);
  if (!(sigma >= 0.1) || radius < 1) return out;
  std::vector<double> kernel(static_cast<std::size_t>(radius) + 1);
  double sum = 0.0;
  for (int k = 0; k <= radius; ++k) {
    kernel[k] = std::exp(-0.5 * k * k / (sigma * sigma));
    sum += kernel[k] * (k == 0 ? 1.0 : 2.0);
  }
  const auto at = [&](int i) -> T {
    if (i < 0) return 2.0 * values[0] - values[-i];
    if (i >= n) return 2.0 * values[n - 1] - values[2 * (n - 1) - i];
    return values[i];
  };
  for (int i = 0; i < n; ++i) {
    T acc = kernel[0] * values[i];
    for (int k = 1; k <= radius; ++k) acc += kernel[k] * (at(i - k) + at(i + k));
    out[i] = acc / sum;
  }
  return out;
}

}  // namespace

int whole_frames(double frames) {
  if (std::isnan(frames)) return 0;
  return static_cast<int>(std::clamp(frames, -1.0 * kMaxFrames, 1.0 * kMaxFrames));
}

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  const double part = place - static_cast<double>(low);
  return values[low] * (1.0 - part) + values[high] * part;
}

std::vector<Vec3d> low_pass(std::span<const Vec3d> values, double sigma_frames) {
  return gaussian<Vec3d>(values, sigma_frames);
}
std::vector<double> low_pass(std::span<const double> values, double sigma_frames) {
  return gaussian<double>(values, sigma_frames);
}

std::vector<Vec3d> point_path(const ClipPositions& positions, int point) {
  std::vector<Vec3d> path(static_cast<std::size_t>(positions.frame_count()));
  for (int f = 0; f < positions.frame_count(); ++f) path[f] = positions.point(f, point);
  return path;
}

std::vector<double> sharp_speed(std::span<const Vec3d> path, int span, double frame_time_s) {
  const int n = static_cast<int>(path.size());
  span = std::clamp(span, 1, std::max(1, n - 1));
  std::vector<double> speed(path.size(), 0.0);
  if (n < 2) return speed;
  const auto between = [&](int a, int b) { return (path[b] - path[a]).norm() / ((b - a) * frame_time_s); };
  for (int i = 0; i < n; ++i) {
    double v = std::numeric_limits<double>::infinity();
    if (i - span >= 0) v = std::min(v, between(i - span, i));
    if (i + span < n) v = std::min(v, between(i, i + span));
    speed[i] = std::isfinite(v) ? v : between(0, n - 1);
  }
  return speed;
}

std::vector<FrameRange> true_runs(std::span<const char> flags) {
  std::vector<FrameRange> runs;
  for (int i = 0; i < static_cast<int>(flags.size()); ++i) {
    if (!flags[i]) continue;
    if (!runs.empty() && runs.back().last == i - 1) {
      runs.back().last = i;
    } else {
      runs.push_back({i, i});
    }
  }
  return runs;
}

}  // namespace shosa::analysis
