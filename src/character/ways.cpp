#include "character/ways.h"

#include <functional>
#include <limits>
#include <queue>

namespace shosa::character {

Ways ways_to(const CharacterData& data, std::span<const graph::NodeIndex> targets) {
  const graph::MotionGraph& graph = data.graph();
  Ways ways;
  const auto nodes = static_cast<std::size_t>(graph.node_count());
  ways.time_s.assign(nodes, std::numeric_limits<double>::infinity());
  ways.link.assign(nodes, graph::kNoLink);
  std::vector<bool> settled(nodes, false);
  using Item = std::pair<double, graph::NodeIndex>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
  const auto come_to = [&](graph::NodeIndex node, bool any_state) {
    const int state = data.state_of(node);
    const bool passed = any_state || data.is_passed(state) || state == data.state_of(targets.front());
    for (const graph::LinkIndex l : graph.links_to(node)) {
      const graph::Link& link = graph.link(l);
      if (settled[link.from] || (!passed && data.state_of(link.from) != state)) continue;
      const double through = ways.time_s[node] + link.time_s;
      if (through >= ways.time_s[link.from]) continue;
      ways.time_s[link.from] = through, ways.link[link.from] = l;
      open.emplace(through, link.from);
    }
  };
  for (const graph::NodeIndex target : targets) ways.time_s[target] = 0.0, open.emplace(0.0, target);
  for (const bool any_state : {false, true}) {
    const std::size_t known = ways.by_time.size();
    for (std::size_t i = 0; i < known; ++i) come_to(ways.by_time[i], any_state);
    while (!open.empty()) {
      const graph::NodeIndex node = open.top().second;
      open.pop();
      if (settled[node]) continue;
      settled[node] = true;
      ways.by_time.push_back(node);
      come_to(node, any_state);
    }
  }
  return ways;
}

}  // namespace shosa::character
