#include "graph/shortest_times.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace shosa::graph {
namespace {

/// Half the range, so that two of them can be added.
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 2;

std::vector<std::int64_t> all_pairs(const RouteGraph& routes) {
  const auto n = static_cast<std::size_t>(routes.node_count());
  std::vector<std::int64_t> ticks(n * n, kNever);
  for (std::size_t to = 0; to < n; ++to) {
    for (const auto& entry : routes.entering(static_cast<NodeIndex>(to))) {
      auto& time = ticks[static_cast<std::size_t>(entry.from) * n + to];
      time = std::min(time, entry.ticks());
    }
    ticks[to * n + to] = 0;
  }
  for (std::size_t via = 0; via < n; ++via) {
    for (std::size_t from = 0; from < n; ++from) {
      const std::int64_t first = ticks[from * n + via];
      if (first == kNever) continue;
      for (std::size_t to = 0; to < n; ++to) {
        ticks[from * n + to] = std::min(ticks[from * n + to], first + ticks[via * n + to]);
      }
    }
  }
  return ticks;
}

}  // namespace

ShortestTimes::ShortestTimes(const MotionGraph& graph, const ShortestTimesParams& params)
    : routes_(graph), params_(params), search_(routes_) {
  if (graph.node_count() <= params.matrix_nodes) matrix_ = all_pairs(routes_);
}

double ShortestTimes::time_s(NodeIndex from, NodeIndex to) {
  assert(from >= 0 && from < routes_.node_count() && to >= 0 && to < routes_.node_count());
  const auto n = static_cast<std::size_t>(routes_.node_count());
  const auto seconds = [&](std::int64_t ticks) {
    if (ticks >= kNever) return std::numeric_limits<double>::infinity();
    return static_cast<double>(ticks) / static_cast<double>(routes_.ticks_per_s());
  };
  if (is_matrix()) return seconds(matrix_[static_cast<std::size_t>(from) * n + static_cast<std::size_t>(to)]);

  auto found = std::find_if(columns_.begin(), columns_.end(), [&](const Column& c) { return c.to == to; });
  if (found == columns_.end()) {
    if (static_cast<int>(columns_.size()) >= std::max(1, params_.kept_targets)) columns_.pop_back();
    search_.start({&to, 1}, kNoHurry);
    search_.run(std::numeric_limits<int>::max());
    Column column{to, std::vector<std::int64_t>(n, kNever)};
    for (std::size_t i = 0; i < n; ++i) {
      if (search_.is_settled(static_cast<NodeIndex>(i))) {
        column.ticks[i] = search_.time_ticks(static_cast<NodeIndex>(i));
      }
    }
    columns_.push_front(std::move(column));
    found = columns_.begin();
  }
  columns_.splice(columns_.begin(), columns_, found);
  return seconds(columns_.front().ticks[from]);
}

}  // namespace shosa::graph
