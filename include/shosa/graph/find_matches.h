#pragma once

#include <cstdint>
#include <vector>

#include "shosa/core/result.h"
#include "shosa/graph/motion_set.h"

namespace shosa::graph {

/// Finds where the motion of a set can change over: pairs of frames around which the bodies move alike.
///
/// The distance is that of analysis/pose_distance.h: two windows of joint positions after the best turn and shift over
/// the ground, root mean square in metres, rounded to `kDistanceStep_m` so that noise in the last bits decides nothing.
/// A match is a pair of frames whose distance is at most `threshold_m`, that no pair within `radius_s` in both
/// clips beats (of equal ones the earlier stays), and in which the same feet stand.
///
/// Exact: the same list as comparing every pair. Most pairs are never compared: bounds from below rule out whole blocks
/// of frames (docs/methods/motion_graph.md). Runs on all cores; the result does not depend on how many there are.
struct MatchParams {
  double window_s = 1.0 / 3.0;        ///< Length of the window around a frame; >= 0.
  double threshold_m = 0.06;          ///< > 0.
  double radius_s = 1.0 / 60.0;       ///< >= 0; at least one frame is looked at.
  double min_separation_s = 0.4;      ///< Frames of one clip nearer than this are no match; >= 0.
  bool same_feet = true;              ///< Only where the same feet stand.
  std::vector<double> joint_weights;  ///< One per joint, >= 0, not all 0; empty: 1 each.
};

struct FrameMatch {
  int clip_a = 0, frame_a = 0;  ///< clip_a <= clip_b; in one clip frame_a < frame_b.
  int clip_b = 0, frame_b = 0;
  double distance_m = 0.0;
  auto operator<=>(const FrameMatch&) const = default;
};

struct Matches {
  std::vector<FrameMatch> list;  ///< Sorted.
  std::int64_t pairs = 0;        ///< Diagnostic: pairs of frames there are.
  std::int64_t compared = 0;     ///< Diagnostic: distances computed.
  std::int64_t other_feet = 0;   ///< Diagnostic: minima left out because other feet stand.
};

/// Fails when a rule above is broken; the error names it.
Result<Matches> find_matches(const MotionSet& set, const MatchParams& params = {});

/// The same by comparing every pair: what `find_matches` is measured by.
Result<Matches> find_matches_exhaustively(const MotionSet& set, const MatchParams& params = {});

/// All window distances of two clips, row by row (rows: frames of clip a), not rounded. Fails as `find_matches` does,
/// or when a clip number is not in the set.
Result<std::vector<double>> distance_matrix(const MotionSet& set, int clip_a, int clip_b,
                                            const MatchParams& params = {});

inline constexpr double kDistanceStep_m = 1e-5;

}  // namespace shosa::graph
