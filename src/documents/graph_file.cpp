#include "shosa/documents/graph_file.h"

#include <unordered_map>

#include "documents/json_reader.h"

namespace shosa::documents {
namespace {

class GraphParser {
 public:
  GraphParser(std::string_view text, const std::string& file) : reader_(text, file) {}

  Result<GraphFile> parse() {
    const Place root = reader_.root();
    if (!root.is_object()) root.expected("an object with nodes and links");
    const auto nodes = root.at("nodes").list(), links = root.at("links").list();
    for (const Place& place : nodes) add_node(place);
    for (const Place& place : links) add_link(place);
    for (std::size_t i = 0; i < nodes.size(); ++i) add_default(nodes[i], nodes_[i]);
    if (const auto read = reader_.finish(true); !read) return std::unexpected(read.error());

    auto made = graph::MotionGraph::create(std::move(clips_), std::move(nodes_), std::move(links_));
    if (!made) return fail(ErrorCode::bad_file, "{}: {}", reader_.file(), made.error().message);
    GraphFile result{reader_.file(), std::move(*made), {}};
    for (const Place& place : root.inside()) {
      if (place.key() == "nodes" || place.key() == "links") continue;
      result.warnings.push_back(fmt::format("{}: key '{}' is not used", reader_.file(), place.key().substr(0, 40)));
    }
    return result;
  }

 private:
  void add_node(const Place& place) {
    place.only({"id", "clip", "time_s", "default", "name"});
    graph::Node& node = nodes_.emplace_back();
    node.id = place.at("id").whole();
    place.read("time_s", node.time_s);
    place.read("name", node.name);
    const Place named = place.at("clip");
    if (const std::string clip = named.exists() && !named.is_null() ? named.text("a file or null") : "";
        !clip.empty()) {
      const auto [known, added] = clip_by_name_.emplace(clip, static_cast<int>(clips_.size()));
      if (added) clips_.push_back(clip);
      node.clip = known->second;
    }
    if (!node_by_id_.emplace(node.id, static_cast<graph::NodeIndex>(nodes_.size() - 1)).second)
      place.wrong(fmt::format("a second node with the id {}", node.id));
  }

  graph::NodeIndex end_of(const Place& place) {
    const std::int64_t id = place.whole();
    const auto found = node_by_id_.find(id);
    if (found != node_by_id_.end()) return found->second;
    place.wrong(fmt::format("unknown node {}; the {} nodes are listed in 'nodes'", id, nodes_.size()));
    return graph::kNoNode;
  }

  void add_link(const Place& place) {
    place.only({"id", "from", "to", "time_s", "hurry"});
    graph::Link& link = links_.emplace_back();
    link.id = place.has("id") ? place.at("id").whole() : static_cast<std::int64_t>(links_.size() - 1);
    link.from = end_of(place.at("from"));
    link.to = end_of(place.at("to"));
    link.time_s = place.at("time_s").number(0.0, graph::kMaxLinkTime_s);
    place.read("hurry", link.hurry, 0, graph::kMaxHurry);
    if (!link_by_id_.emplace(link.id, static_cast<graph::LinkIndex>(links_.size() - 1)).second)
      place.wrong(fmt::format("a second link with the id {}", link.id));
  }

  void add_default(const Place& place, graph::Node& node) {
    const Place wanted = place.at("default");
    if (!wanted.exists() || wanted.is_null()) return;
    const auto found = link_by_id_.find(wanted.whole());
    if (found == link_by_id_.end()) return wanted.wrong(fmt::format("unknown link {}", wanted.whole()));
    node.default_link = found->second;
  }

  JsonReader reader_;
  std::vector<std::string> clips_;
  std::vector<graph::Node> nodes_;
  std::vector<graph::Link> links_;
  std::unordered_map<std::string, int> clip_by_name_;
  std::unordered_map<std::int64_t, graph::NodeIndex> node_by_id_;
  std::unordered_map<std::int64_t, graph::LinkIndex> link_by_id_;
};

}  // namespace

Result<GraphFile> parse_graph(std::string_view text, const std::string& file) {
  return GraphParser(text, file).parse();
}

std::string format_graph(const graph::MotionGraph& motion_graph) {
  std::string text = "{\"nodes\": [";
  for (graph::NodeIndex n = 0; n < motion_graph.node_count(); ++n) {
    const graph::Node& node = motion_graph.node(n);
    text += fmt::format("{}\n  {{\"id\": {}", n == 0 ? "" : ",", node.id);
    if (node.clip != graph::kNoClip)
      text += fmt::format(", \"clip\": {}", json_quoted(motion_graph.clips()[static_cast<std::size_t>(node.clip)]));
    text += fmt::format(", \"time_s\": {}", node.time_s);
    if (node.default_link != graph::kNoLink)
      text += fmt::format(", \"default\": {}", motion_graph.link(node.default_link).id);
    if (!node.name.empty()) text += fmt::format(", \"name\": {}", json_quoted(node.name));
    text += "}";
  }
  text += "],\n \"links\": [";
  for (graph::LinkIndex l = 0; l < motion_graph.link_count(); ++l) {
    const graph::Link& link = motion_graph.link(l);
    text +=
        fmt::format("{}\n  {{\"id\": {}, \"from\": {}, \"to\": {}, \"time_s\": {}, \"hurry\": {}}}", l == 0 ? "" : ",",
                    link.id, motion_graph.node(link.from).id, motion_graph.node(link.to).id, link.time_s, link.hurry);
  }
  return text + "]}\n";
}

}  // namespace shosa::documents
