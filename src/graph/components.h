#pragma once

#include <vector>

#include "shosa/graph/motion_graph.h"

namespace shosa::graph {

/// Strongly connected components (Tarjan 1972): nodes that can all reach each other.
struct Components {
  std::vector<int> of_node;  ///< Component number of each node.
  int count = 0;
  int largest = -1;  ///< The one with most nodes; of equal ones that of the lowest node. -1 in an empty graph.
};
/// O(nodes + links). Does not recurse.
Components strong_components(const MotionGraph& graph);

/// The part of a graph in which nothing strands.
struct Core {
  MotionGraph graph;               ///< Nodes and links of the largest component; ids kept.
  std::vector<NodeIndex> cut;      ///< Nodes of the whole graph that are not in it, ascending.
  std::vector<LinkIndex> of_link;  ///< For each link of `graph`, its index in the whole graph.
};
/// Default links that leave the core are dropped; `complete_defaults` finds others. Fails when no node can be left and
/// reached again.
Result<Core> core_of(const MotionGraph& graph);

}  // namespace shosa::graph
