#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/route_search.h"

namespace shosa::graph {

/// The weight of the least way from one node to a set of targets, and bounds from below on the way to other nodes,
/// found from both ends (Pohl 1971): each side looks at about the half of the way only. With them `RouteSearch::run`
/// leaves out what cannot be on a least way, ties included, so that its answer is the same.
class MeetingBound {
 public:
  explicit MeetingBound(const RouteGraph& graph);

  /// False where no way leads to a target.
  bool find(NodeIndex from, std::span<const NodeIndex> targets, int command_hurry);
  bool allows(NodeIndex node, std::int64_t weight_to_target) const {
    const std::int64_t from_start = ahead_.weight[node];
    return weight_to_target + (from_start < reached_ ? from_start : reached_) <= total_;
  }

 private:
  struct Item {
    std::int64_t weight;
    NodeIndex node;
    bool operator<(const Item& other) const { return weight > other.weight; }
  };
  struct Side {
    std::vector<std::int64_t> weight;
    std::vector<Item> heap;
    void clear();
    void reach(NodeIndex node, std::int64_t new_weight);
    /// Drops entries that were overtaken.
    bool is_over();
    Item next();
  };

  const RouteGraph* graph_;
  std::vector<std::int32_t> begin_;
  std::vector<RouteGraph::Entry> leaving_;  ///< `Entry::from` is where the link leads to.
  Side ahead_, back_;
  std::int64_t total_ = 0, reached_ = 0;
};

}  // namespace shosa::graph
