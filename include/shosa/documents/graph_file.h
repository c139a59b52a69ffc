#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shosa/core/result.h"
#include "shosa/graph/motion_graph.h"

namespace shosa::documents {

/// A graph as it stands in a file:
///
///     {"nodes": [{"id": 0, "clip": "walk.bvh", "time_s": 0.0, "default": 3, "name": "walk"}, …],
///      "links": [{"id": 3, "from": 0, "to": 1, "time_s": 0.1, "hurry": 0}, …]}
///
/// In a node only `id` is required, in a link `id` may be left out too (its place in the list is taken) and `hurry`
/// (0). `clip` may be null or left out: planning needs no postures.
struct GraphFile {
  std::string file;  ///< For messages.
  graph::MotionGraph graph;
  std::vector<std::string> warnings;  ///< Keys beside nodes and links, which mean nothing here.
};

Result<GraphFile> parse_graph(std::string_view text, const std::string& file);

/// What `parse_graph` reads back to the same graph: numbers keep every bit, one line per node and link.
std::string format_graph(const graph::MotionGraph& graph);

}  // namespace shosa::documents
