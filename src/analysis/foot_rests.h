#pragma once

#include <vector>

#include "analysis/foot_track.h"

namespace shosa::analysis {

/// Everything found about one foot on the way.
struct FootWork {
  body::FootPoints points;
  FootTrack track;
  std::vector<Rest> rests;
  std::vector<double>
      leg_share;  ///< Height of hip or shoulder over the foot, as a share of the limb's length; empty: unknown.
};

std::vector<double> leg_share(const Skeleton& skeleton, const ClipPositions& positions, const body::FootPoints& points);

/// The low level of the frames in which a foot rests under a leg that may carry, over all feet: what most of the clip's
/// floor is at least. Where no leg ever carries: that of all rests, or 0 where they are well above it.
double ground_level(const std::vector<FootWork>& feet, double frame_time_s, double scale,
                    const FootContactParams& params);

/// Decides which rests count, from the lowest upwards, so that lower ones are known when a higher one is judged.
/// Returns how many do not.
int judge_rests(std::vector<FootWork>& feet, double ground, double frame_time_s, double scale,
                const FootContactParams& params);

}  // namespace shosa::analysis
