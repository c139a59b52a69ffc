#pragma once

#include <algorithm>
#include <cmath>

namespace shosa::submovement::detail {

// What sums and products on frames have in common (docs/methods/submovements.md, "On frames").

/// Frames between two starts of one joint, at least: nearer ones are told apart by nobody, and not by samples in single
/// precision either.
inline constexpr int kStartGap = 4;

/// Metres or radians: nobody's goal is as little, and what is made of such was not made by us.
inline constexpr double kLeastMove = 2e-4;

/// Of the bound: a turn of a body's joint that is less would be left out in the end.
inline constexpr double kWeakest = 0.06;

/// The shortest submovement on frames, in frames, of what shakes.
inline constexpr double kShortestFrames = 4.0;

/// The shortest that is looked for among submovements on frames, which may be of what shakes.
inline double shortest_on_frames_s(double min_duration_s, double step_s) {
  return std::min(min_duration_s, kShortestFrames * step_s);
}

/// What a sum's submovement that ends after the last sample is seen for: one of so many times.
inline constexpr double kSeenTimes = 2.5;

/// Nothing begins in so many frames before the last.
inline constexpr int kLastFrames = 3;

/// What ends after the last sample is seen for half its time (or one of so many `times`), or its duration is anybody's.
inline double latest_end(double t0, double last, double times = 2.0) {
  return t0 + std::floor(times * (last - t0));
}

/// Durations in frames. Frame times are rounded: 0.1 s are twelve frames of 0.0083333 s.
struct FrameLimits {
  FrameLimits(double min_duration_s, double max_duration_s, double step_s)
      : shortest(std::max(1, static_cast<int>(std::ceil(min_duration_s / step_s - kRounded)))),
        longest(std::max(shortest, static_cast<int>(std::floor(max_duration_s / step_s + kRounded)))) {}
  static constexpr double kRounded = 0.01;
  int shortest, longest;
};

inline double on_frame(double time_s, double step_s) {
  return std::round(time_s / step_s) * step_s;
}

/// An end up to `until_s` that is on its frame is known.
inline bool is_known_end(double tf_s, double until_s, double step_s) {
  return tf_s <= until_s && tf_s == on_frame(tf_s, step_s);
}

/// An end that has been seen for a few samples is on its frame; the time up to which ends have, where samples go to
/// `to`.
inline double seen_until_s(int to, double step_s) {
  constexpr int kSeen = 4;
  return (to - kSeen) * step_s;
}
inline void snap_seen_end(double& tf_s, double until_s, double step_s) {
  constexpr double kNearFrame = 0.2;  // Frames.
  const double frame_s = on_frame(tf_s, step_s);
  if (tf_s <= until_s && std::abs(tf_s - frame_s) < kNearFrame * step_s) tf_s = frame_s;
}

}  // namespace shosa::submovement::detail
