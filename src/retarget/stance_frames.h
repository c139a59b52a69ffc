#pragma once

#include <vector>

#include "shosa/analysis/foot_contacts.h"

namespace shosa::retarget {

/// 1 for the frames that lie in an interval.
std::vector<char> frames_of(const std::vector<TimeInterval>& intervals, int frame_count, double frame_time_s);

/// Frames in which heel and toe stand.
std::vector<char> flat_frames(const analysis::FootContactTrack& track, int frame_count, double frame_time_s);

}  // namespace shosa::retarget
