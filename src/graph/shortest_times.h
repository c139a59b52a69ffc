#pragma once

#include <list>
#include <memory>
#include <vector>

#include "graph/route_search.h"

namespace shosa::graph {

/// The shortest play time from every node to every other.
///
/// Up to `matrix_nodes` all of them are computed at once (Floyd 1962, Warshall 1962, as in the seed): n^2 numbers,
/// O(n^3). In larger graphs a target's times are computed when first asked for, O(links log nodes), and those of the
/// last `kept_targets` targets are kept: memory grows with n, not n^2. Times are sums of whole ticks and do not depend
/// on which way they were found.
struct ShortestTimesParams {
  int matrix_nodes = 512;
  int kept_targets = 64;  ///< >= 1.
};
class ShortestTimes {
 public:
  explicit ShortestTimes(const MotionGraph& graph, const ShortestTimesParams& params = {});
  ShortestTimes(const ShortestTimes&) = delete;  // searches point into it
  ShortestTimes& operator=(const ShortestTimes&) = delete;

  /// Infinite where there is no way. Rule (assert): both nodes are in the graph.
  double time_s(NodeIndex from, NodeIndex to);
  bool is_matrix() const { return !matrix_.empty(); }

 private:
  RouteGraph routes_;
  ShortestTimesParams params_;
  std::vector<std::int64_t> matrix_;  ///< Row: from.
  RouteSearch search_;
  struct Column {
    NodeIndex to;
    std::vector<std::int64_t> ticks;
  };
  std::list<Column> columns_;  ///< Most recently used first.
};

}  // namespace shosa::graph
