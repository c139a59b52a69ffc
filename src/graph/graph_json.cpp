#include "shosa/graph/graph_json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace shosa::graph {
namespace {

using json = nlohmann::json;

/// Takes values as the parser meets them. Only the lists `nodes` and `links` of flat objects are kept.
class Reader : public nlohmann::json_sax<json> {
 public:
  explicit Reader(std::string name) : file_(std::move(name)) {}

  struct RawNode {
    std::optional<std::int64_t> id, default_id;
    std::string clip, name;
    double time_s = 0.0;
  };
  struct RawLink {
    std::optional<std::int64_t> id, from, to;
    std::optional<double> time_s;
    std::int64_t hurry = 0;
  };
  std::vector<RawNode> nodes;
  std::vector<RawLink> links;
  bool has_nodes = false, has_links = false;
  std::set<std::string> unknown;  ///< Keys that were passed over.
  std::optional<Error> error;

  bool null() override {
    return scalar([&](auto& item) { return this->put_null(item); }, "null");
  }
  bool boolean(bool) override {
    return scalar([](auto&) { return false; }, "a truth value");
  }
  bool number_integer(number_integer_t value) override {
    return scalar([&](auto& item) { return this->put_integer(item, value); }, fmt::format("the number {}", value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value <= static_cast<number_unsigned_t>(INT64_MAX)) return number_integer(static_cast<std::int64_t>(value));
    return number_float(static_cast<double>(value), "");
  }
  bool number_float(number_float_t value, const string_t&) override {
    return scalar([&](auto& item) { return this->put_number(item, value); }, fmt::format("the number {}", value));
  }
  bool string(string_t& value) override {
    return scalar([&](auto& item) { return this->put_string(item, value); }, "a text");
  }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override {
    if (skip_depth_ > 0) return deeper();
    if (depth_ == 0 || (depth_ == 2 && list_ != List::none)) {
      if (depth_ == 2) {
        if (list_ == List::nodes) nodes.emplace_back();
        if (list_ == List::links) links.emplace_back();
      }
      ++depth_;
      return true;
    }
    return nested("an object");
  }
  bool start_array(std::size_t) override {
    if (skip_depth_ > 0) return deeper();
    if (depth_ == 1 && (key_ == "nodes" || key_ == "links")) {
      list_ = key_ == "nodes" ? List::nodes : List::links;
      bool& seen = list_ == List::nodes ? has_nodes : has_links;
      if (seen) return refuse(fmt::format("a second list '{}'", key_));
      seen = true;
      ++depth_;
      return true;
    }
    return nested("a list");
  }
  bool end_object() override { return close(); }
  bool end_array() override {
    if (skip_depth_ == 0 && depth_ == 2) list_ = List::none;
    return close();
  }
  bool key(string_t& name) override {
    if (skip_depth_ > 0) return true;
    key_ = name;
    if (depth_ == 1 && key_ != "nodes" && key_ != "links") unknown.insert(key_.substr(0, 40));
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& reason) override {
    error = Error{ErrorCode::bad_file, fmt::format("{}: byte {}: no JSON: {}", file_, byte, reason.what())};
    return false;
  }

 private:
  enum class List {
    none,
    nodes,
    links
  };

  std::string place() const {
    if (depth_ < 2) return file_;
    const bool in_nodes = list_ == List::nodes;
    const std::size_t count = in_nodes ? nodes.size() : links.size();
    return fmt::format("{}: {}[{}]", file_, in_nodes ? "nodes" : "links", depth_ == 3 ? count - 1 : count);
  }
  bool refuse(const std::string& text) {
    error = Error{ErrorCode::bad_file, fmt::format("{}: {}", place(), text)};
    return false;
  }
  bool deeper() {
    ++skip_depth_;
    return true;
  }
  bool close() {
    if (skip_depth_ > 0) {
      --skip_depth_;
    } else {
      --depth_;
    }
    return true;
  }
  /// Something nested where it means nothing is passed over; where a value is needed it is an error.
  bool nested(const char* found) {
    if (depth_ == 0) return refuse(fmt::format("found {}, expected an object with nodes and links", found));
    if (depth_ == 1 && (key_ == "nodes" || key_ == "links")) {
      return refuse(fmt::format("{} is {}, expected a list", key_, found));
    }
    if (depth_ == 2) return refuse(fmt::format("found {}, expected an object", found));
    if (depth_ == 3) {
      const bool known = list_ == List::nodes ? known_node_key() : known_link_key();
      if (known) return refuse(fmt::format("{} is {}, expected one value", key_, found));
      unknown.insert(key_.substr(0, 40));
    }
    return deeper();
  }
  bool known_node_key() const {
    return key_ == "id" || key_ == "clip" || key_ == "time_s" || key_ == "default" || key_ == "name";
  }
  bool known_link_key() const {
    return key_ == "id" || key_ == "from" || key_ == "to" || key_ == "time_s" || key_ == "hurry";
  }

  template <class Put>
  bool scalar(const Put& put, const std::string& found) {
    if (skip_depth_ > 0) return true;
    if (depth_ == 3) {
      const bool known = list_ == List::nodes ? known_node_key() : known_link_key();
      if (!known) {
        unknown.insert(key_.substr(0, 40));
        return true;
      }
      const bool taken = list_ == List::nodes ? put(nodes.back()) : put(links.back());
      return taken || refuse(fmt::format("{} is {}, expected {}", key_, found, wanted()));
    }
    if (depth_ == 1 && key_ != "nodes" && key_ != "links") return true;
    if (depth_ == 1) return refuse(fmt::format("{} is {}, expected a list", key_, found));
    return refuse(
        fmt::format("found {}, expected an object{}", found, depth_ == 0 ? " with nodes and links" : " in the list"));
  }
  const char* wanted() const {
    if (key_ == "time_s") return "seconds";
    if (key_ == "clip" || key_ == "name") return "a text";
    if (key_ == "hurry") return "a whole number from 0 to 100";
    return "a whole number";
  }

  bool put_null(RawNode& node) {
    if (key_ == "clip") return node.clip.clear(), true;
    if (key_ == "default") return node.default_id.reset(), true;
    return false;
  }
  bool put_null(RawLink&) { return false; }
  bool put_integer(RawNode& node, std::int64_t value) {
    if (key_ == "id") return node.id = value, true;
    if (key_ == "default") return node.default_id = value, true;
    if (key_ == "time_s") return node.time_s = static_cast<double>(value), true;
    return false;
  }
  bool put_integer(RawLink& link, std::int64_t value) {
    if (key_ == "id") return link.id = value, true;
    if (key_ == "from") return link.from = value, true;
    if (key_ == "to") return link.to = value, true;
    if (key_ == "hurry") return link.hurry = value, true;
    if (key_ == "time_s") return link.time_s = static_cast<double>(value), true;
    return false;
  }
  template <class Item>
  bool put_number(Item& item, double value) {
    if (key_ == "time_s") return item.time_s = value, true;
    // 3.0 is a whole number, as some programs write it.
    if (std::floor(value) == value && std::abs(value) < 9e15) {
      return put_integer(item, static_cast<std::int64_t>(value));
    }
    return false;
  }
  bool put_string(RawNode& node, const std::string& value) {
    if (key_ == "clip") return node.clip = value, true;
    if (key_ == "name") return node.name = value, true;
    return false;
  }
  bool put_string(RawLink&, const std::string&) { return false; }

  std::string file_;
  std::string key_;
  List list_ = List::none;
  int depth_ = 0;
  std::size_t skip_depth_ = 0;
};

}  // namespace

Result<GraphFile> parse_graph(std::string_view text, const std::string& file) {
  Reader reader(file);
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

}  // namespace shosa::graph
