#pragma once

#include <span>
#include <vector>

#include "shosa/core/forward_kinematics.h"

namespace shosa::analysis {

/// A number of frames as an int: cut to +-kMaxFrames, 0 for NaN. A frame time far from any real one makes quotients
/// that no int holds.
int whole_frames(double frames);

/// The value below which `share` of the values lie, linear between neighbours. `values` must not be empty.
double percentile(std::vector<double> values, double share);

/// Gaussian low-pass; the signal is continued beyond its ends by point reflection, so that a steady slope stays as it
/// is.
std::vector<Vec3d> low_pass(std::span<const Vec3d> values, double sigma_frames);
std::vector<double> low_pass(std::span<const double> values, double sigma_frames);

/// The path of one point over all frames.
std::vector<Vec3d> point_path(const ClipPositions& positions, int point);

/// Speed per frame: the smaller of the mean speeds over `span` frames before and after. At the ends the one that
/// exists. A point that rests over frames a..b with b - a >= span is slow there and, when it comes and goes quickly,
/// nowhere else.
std::vector<double> sharp_speed(std::span<const Vec3d> path, int span, double frame_time_s);

/// Runs of true, as closed frame ranges.
struct FrameRange {
  int first = 0, last = 0;
  int count() const { return last - first + 1; }
};
std::vector<FrameRange> true_runs(std::span<const char> flags);

}  // namespace shosa::analysis
