#include "blend/weight_function.h"

#include <algorithm>
#include <cmath>

#include "shosa/core/smooth_steps.h"

namespace shosa::blend {

namespace {

constexpr double kMaxSlope = 3.0;

double limited_slope(double slope) {
  return std::isfinite(slope) ? std::clamp(slope, 0.0, kMaxSlope) : 0.0;
}

}  // namespace

double WeightFunction::at(double frame) const {
  if (!(frame > begin)) return 0.0;
  if (frame >= end) return 1.0;
  const double x = (frame - begin) / (end - begin);
  const double hermite = cubic_step(x) + x * (1.0 - x) * ((1.0 - x) * slope_begin - x * slope_end);
  return std::clamp(hermite, 0.0, 1.0);
}

WeightFunction pose_weight(double begin, double end, double length_s, double distance_m, double speed_begin_mps,
                           double speed_end_mps) {
  // Equal poses: any curve will do.
  const double mean_mps = distance_m > 1e-9 ? distance_m / length_s : INFINITY;
  return {begin, end, limited_slope(speed_begin_mps / mean_mps), limited_slope(speed_end_mps / mean_mps)};
}

MovingWeight moving_weight(std::span<const double> distances_m, MovingSide moving) {
  MovingWeight result;
  const int count = static_cast<int>(distances_m.size());
  if (count < 3) return result;
  // Away from the fixed pose: it stands at the begin of a pose-motion interval and at the end of a motion-pose one.
  const auto away = [&](int i) { return distances_m[moving == MovingSide::next ? i : count - 1 - i]; };
  int top = 0;
  for (int i = 1; i < count; ++i) {
    if (away(i) > away(top)) top = i;
  }
  const double least = kMinProminence * away(top);
  if (top > 0 && top < count - 1 && away(top) - away(0) > least && away(top) - away(count - 1) > least) {
    result.peak = moving == MovingSide::next ? top : count - 1 - top;
  } else if (away(0) - away(count - 1) > least) {
    result.use_pose_pose = true;
  }
  return result;
}

}  // namespace shosa::blend
