#pragma once

#include <memory>
#include <string>
#include <vector>

#include "demo/cast.h"
#include "shosa/graph/link_gaits.h"
#include "shosa/graph/planner.h"
#include "shosa/graph/player.h"

namespace shosa::demo {

/// Standing, three walks and two runs as loops, linked as the seed's figure 7 does.
struct GaitGraph {
  graph::MotionSet set;
  graph::LinkedGaits gaits;
  std::string fastest;  ///< Name of the nodes that running means.
  /// What a played motion is raised by: a set of motions stands with its lowest foot point at 0, others on their soles.
  double raise_m = 0.0;
};
Result<std::unique_ptr<GaitGraph>> make_gait_graph(const Cast& cast);

/// One way from standing to running, and the hurry values that take it.
struct GaitPath {
  int from_hurry = 0, to_hurry = 0;
  graph::Plan plan;
};
/// Every way that some hurry value from 1 to 100 takes, by the least hurried first.
Result<std::vector<GaitPath>> gait_paths(const GaitGraph& gaits);

/// Stands for a moment, is told to run with this hurry value, and runs on: 60 Hz.
Result<Clip> play_to_run(const GaitGraph& gaits, int hurry, double seconds, double command_s);

/// The whole motion moved up.
void raise(Clip& clip, double by_m);

/// Least weight from a node to any target, by relaxing every link until nothing changes: slow and plain, to check plans
/// with.
double least_weight(const graph::MotionGraph& graph, graph::NodeIndex from,
                    const std::vector<graph::NodeIndex>& targets, int hurry);

}  // namespace shosa::demo
