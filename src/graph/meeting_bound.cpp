#include "graph/meeting_bound.h"

#include <algorithm>
#include <limits>

namespace shosa::graph {
namespace {

constexpr std::int64_t kUnmet = std::numeric_limits<std::int64_t>::max() / 2;

}  // namespace

void MeetingBound::Side::clear() {
  std::fill(weight.begin(), weight.end(), kUnmet);
  heap.clear();
}

void MeetingBound::Side::reach(NodeIndex node, std::int64_t new_weight) {
  weight[node] = new_weight;
  heap.push_back({new_weight, node});
  std::push_heap(heap.begin(), heap.end());
}

bool MeetingBound::Side::is_over() {
  while (!heap.empty() && heap.front().weight > weight[heap.front().node]) {
    std::pop_heap(heap.begin(), heap.end());
    heap.pop_back();
  }
  return heap.empty();
}

MeetingBound::Item MeetingBound::Side::next() {
  std::pop_heap(heap.begin(), heap.end());
  const Item item = heap.back();
  heap.pop_back();
  return item;
}

MeetingBound::MeetingBound(const RouteGraph& graph) : graph_(&graph) {
  const auto nodes = static_cast<std::size_t>(graph.node_count());
  begin_.assign(nodes + 1, 0);
  for (NodeIndex n = 0; n < graph.node_count(); ++n) {
    for (const RouteGraph::Entry& entry : graph.entering(n)) ++begin_[static_cast<std::size_t>(entry.from) + 1];
  }
  for (std::size_t n = 0; n < nodes; ++n) begin_[n + 1] += begin_[n];
  leaving_.resize(static_cast<std::size_t>(begin_.back()));
  std::vector<std::int32_t> place(begin_.begin(), begin_.end() - 1);
  for (NodeIndex n = 0; n < graph.node_count(); ++n) {
    for (const RouteGraph::Entry& entry : graph.entering(n)) {
      auto& at = place[entry.from];
      leaving_[at++] = {entry.base, n, entry.kind};
    }
  }
  ahead_.weight.assign(nodes, kUnmet), back_.weight = ahead_.weight;
}

bool MeetingBound::find(NodeIndex from, std::span<const NodeIndex> targets, int command_hurry) {
  const auto factor = RouteGraph::factors(command_hurry);
  ahead_.clear(), back_.clear();
  ahead_.reach(from, 0);
  for (const NodeIndex target : targets) back_.reach(target, 0);
  total_ = back_.weight[from];
  const auto widen = [&](Side& side, const Side& other, std::span<const RouteGraph::Entry> links, const Item& item) {
    for (const RouteGraph::Entry& entry : links) {
      const auto to = static_cast<std::size_t>(entry.from);
      const std::int64_t weight = item.weight + entry.base * factor[entry.kind];
      if (weight >= side.weight[to] || weight > total_) continue;
      side.reach(entry.from, weight);
      total_ = std::min(total_, weight + other.weight[to]);
    }
  };
  for (;;) {
    if (ahead_.is_over() || back_.is_over()) break;
    const std::int64_t a = ahead_.heap.front().weight, b = back_.heap.front().weight;
    if (a + b > total_) break;
    // The side with fewer open nodes goes on.
    if (ahead_.heap.size() <= back_.heap.size()) {
      const Item item = ahead_.next();
      const auto first = static_cast<std::size_t>(begin_[item.node]),
                 end = static_cast<std::size_t>(begin_[static_cast<std::size_t>(item.node) + 1]);
      widen(ahead_, back_, {leaving_.data() + first, end - first}, item);
    } else {
      const Item item = back_.next();
      widen(back_, ahead_, graph_->entering(item.node), item);
    }
  }
  // Nodes that the search ahead did not settle are at least as far as the next one it would have.
  reached_ = ahead_.is_over() ? kUnmet : ahead_.heap.front().weight;
  return total_ < kUnmet;
}

}  // namespace shosa::graph
