#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shosa/documents/graph_clips.h"
#include "shosa/documents/play_script.h"

namespace shosa::documents {

/// A graph, what its character is told, and where its clips come from.
struct GraphPart {
  const GraphFile& graph;
  const PlayScript& script;
  const ClipSource& clips;
};

/// Where a target was met that was wanted at a place.
struct MetPlace {
  analysis::GroundPlace place, wanted;
  double error_m = 0.0;
  double heading_error_deg = 0.0;
  int hurry = 0;
  double stride = 1.0;
};
/// What became of a command with a target.
struct PlayedCommand {
  double told_s = 0.0;
  std::optional<double> at_s;  ///< When it ended; empty: not before playing did.
  bool reached = false;
  bool superseded = false;  ///< Another command came first.
  std::optional<MetPlace> met;
};
struct PlayedGraph {
  struct Turn {
    double at_s = 0.0;
    std::int64_t to = 0;  ///< Id of the node that is headed for from then on.
  };
  io::MotionFile motion;  ///< What was played, in the form of the first clip's file.
  std::vector<Turn> path;
  std::vector<PlayedCommand> commands, upper_commands;  ///< In the order in which they ended.
  Notes warnings;
};

/// Plays a graph under commands. `upper`, where given, is the graph that the upper body follows on its own: on the same
/// skeleton and at the same rate, without places. Fails with the place in the script when a node is not in the graph.
Result<PlayedGraph> evaluate(const GraphPart& body, const GraphPart* upper = nullptr);

/// What a command from a node on looks like: the motion at 60 Hz, and the path of its hips.
struct PlayedWay {
  Clip clip;
  analysis::RootMotion path;
};
Result<PlayedWay> play_way(const graph::MotionGraph& graph, const graph::MotionSet& set, graph::NodeIndex from,
                           const graph::Command& command, double duration_s);

}  // namespace shosa::documents
