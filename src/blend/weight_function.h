#pragma once

#include <span>

namespace shosa::blend {

/// How much of the next motion there is, over one blend interval: a cubic Hermite curve from 0 to 1.
///
/// Slopes are per interval (1 is linear) and are limited to [0, 3], which keeps the curve monotone (Fritsch and
/// Carlson 1980) and so within [0, 1]. Times are frames of the common grid.
struct WeightFunction {
  double begin = 0.0;
  double end = 0.0;
  double slope_begin = 0.0;
  double slope_end = 0.0;

  double at(double frame) const;
};

/// Section 4.4.1 of the seed: w'(t) = V(t) / (D / (t1 - t0)); a slope against the blend is 0.
/// `length_s` = t1 - t0; `distance_m` = D(t0, t1); speeds in m/s.
WeightFunction pose_weight(double begin, double end, double length_s, double distance_m, double speed_begin_mps,
                           double speed_end_mps);

enum class MovingSide {
  previous,  ///< motion-pose: the previous motion plays on, the next one is a pose.
  next       ///< pose-motion
};

/// Section 4.4.2 of the seed, for a blend of a playing motion and a fixed pose.
///
/// `distances_m` are those from the fixed pose to the motion's poses, one per frame of the interval. Seen in the
/// direction of time that leads away from the fixed pose:
/// - rising: slopes as above;
/// - a local maximum inside: that pose survives, so a next motion is whole from there on, and a previous one until
///   there;
/// - falling: no weight avoids passing the pose and coming back, so pose-pose is to be used instead.
/// A maximum counts when it stands out by `kMinProminence` of the largest distance on both sides.
struct MovingWeight {
  bool use_pose_pose = false;
  int peak = -1;  ///< Frame of the interval that must survive; -1: none.
};
inline constexpr double kMinProminence = 0.15;
MovingWeight moving_weight(std::span<const double> distances_m, MovingSide moving);

}  // namespace shosa::blend
