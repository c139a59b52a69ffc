#pragma once

#include <span>
#include <vector>

#include "shosa/core/aligned.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::graph {

/// The window of a distance: 2 * half + 1 frames, weights falling linearly to both ends (analysis/pose_distance.h).
struct WindowShape {
  int half = 0;
  double weight(int k) const { return (1.0 - (k < 0 ? -k : k) / (half + 1.0)) / (half + 1.0); }  ///< Sums to 1.
};

/// Joint positions of one clip, laid out for comparing: per frame z of every joint, then x, then y, each scaled by the
/// root of its joint's share of all weight. `half` frames before the first and after the last repeat them.
class CloudTrack {
 public:
  CloudTrack(const ClipPositions& positions, std::span<const double> joint_shares, const WindowShape& window);

  int frame_count() const { return frames_; }
  int points() const { return points_; }
  /// 3 * points() numbers of a frame from -half to frame_count() - 1 + half.
  const double* frame(int f) const { return values_.data() + static_cast<std::size_t>(f + half_) * stride(); }
  std::size_t stride() const { return static_cast<std::size_t>(3 * points_); }
  std::span<const double> scale() const { return scale_; }  ///< Root of the share, per point.

 private:
  int frames_, points_, half_;
  std::vector<double> scale_;
  std::vector<double> values_;
};

/// Window distances of all pairs of a stretch of frames of one clip with a stretch of another.
///
/// With centred clouds a, b as complex numbers of the ground plane and heights y, the least mean square distance over
/// all turns and shifts is V_a + V_b - 2 |sum w a conj(b)| + sum w (y_a - y_b)^2 (Kovar, Gleicher and Pighin 2002). The
/// products of single frames are computed once for the tile; the window's triangle is two running sums along the
/// diagonals. Memory is kept between calls.
class WindowTile {
 public:
  /// Distances in metres of rows [row, row + rows) of a with columns [column, column + columns) of b, into `out`, row
  /// by row.
  void distances(const CloudTrack& a, int row, int rows, const CloudTrack& b, int column, int columns,
                 const WindowShape& window, std::vector<double>& out);

 private:
  struct Side {
    std::vector<double> values;    ///< Recentred frames.
    std::vector<double> variance;  ///< Per output: ground variance of the window + mean square height.
    std::vector<double> mean_z, mean_x;
  };
  void prepare(Side& side, const CloudTrack& track, int first, int count, const WindowShape& window);

  Side a_, b_;
  std::vector<double, AlignedAllocator<double>> packed_, real_, imaginary_, height_;
};

}  // namespace shosa::graph
