// A second implementation of Dijkstra's search, on graphs too large for enumeration.

#include <gtest/gtest.h>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <limits>

#include "graph/random_graph.h"
#include "shosa/graph/planner.h"

namespace shosa::graph {
namespace {

using test::random_graph;

TEST(Planner, EqualsBoostGraphOnLargeGraphs) {
  const MotionGraph graph = random_graph({.nodes = 20000, .links = 200000, .seed = 5, .hurry_step = 1});
  for (const int hurry : {kNoHurry, 0, 37, 100}) {
    // Boost searches forward on the reversed graph.
    std::vector<std::pair<int, int>> ends;
    std::vector<double> weights;
    for (const Link& link : graph.links()) {
      ends.emplace_back(link.to, link.from);
      weights.push_back(hurry_weight(link, hurry));
    }
    using Csr = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property,
                                                   boost::property<boost::edge_weight_t, double>>;
    const Csr csr(boost::edges_are_unsorted_multi_pass, ends.begin(), ends.end(), weights.begin(),
                  static_cast<std::size_t>(graph.node_count()));
    const NodeIndex target = 123;
    std::vector<double> truth(static_cast<std::size_t>(graph.node_count()));
    boost::dijkstra_shortest_paths(
        csr, static_cast<std::size_t>(target),
        boost::distance_map(boost::make_iterator_property_map(truth.begin(), get(boost::vertex_index, csr))));

    Planner planner(graph);
    int compared = 0;
    for (NodeIndex from = 0; from < graph.node_count(); from += 7) {
      const auto plan = planner.plan(from, {.targets = {target}, .hurry = hurry});
      ASSERT_TRUE(plan.has_value());
      const double expected = truth[from];
      ASSERT_EQ(plan->reachable, expected < std::numeric_limits<double>::max());
      if (plan->reachable) {
        ASSERT_EQ(plan->weight, expected) << from;
      }
      compared += plan->reachable;
    }
    EXPECT_GT(compared, 2000);
  }
}

}  // namespace
}  // namespace shosa::graph
