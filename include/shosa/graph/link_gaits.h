#pragma once

#include <vector>

#include "shosa/core/result.h"
#include "shosa/graph/motion_graph.h"
#include "shosa/graph/motion_set.h"

namespace shosa::graph {

/// Links gaits of different speed as the seed's figure 7 does by hand: a loop of keyframes per clip, and one link from
/// every loop to every faster one, to the next slower, to the slowest and to all that stand and are slower by little
/// enough, where their postures are most alike.
///
/// A clip's loop is one cycle of its steps, or all of it where it has none (standing). Between two loops the keyframe
/// of the first and the frame of the second are sought that are most alike (window distance, the same feet
/// preferred); the link plays the second clip from that frame to a keyframe, for at least `link_time_s` plus what the
/// change of speed takes at `comfortable_mps2`. Hurry 100 |dv| / (largest |dv|), at least 1: the whole jump from the
/// slowest to the fastest is as hurried as can be, a change to the next loop least. Default links go round their loop.
/// Nodes are named after clips.
struct LinkGaitsParams {
  int nodes_per_loop = 12;        ///< >= 2.
  double link_time_s = 0.25;      ///< > 0.
  double comfortable_mps2 = 8.0;  ///< > 0.
  double longest_link_s = 0.6;    ///< > 0; but for the way to the next keyframe.
};
struct GaitLoop {
  TimeInterval time;
  double speed_mps = 0.0;
  bool is_cycle = false;
};
struct LinkedGaits {
  MotionGraph graph;
  std::vector<GaitLoop> loops;  ///< One per clip.
};
/// Fails when a rule is broken or there are fewer than two clips.
Result<LinkedGaits> link_gaits(const MotionSet& set, const LinkGaitsParams& params = {});

}  // namespace shosa::graph
