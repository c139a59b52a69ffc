#pragma once

#include <vector>

#include "shosa/core/result.h"
#include "shosa/draw/canvas.h"
#include "shosa/graph/motion_set.h"
#include "shosa/graph/player.h"

namespace shosa::cli {

/// One command played from a node on.
struct PlayedWay {
  graph::NodeIndex from = 0;
  std::vector<graph::NodeIndex> targets;
  double duration_s = 3.0;
};
/// Postures of the body on its way, one strip.
Result<draw::Canvas> draw_way_strip(const graph::MotionGraph& graph, const graph::MotionSet& set, const PlayedWay& way,
                                    int hurry);
/// Speed over the ground after the command, one line per hurry value.
Result<draw::Canvas> draw_way_speeds(const graph::MotionGraph& graph, const graph::MotionSet& set, const PlayedWay& way,
                                     const std::vector<int>& hurries);

}  // namespace shosa::cli
