#include "shosa/documents/graph_file.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "documents/clip_reference.h"

namespace shosa::documents {
namespace {

constexpr std::array<std::string_view, 4> kGraphKeys = {"nodes", "links", "clips", "kept"};

class GraphParser {
 public:
  GraphParser(std::string_view text, const std::string& file) : reader_(std::in_place, text, file), file_(file) {}

  Result<GraphFile> parse() {
    const Place root = reader_->root();
    if (!root.is_object()) root.expected("an object with nodes and links");
    const Place nodes = root.at("nodes"), links = root.at("links");
    for (const Place& place : {nodes, links}) {
      if (!place.is_list()) place.expected("a list");
    }
    nodes.each([&](const Place& place) { add_node(place); });
    links.each([&](const Place& place) { add_link(place); });
    order_links(links);
    std::size_t node = 0;
    nodes.each([&](const Place& place) { add_default(place, nodes_[node++]); });
    KeptClips kept = read_kept(root);
    Notes warnings;
    root.each([&](const Place& place) {
      if (place.key() != kVersionKey && std::ranges::find(kGraphKeys, place.key()) == kGraphKeys.end())
        warnings.push_back(fmt::format("{}: key '{}' is not used", file_, place.key().substr(0, 40)));
    });
    if (const auto read = reader_->finish(true); !read) return std::unexpected(read.error());

    // A graph of a million links takes 160 MB as JSON: no more of it while the graph is made.
    reader_.reset();
    link_by_id_ = {};
    auto made = graph::MotionGraph::create(std::move(clips_), std::move(nodes_), std::move(links_));
    if (!made) return fail(ErrorCode::bad_file, "{}: {}", file_, made.error().message);
    return GraphFile{file_, std::move(*made), std::move(kept), std::move(warnings)};
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
    link_by_id_.emplace_back(link.id, static_cast<graph::LinkIndex>(links_.size() - 1));
  }

  void order_links(const Place& links) {
    if (!std::ranges::is_sorted(link_by_id_)) std::ranges::sort(link_by_id_);
    const auto twice = std::ranges::adjacent_find(link_by_id_, {}, &LinkId::first);
    if (twice == link_by_id_.end()) return;
    links.at(static_cast<std::size_t>((twice + 1)->second))
        .wrong(fmt::format("a second link with the id {}", twice->first));
  }

  void add_default(const Place& place, graph::Node& node) {
    const Place wanted = place.at("default");
    if (!wanted.exists() || wanted.is_null()) return;
    const std::int64_t id = wanted.whole();
    const auto found = std::ranges::lower_bound(link_by_id_, id, {}, &LinkId::first);
    if (found == link_by_id_.end() || found->first != id) return wanted.wrong(fmt::format("unknown link {}", id));
    node.default_link = found->second;
  }

  KeptClips read_kept(const Place& root) {
    KeptClips kept;
    std::unordered_set<std::string> known;
    for (const Place& place : root.list_or_none("clips")) {
      place.only({"hash"}, kClipKeys);
      GraphClip& clip = kept.clips.emplace_back();
      read_clip(place, clip);
      place.read("hash", clip.hash);
      if (!known.insert(clip.clip).second) place.wrong("a second clip of this name");
    }
    if (kept.clips.empty()) return kept;
    for (const std::string& clip : clips_) {
      if (!known.contains(clip))
        root.at("clips").wrong(fmt::format("'{}' is not there, expected all clips of the nodes", clip));
    }
    if (const Place place = root.at("kept"); place.exists()) {
      place.only({"file", "hash", "notes", "warnings"});
      kept.file = place.at("file").text("a file");
      kept.hash = place.at("hash").text("a hash");
      for (const Place& note : place.list_or_none("warnings")) kept.notes.emplace_back(note.text());
      for (const Place& note : place.list_or_none("notes")) kept.notes.push_back(Note::done(note.text()));
    }
    return kept;
  }

  using LinkId = std::pair<std::int64_t, graph::LinkIndex>;

  std::optional<JsonReader> reader_;
  const std::string& file_;
  std::vector<std::string> clips_;
  std::vector<graph::Node> nodes_;
  std::vector<graph::Link> links_;
  std::unordered_map<std::string, int> clip_by_name_;
  std::unordered_map<std::int64_t, graph::NodeIndex> node_by_id_;
  std::vector<LinkId> link_by_id_;  // by id
};

}  // namespace

Result<GraphFile> parse_graph(std::string_view text, const std::string& file) {
  return GraphParser(text, file).parse();
}

std::string format_graph(const graph::MotionGraph& motion_graph, const KeptClips& kept) {
  std::string text = "{\"nodes\": [";
  for (graph::NodeIndex n = 0; n < motion_graph.node_count(); ++n) {
    const graph::Node& node = motion_graph.node(n);
    text += fmt::format("{}\n  {{\"id\": {}", n == 0 ? "" : ",", node.id);
    if (node.clip != graph::kNoClip)
      text += fmt::format(", \"clip\": {}", json_quoted(motion_graph.clips()[node.clip]));
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
  text += "]";
  for (std::size_t i = 0; i < kept.clips.size(); ++i) {
    text += fmt::format("{}\n  {{{}", i == 0 ? ",\n \"clips\": [" : ",", format_clip(kept.clips[i]));
    if (!kept.clips[i].hash.empty()) text += fmt::format(", \"hash\": {}", json_quoted(kept.clips[i].hash));
    text += "}";
  }
  if (!kept.clips.empty()) text += "]";
  if (!kept.file.empty()) {
    text += fmt::format(",\n \"kept\": {{\"file\": {}, \"hash\": {}", json_quoted(kept.file), json_quoted(kept.hash));
    for (const Note::Kind kind : {Note::Kind::warning, Note::Kind::done}) {
      std::string list;
      for (const Note& note : kept.notes)
        if (note.kind == kind) list += fmt::format("{}\n  {}", list.empty() ? "" : ",", json_quoted(note.text));
      if (!list.empty())
        text += fmt::format(",\n  \"{}\": [{}]", kind == Note::Kind::done ? "notes" : "warnings", list);
    }
    text += "}";
  }
  return text + "}\n";
}

}  // namespace shosa::documents
