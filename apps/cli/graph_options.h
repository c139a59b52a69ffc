#pragma once

#include <string>
#include <vector>

#include "graph_play.h"
#include "input.h"
#include "shosa/graph/build_graph.h"
#include "shosa/graph/planner.h"
#include "verb.h"

namespace shosa::cli {

/// What the command line of `graph` says; each of its verbs reads a part.
struct GraphOptions {
  std::vector<std::string> clips;
  std::string file, commands, out;
  std::string upper_file, upper_commands;
  std::string from, to;
  int hurry = graph::kNoHurry;
  bool extremal = false, any_feet = false, as_captured = false, strip = false;
  std::vector<int> speeds;
  double duration_s = 3.0;
  PlayOrder order;
  graph::BuildParams build;
  InputOptions input;
};

/// `graph build`: writes the graph.
Result<Report> build_graph_file(const GraphOptions& options);
/// `graph plan`.
Result<Report> plan_way(const GraphOptions& options);
/// `graph show`: writes the picture.
Result<Report> show_graph(const GraphOptions& options);

}  // namespace shosa::cli
