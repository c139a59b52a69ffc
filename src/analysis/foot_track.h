#pragma once

#include <vector>

#include "analysis/signals.h"
#include "shosa/analysis/foot_contacts.h"

namespace shosa::analysis {

/// Height and speed of one sole point per frame. Heights are measured from the height at which the point rests in a
/// flat stance on a ground at level 0, so that all points of a flat foot have the same height.
struct SolePoint {
  std::vector<double> level_m;
  std::vector<double> speed_mps;
};

/// One foot reduced to what decides its contacts.
struct FootTrack {
  SolePoint heel;                   ///< Empty when the foot has no heel point.
  std::vector<SolePoint> toes;      ///< Ball, then tip; empty when there is neither.
  std::vector<double> toe_mps;      ///< Slower of ball and tip.
  std::vector<double> slowest_mps;  ///< Over all points.
  std::vector<double>
      lowest_m;  ///< Least level of heel and ball, of those slower than the leave bound where there are any.
  double heel_rest_m = 0.0;  ///< Of the ankle joint over the foot's lowest point in a flat stance.
  double toe_rest_m = 0.0;
  double offset_m = 0.0;  ///< World y of the lowest point in a flat stance = level + offset.
};

/// Height of the ankle over the ball in a flat stance, from the frames in which both are slow; 0 where one is missing.
double flat_drop_m(const ClipPositions& positions, const body::FootPoints& points, double frame_time_s, double scale,
                   const FootContactParams& params);

/// `size` is the body's (leg / 0.85 m), `scale` that of the thresholds, `drop_m` the foot's `flat_drop_m`.
FootTrack make_foot_track(const ClipPositions& positions, const body::FootPoints& points, double frame_time_s,
                          double size, double scale, double drop_m, const FootContactParams& params);

/// A stretch in which some point of the foot is slow, and the level it stands on.
struct Rest {
  FrameRange frames;
  double level_m = 0.0;
  double least_speed_mps = 0.0;
  double median_speed_mps = 0.0;
  bool counts = false;
};
Rest make_rest(const FootTrack& track, const FrameRange& frames);
/// Runs below the leave bound with at least one frame below the enter bound.
std::vector<Rest> find_rests(const FootTrack& track, double enter_mps, double leave_mps);

}  // namespace shosa::analysis
