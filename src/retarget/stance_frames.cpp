#include "retarget/stance_frames.h"

#include <algorithm>
#include <cmath>

namespace shosa::retarget {

std::vector<char> frames_of(const std::vector<TimeInterval>& intervals, int frame_count, double frame_time_s) {
  std::vector<char> on(static_cast<std::size_t>(frame_count), 0);
  for (const TimeInterval& interval : intervals) {
    const double first = std::max(0.0, std::ceil(interval.begin_s / frame_time_s - 1e-6));
    const double last = std::min(frame_count - 1.0, std::floor(interval.end_s / frame_time_s + 1e-6));
    for (int f = static_cast<int>(first); f <= last; ++f) on[f] = 1;
  }
  return on;
}

std::vector<char> flat_frames(const analysis::FootContactTrack& track, int frame_count, double frame_time_s) {
  std::vector<char> heel = frames_of(track.heel, frame_count, frame_time_s);
  const std::vector<char> toe = frames_of(track.toe, frame_count, frame_time_s);
  for (std::size_t f = 0; f < heel.size(); ++f) heel[f] = heel[f] && toe[f];
  return heel;
}

}  // namespace shosa::retarget
