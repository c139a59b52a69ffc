#pragma once

#include <cstddef>
#include <vector>

#include "shosa/core/types.h"

namespace shosa::posing {

/// Frames that follow each other, both ends among them.
struct Run {
  std::size_t first = 0, last = 0;
};

/// 1 for the frames that lie in an interval.
std::vector<char> frames_of(const std::vector<TimeInterval>& intervals, int frames, double frame_time_s);

/// The longest runs of frames that are on.
std::vector<Run> runs_of(const std::vector<char>& on);

/// 1 inside the runs, falling to 0 over the last `width` frames before their ends; not at the ends of the clip.
std::vector<double> ramps(const std::vector<char>& on, int width);

/// Of rotations that lie near the one in the middle of the run.
Quatd mean_rotation(const std::vector<Quatd>& rotations, const Run& run);

}  // namespace shosa::posing
