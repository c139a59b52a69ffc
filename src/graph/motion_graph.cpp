#include "shosa/graph/motion_graph.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

namespace shosa::graph {
namespace {

/// Offsets of each node's links in a list sorted by node: `begin[n]` to `begin[n + 1]`.
std::vector<std::int32_t> offsets(std::size_t node_count, std::span<const Link> links, NodeIndex Link::*end) {
  std::vector<std::int32_t> begin(node_count + 1, 0);
  for (const Link& link : links) ++begin[static_cast<std::size_t>(link.*end) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  return begin;
}

Result<void> check_node(const Node& node, std::size_t clip_count, std::span<const Link> links, NodeIndex index) {
  if (!std::isfinite(node.time_s) || node.time_s < 0.0) {
    return fail(ErrorCode::invalid_argument, "node {}: time_s is {}, expected a finite time >= 0", node.id,
                node.time_s);
  }
  if (node.clip != kNoClip && (node.clip < 0 || static_cast<std::size_t>(node.clip) >= clip_count)) {
    return fail(ErrorCode::invalid_argument, "node {}: clip number {}, expected less than {}", node.id, node.clip,
                clip_count);
  }
  if (node.default_link == kNoLink) return {};
  if (node.default_link < 0 || static_cast<std::size_t>(node.default_link) >= links.size()) {
    return fail(ErrorCode::invalid_argument, "node {}: its default link is not in the graph", node.id);
  }
  const Link& link = links[node.default_link];
  if (link.from != index) {
    return fail(ErrorCode::invalid_argument, "node {}: its default link {} leaves another node", node.id, link.id);
  }
  return {};
}

Result<void> check_link(const Link& link, std::size_t node_count) {
  const auto known = [&](NodeIndex node) { return node >= 0 && static_cast<std::size_t>(node) < node_count; };
  if (!known(link.from) || !known(link.to)) {
    return fail(ErrorCode::invalid_argument, "link {}: {} is not in the graph", link.id,
                known(link.from) ? "the node it leads to" : "the node it leaves");
  }
  if (!std::isfinite(link.time_s) || link.time_s < 0.0 || link.time_s > kMaxLinkTime_s) {
    return fail(ErrorCode::invalid_argument, "link {}: time_s is {}, expected 0 to {}", link.id, link.time_s,
                kMaxLinkTime_s);
  }
  if (link.hurry < 0 || link.hurry > kMaxHurry) {
    return fail(ErrorCode::invalid_argument, "link {}: hurry is {}, expected 1 to {}, or 0 for none", link.id,
                link.hurry, kMaxHurry);
  }
  return {};
}

/// Nodes or links by ascending id: four bytes for each, where a hash map takes more than the links themselves.
template <class Part>
std::vector<std::int32_t> ordered_by_id(std::span<const Part> parts) {
  std::vector<std::int32_t> order(parts.size());
  std::iota(order.begin(), order.end(), 0);
  if (!std::ranges::is_sorted(parts, {}, &Part::id)) {
    std::ranges::sort(order, {}, [&](std::int32_t i) { return std::pair(parts[i].id, i); });
  }
  return order;
}

/// One whose id another has as well; -1: none.
template <class Part>
std::int32_t first_twice(std::span<const Part> parts, std::span<const std::int32_t> order) {
  const auto twice = std::ranges::adjacent_find(order, {}, [&](std::int32_t i) { return parts[i].id; });
  return twice == order.end() ? -1 : *twice;
}

template <class Part>
std::int32_t find_id(std::span<const Part> parts, std::span<const std::int32_t> order, std::int64_t id) {
  const auto found = std::ranges::lower_bound(order, id, {}, [&](std::int32_t i) { return parts[i].id; });
  return found == order.end() || parts[*found].id != id ? -1 : *found;
}

}  // namespace

Result<MotionGraph> MotionGraph::create(std::vector<std::string> clips, std::vector<Node> nodes,
                                        std::vector<Link> links) {
  MotionGraph graph;
  for (const Link& link : links) {
    if (const auto checked = check_link(link, nodes.size()); !checked) return std::unexpected(checked.error());
  }
  graph.link_by_id_ = ordered_by_id(std::span<const Link>(links));
  if (const std::int32_t twice = first_twice(std::span<const Link>(links), graph.link_by_id_); twice >= 0) {
    return fail(ErrorCode::invalid_argument, "two links have the id {}", links[twice].id);
  }
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const auto checked = check_node(nodes[n], clips.size(), links, static_cast<NodeIndex>(n));
    if (!checked) return std::unexpected(checked.error());
  }
  graph.node_by_id_ = ordered_by_id(std::span<const Node>(nodes));
  if (const std::int32_t twice = first_twice(std::span<const Node>(nodes), graph.node_by_id_); twice >= 0) {
    return fail(ErrorCode::invalid_argument, "two nodes have the id {}", nodes[twice].id);
  }

  // One order of all links that says nothing about how the graph was written down.
  std::vector<LinkIndex> order(links.size());
  std::iota(order.begin(), order.end(), 0);
  static const std::string kNone;
  const auto place = [&](NodeIndex index) {
    const Node& node = nodes[index];
    const std::string& clip = node.clip == kNoClip ? kNone : clips[node.clip];
    return std::tuple<const std::string&, double, std::int64_t>(clip, node.time_s, node.id);
  };
  std::sort(order.begin(), order.end(), [&](LinkIndex a, LinkIndex b) {
    const Link& l = links[a];
    const Link& r = links[b];
    if (l.time_s != r.time_s) return l.time_s < r.time_s;
    if (l.hurry != r.hurry) return l.hurry < r.hurry;
    if (l.to != r.to) return place(l.to) < place(r.to);
    if (l.from != r.from) return place(l.from) < place(r.from);
    return l.id < r.id;
  });
  graph.rank_.resize(links.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    graph.rank_[order[i]] = static_cast<int>(i);
  }

  graph.out_begin_ = offsets(nodes.size(), links, &Link::from);
  graph.in_begin_ = offsets(nodes.size(), links, &Link::to);
  graph.out_.resize(links.size());
  graph.in_.resize(links.size());
  std::vector<std::int32_t> out_next = graph.out_begin_, in_next = graph.in_begin_;
  for (const LinkIndex index : order) {
    const Link& link = links[index];
    graph.out_[out_next[link.from]++] = index;
    graph.in_[in_next[link.to]++] = index;
  }
  graph.clips_ = std::move(clips);
  graph.nodes_ = std::move(nodes);
  graph.links_ = std::move(links);
  return graph;
}

NodeIndex MotionGraph::find_node(std::int64_t id) const {
  const std::int32_t found = find_id(nodes(), node_by_id_, id);
  return found < 0 ? kNoNode : found;
}

LinkIndex MotionGraph::find_link(std::int64_t id) const {
  const std::int32_t found = find_id(links(), link_by_id_, id);
  return found < 0 ? kNoLink : found;
}

std::vector<NodeIndex> MotionGraph::nodes_named(const std::string& name) const {
  std::vector<NodeIndex> found;
  for (NodeIndex n = 0; n < node_count(); ++n) {
    if (node(n).name == name) found.push_back(n);
  }
  return found;
}

Result<MotionGraph> MotionGraph::with_defaults(std::span<const LinkIndex> defaults) const {
  if (defaults.size() != nodes_.size()) {
    return fail(ErrorCode::invalid_argument, "{} default links, expected one per node ({})", defaults.size(),
                nodes_.size());
  }
  MotionGraph graph = *this;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    graph.nodes_[n].default_link = defaults[n];
    const auto checked = check_node(graph.nodes_[n], clips_.size(), links_, static_cast<NodeIndex>(n));
    if (!checked) return std::unexpected(checked.error());
  }
  return graph;
}

std::vector<NodeIndex> dead_ends(const MotionGraph& graph) {
  std::vector<NodeIndex> ends;
  for (NodeIndex n = 0; n < graph.node_count(); ++n) {
    if (graph.links_from(n).empty()) ends.push_back(n);
  }
  return ends;
}

/// The first names of nodes in their order, as a list for people.
static std::string names_of(const MotionGraph& graph) {
  constexpr std::size_t kFew = 12;
  std::set<std::string> names;
  for (const Node& node : graph.nodes()) names.insert(node.name);
  names.erase("");
  if (names.empty()) return "none";
  const auto few = std::next(names.begin(), static_cast<std::ptrdiff_t>(std::min(names.size(), kFew)));
  return fmt::format("{}{}", fmt::join(names.begin(), few, ", "), few == names.end() ? "" : ", …");
}

Result<std::vector<NodeIndex>> find_nodes(const MotionGraph& graph, const std::string& text) {
  auto nodes = text.empty() ? std::vector<NodeIndex>() : graph.nodes_named(text);
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  const NodeIndex node = is_number ? graph.find_node(id) : kNoNode;
  if (node != kNoNode && !nodes.empty() && (nodes.size() > 1 || nodes.front() != node)) {
    return fail(ErrorCode::not_possible, "'{}' is the id of one node and the name of another", text);
  }
  if (node != kNoNode) return std::vector<NodeIndex>{node};
  if (nodes.empty()) {
    if (is_number) return fail(ErrorCode::not_possible, "no node has the id {}", id);
    if (!text.contains(',')) {
      return fail(ErrorCode::not_possible, "no node is named '{}'; there are: {}", text.substr(0, 60), names_of(graph));
    }
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t comma = std::min(text.find(',', begin), text.size());
      auto part = find_nodes(graph, text.substr(begin, comma - begin));
      if (!part) return part;
      nodes.insert(nodes.end(), part->begin(), part->end());
      begin = comma + 1;
    }
  }
  std::sort(nodes.begin(), nodes.end(), [&](NodeIndex a, NodeIndex b) { return graph.node(a).id < graph.node(b).id; });
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

bool plays_on(const MotionGraph& graph, LinkIndex index) {
  const Link& link = graph.link(index);
  const Node &from = graph.node(link.from), &to = graph.node(link.to);
  return from.clip != kNoClip && from.clip == to.clip && to.time_s > from.time_s &&
         std::abs(to.time_s - from.time_s - link.time_s) < 1e-4;
}

std::vector<LinkIndex> complete_defaults(const MotionGraph& graph) {
  std::vector<LinkIndex> defaults;
  for (NodeIndex n = 0; n < graph.node_count(); ++n) {
    const auto leaving = graph.links_from(n);
    LinkIndex chosen = graph.node(n).default_link;
    if (chosen == kNoLink) {
      const auto on = std::find_if(leaving.begin(), leaving.end(), [&](LinkIndex l) { return plays_on(graph, l); });
      if (on != leaving.end()) chosen = *on;
    }
    if (chosen == kNoLink && !leaving.empty()) chosen = leaving.front();
    defaults.push_back(chosen);
  }
  return defaults;
}

}  // namespace shosa::graph
