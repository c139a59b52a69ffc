#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/window_tile.h"

namespace shosa::graph {

/// For every window of a set of clips a short list of numbers whose distance is never more than the window distance.
///
/// Windows are vectors of an inner product space (weights of joints and frames). Let phi_m be orthonormal there; for a
/// turn by theta |<a, phi_m> - e^(i theta) <b, phi_m>| >= ||<a, phi_m>| - |<b, phi_m>||, and by Bessel's inequality the
/// squares of the left side sum to no more than |a - e^(i theta) b|^2. So magnitudes of ground coefficients, signed
/// height coefficients, and the norms of what the phi_m leave over bound the distance from below, whatever the phi_m
/// are. Here each is a principal mode of the joints times 1 or k over the window; the mean path's own speed is one of
/// them.
class WindowIndex {
 public:
  static constexpr int kGroundModes = 5, kHeightModes = 4;
  static constexpr int kComplex = 2 * kGroundModes + 1;
  static constexpr int kFeatures = kComplex + 1 + 2 * kHeightModes + 1;
  static constexpr int kBlock = 32;  ///< Frames that share a box.

  WindowIndex(std::span<const CloudTrack> tracks, const WindowShape& window);

  struct Block {
    std::int32_t track, first, count;
  };
  std::span<const Block> blocks() const { return blocks_; }

  struct BlockPair {
    std::int32_t a, b;  ///< a <= b.
    auto operator<=>(const BlockPair&) const = default;
  };
  /// Every pair of blocks that may hold windows within `radius_m`, sorted. A block is paired with itself too.
  std::vector<BlockPair> near_blocks(double radius_m) const;

  /// Window pairs of two blocks that may lie within `radius_m`.
  struct Rectangle {
    int row = 0, rows = 0, column = 0, columns = 0;  ///< Frames of the tracks; rows = 0: none.
  };
  Rectangle candidates(const BlockPair& pair, double radius_m) const;

  /// Least distance that the two windows can have.
  double lower_bound_m(int track_a, int frame_a, int track_b, int frame_b) const;

 private:
  struct TreeNode {
    std::int32_t left, right, block;  ///< block >= 0: a leaf.
    double low[kFeatures], high[kFeatures];
  };
  std::int32_t build(std::span<std::int32_t> blocks);
  void join(std::int32_t a, std::int32_t b, double square, std::vector<BlockPair>& out) const;
  std::size_t at(int track, int frame) const { return first_window_[track] + static_cast<std::size_t>(frame); }

  std::vector<std::size_t> first_window_;
  std::vector<double> features_;  ///< kFeatures per window.
  std::vector<double> complex_;   ///< 2 * kComplex per window: real parts, then imaginary parts.
  std::vector<double> energy_;    ///< Sum of squares of the complex coefficients, per window.
  std::vector<Block> blocks_;
  std::vector<TreeNode> tree_;
  std::int32_t root_ = -1;
};

}  // namespace shosa::graph
