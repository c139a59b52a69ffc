#include "shosa/documents/graph_file.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "documents/graph_reader.h"

namespace shosa::documents {
using namespace graph;

namespace {

using json = nlohmann::json;

}  // namespace

Result<GraphFile> parse_graph(std::string_view text, const std::string& file) {
  GraphReader reader(file);
  // The parser throws nothing itself when a handler is given; only memory could run out.
  const bool whole = json::sax_parse(text.begin(), text.end(), &reader);
  if (reader.error) return std::unexpected(*reader.error);
  if (!whole) return fail(ErrorCode::bad_file, "{}: no JSON", file);
  if (!reader.has_nodes) return fail(ErrorCode::bad_file, "{}: no list 'nodes'", file);
  if (!reader.has_links) return fail(ErrorCode::bad_file, "{}: no list 'links'", file);

  std::vector<std::string> clips, warnings;
  std::unordered_map<std::string, int> clip_by_name;
  std::vector<Node> nodes;
  std::unordered_map<std::int64_t, NodeIndex> node_by_id;
  for (std::size_t i = 0; i < reader.nodes.size(); ++i) {
    auto& raw = reader.nodes[i];
    if (!raw.id) return fail(ErrorCode::bad_file, "{}: nodes[{}]: no id, expected a whole number", file, i);
    Node node{.id = *raw.id, .time_s = raw.time_s, .name = std::move(raw.name)};
    if (!raw.clip.empty()) {
      const auto [place, added] = clip_by_name.emplace(raw.clip, static_cast<int>(clips.size()));
      if (added) clips.push_back(raw.clip);
      node.clip = place->second;
    }
    if (!node_by_id.emplace(node.id, static_cast<NodeIndex>(i)).second) {
      return fail(ErrorCode::bad_file, "{}: nodes[{}]: a second node with the id {}", file, i, node.id);
    }
    nodes.push_back(std::move(node));
  }
  std::vector<Link> links;
  std::unordered_map<std::int64_t, LinkIndex> link_by_id;
  for (std::size_t i = 0; i < reader.links.size(); ++i) {
    const auto& raw = reader.links[i];
    if (!raw.from || !raw.to) {
      return fail(ErrorCode::bad_file, "{}: links[{}]: no '{}', expected a node's id", file, i,
                  raw.from ? "to" : "from");
    }
    if (!raw.time_s) return fail(ErrorCode::bad_file, "{}: links[{}]: no time_s, expected seconds", file, i);
    for (const std::int64_t id : {*raw.from, *raw.to}) {
      if (!node_by_id.contains(id)) {
        return fail(ErrorCode::bad_file, "{}: links[{}]: unknown node {}; the {} nodes are listed in 'nodes'", file, i,
                    id, nodes.size());
      }
    }
    if (!std::isfinite(*raw.time_s) || *raw.time_s < 0.0 || *raw.time_s > kMaxLinkTime_s) {
      return fail(ErrorCode::bad_file, "{}: links[{}]: time_s is {}, expected 0 to {}", file, i, *raw.time_s,
                  kMaxLinkTime_s);
    }
    if (raw.hurry < 0 || raw.hurry > kMaxHurry) {
      return fail(ErrorCode::bad_file, "{}: links[{}]: hurry is {}, expected 1 to {}, or 0 for none", file, i,
                  raw.hurry, kMaxHurry);
    }
    const std::int64_t id = raw.id.value_or(static_cast<std::int64_t>(i));
    if (!link_by_id.emplace(id, static_cast<LinkIndex>(i)).second) {
      return fail(ErrorCode::bad_file, "{}: links[{}]: a second link with the id {}", file, i, id);
    }
    links.push_back({id, node_by_id[*raw.from], node_by_id[*raw.to], *raw.time_s, static_cast<int>(raw.hurry)});
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto& wanted = reader.nodes[i].default_id;
    if (!wanted) continue;
    const auto found = link_by_id.find(*wanted);
    if (found == link_by_id.end()) {
      return fail(ErrorCode::bad_file, "{}: nodes[{}]: default is the unknown link {}", file, i, *wanted);
    }
    nodes[i].default_link = found->second;
  }
  auto graph = MotionGraph::create(std::move(clips), std::move(nodes), std::move(links));
  if (!graph) return fail(ErrorCode::bad_file, "{}: {}", file, graph.error().message);
  for (const std::string& key : reader.unknown) warnings.push_back(fmt::format("{}: key '{}' is not used", file, key));
  return GraphFile{std::move(*graph), std::move(warnings)};
}

std::string format_graph(const MotionGraph& graph) {
  const auto quoted = [](const std::string& text) {
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
  };
  std::string text = "{\"nodes\": [";
  for (NodeIndex n = 0; n < graph.node_count(); ++n) {
    const Node& node = graph.node(n);
    text += fmt::format("{}\n  {{\"id\": {}", n == 0 ? "" : ",", node.id);
    if (node.clip != kNoClip)
      text += fmt::format(", \"clip\": {}", quoted(graph.clips()[static_cast<std::size_t>(node.clip)]));
    text += fmt::format(", \"time_s\": {}", node.time_s);
    if (node.default_link != kNoLink) text += fmt::format(", \"default\": {}", graph.link(node.default_link).id);
    if (!node.name.empty()) text += fmt::format(", \"name\": {}", quoted(node.name));
    text += "}";
  }
  text += "],\n \"links\": [";
  for (LinkIndex l = 0; l < graph.link_count(); ++l) {
    const Link& link = graph.link(l);
    text +=
        fmt::format("{}\n  {{\"id\": {}, \"from\": {}, \"to\": {}, \"time_s\": {}, \"hurry\": {}}}", l == 0 ? "" : ",",
                    link.id, graph.node(link.from).id, graph.node(link.to).id, link.time_s, link.hurry);
  }
  return text + "]}\n";
}

}  // namespace shosa::documents
