#include "graph/components.h"

#include <algorithm>

namespace shosa::graph {

Components strong_components(const MotionGraph& graph) {
  const auto n = static_cast<std::size_t>(graph.node_count());
  Components result{.of_node = std::vector<int>(n, -1)};
  std::vector<int> order(n, -1), low(n, 0), size;
  std::vector<NodeIndex> open;
  struct Visit {
    NodeIndex node;
    std::size_t next;
  };
  std::vector<Visit> path;
  int counter = 0;
  for (NodeIndex start = 0; start < graph.node_count(); ++start) {
    if (order[start] >= 0) continue;
    path.push_back({start, 0});
    while (!path.empty()) {
      const NodeIndex node = path.back().node;
      const auto at = static_cast<std::size_t>(node);
      if (path.back().next == 0 && order[at] < 0) {
        order[at] = low[at] = counter++;
        open.push_back(node);
      }
      const auto leaving = graph.links_from(node);
      if (path.back().next < leaving.size()) {
        const auto to = static_cast<std::size_t>(graph.link(leaving[path.back().next++]).to);
        if (order[to] < 0) {
          path.push_back({static_cast<NodeIndex>(to), 0});
        } else if (result.of_node[to] < 0) {
          low[at] = std::min(low[at], order[to]);
        }
        continue;
      }
      if (low[at] == order[at]) {
        int count = 0;
        for (NodeIndex member = kNoNode; member != node; ++count) {
          member = open.back();
          open.pop_back();
          result.of_node[member] = result.count;
        }
        size.push_back(count);
        ++result.count;
      }
      path.pop_back();
      if (!path.empty()) {
        const auto parent = static_cast<std::size_t>(path.back().node);
        low[parent] = std::min(low[parent], low[at]);
      }
    }
  }
  int most = 0;
  for (const int component : result.of_node) {
    if (size[component] > most) {
      most = size[component];
      result.largest = component;
    }
  }
  return result;
}

Result<Core> core_of(const MotionGraph& graph) {
  const Components components = strong_components(graph);
  std::vector<NodeIndex> place(static_cast<std::size_t>(graph.node_count()), kNoNode), cut;
  std::vector<Node> nodes;
  for (NodeIndex n = 0; n < graph.node_count(); ++n) {
    if (components.of_node[n] != components.largest) {
      cut.push_back(n);
      continue;
    }
    place[n] = static_cast<NodeIndex>(nodes.size());
    nodes.push_back(graph.node(n));
    nodes.back().default_link = kNoLink;
  }
  std::vector<Link> links;
  std::vector<LinkIndex> of_link;
  for (LinkIndex l = 0; l < graph.link_count(); ++l) {
    Link link = graph.link(l);
    const LinkIndex default_here = graph.node(link.from).default_link;
    link.from = place[link.from];
    link.to = place[link.to];
    if (link.from == kNoNode || link.to == kNoNode) continue;
    if (default_here == l) nodes[link.from].default_link = static_cast<LinkIndex>(links.size());
    links.push_back(link);
    of_link.push_back(l);
  }
  if (links.empty()) {
    return fail(ErrorCode::not_possible,
                "no node of {} can be left and reached again: no links between similar postures were found",
                graph.node_count());
  }
  auto core = MotionGraph::create(graph.clips(), std::move(nodes), std::move(links));
  if (!core) return std::unexpected(core.error());
  return Core{std::move(*core), std::move(cut), std::move(of_link)};
}

}  // namespace shosa::graph
