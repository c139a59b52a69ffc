#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph_play.h"
#include "input.h"
#include "shosa/graph/build_graph.h"
#include "shosa/graph/planner.h"
#include "verb.h"

namespace shosa::cli {

/// One command on the command line, in place of a file.
struct PlayOrder {
  std::string start, to, impossible;  ///< Nodes by ids or names, separated by commas; empty: not told.
  double at_s = 1.0;
  int hurry = graph::kNoHurry;
  std::optional<double> ahead_m, duration_s;
  std::vector<double> reach;  ///< x, z, and perhaps degrees.
};

/// What the command line of `graph` says; each of its verbs reads a part.
struct GraphOptions {
  std::vector<std::string> clips;
  std::vector<std::string> names;  ///< NAME=FILE.
  std::string threshold;           ///< Metres or auto; empty: as usual.
  std::string file, commands, out, picture;
  std::string upper_file, upper_commands;
  std::string from, to;
  int hurry = graph::kNoHurry;
  bool extremal = false, any_feet = false, strip = false;
  std::vector<int> speeds;
  double duration_s = 3.0;
  double seconds = 10.0;   ///< Of a random walk.
  std::uint64_t seed = 1;  ///< Of a random walk.
  std::int64_t link = 0;   ///< That is shown.
  PlayOrder order;
  graph::BuildParams build;
  InputOptions input;
};

/// `graph build`: writes the graph.
Result<Report> build_graph_file(const GraphOptions& options);
/// `graph plan`.
Result<Report> plan_way(const GraphOptions& options);
/// `graph walk`: writes a motion along links taken at random.
Result<Report> walk_graph(const GraphOptions& options);
/// `graph preview`: writes one change-over as a motion.
Result<Report> preview_link(const GraphOptions& options);
/// `graph show`: writes the picture.
Result<Report> show_graph(const GraphOptions& options);

}  // namespace shosa::cli
