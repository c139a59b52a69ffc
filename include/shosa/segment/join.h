#pragma once

#include <string>
#include <vector>

#include "shosa/analysis/studied_clip.h"
#include "shosa/core/ground_move.h"

namespace shosa::segment {

/// A stretch of a clip that is to be played.
struct JoinPart {
  analysis::StudiedClip studied;
  int first = 0;
  int last = 0;  ///< At least 3 frames after `first`.
};

/// Lays segments end to start: walk, step down, walk.
///
/// Each next part is moved over the ground (place, heading, level) to where the one before ends. Both are edited so
/// that they meet halfway in the place and speed of every joint. Then feet stand where they stand (`feet::place_feet`);
/// a stance that a seam cuts is one stance. O(frames).
struct JoinParams {
  std::vector<JoinPart> parts;  ///< At least one; one skeleton, one frame time (to 0.1 %).
  bool still_feet = true;       ///< Feet that stand stay where they are.
};
struct JoinSeam {
  int frame = 0;              ///< Of the joined clip: the first of the next part.
  double apart_m = 0.0;       ///< Mean joint distance before the edit.
  double position_m = 0.0;    ///< Largest jump of any joint after it.
  double velocity_mps = 0.0;  ///< Largest jump of any joint's velocity.
};
struct JoinedSegments {
  Clip clip;
  std::vector<JoinSeam> seams;
  std::vector<GroundMove> placed;  ///< Of each part.
  std::vector<std::string> warnings;
};
/// Fails when a rule above is broken; the error names the part.
Result<JoinedSegments> join_segments(const JoinParams& params);

}  // namespace shosa::segment
