#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "shosa/core/result.h"

namespace shosa::documents {

/// Takes values as the parser meets them. Only the lists `nodes` and `links` of flat objects are kept.
class GraphReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  using json = nlohmann::json;
  explicit GraphReader(std::string name) : file_(std::move(name)) {}

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
        keys_ = 0;
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
    if (depth_ == 3) {
      const unsigned bit = key_bit();
      if (keys_ & bit) return refuse(fmt::format("{} twice", key_));
      keys_ |= bit;
    }
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
      return key_bit() != 0 ? refuse(fmt::format("{} is {}, expected one value", key_, found)) : refuse_key();
    }
    return deeper();
  }
  bool refuse_key() {
    return refuse(
        fmt::format("no key '{}'; the keys are {}", key_.substr(0, 40),
                    list_ == List::nodes ? "id, clip, time_s, default, name" : "id, from, to, time_s, hurry"));
  }
  /// 0: no key of the list at hand.
  unsigned key_bit() const {
    static constexpr const char* kNode[] = {"id", "clip", "time_s", "default", "name"};
    static constexpr const char* kLink[] = {"id", "from", "to", "time_s", "hurry"};
    const auto& keys = list_ == List::nodes ? kNode : kLink;
    for (unsigned i = 0; i < std::size(keys); ++i) {
      if (key_ == keys[i]) return 1u << i;
    }
    return 0;
  }

  template <class Put>
  bool scalar(const Put& put, const std::string& found) {
    if (skip_depth_ > 0) return true;
    if (depth_ == 3) {
      if (key_bit() == 0) return refuse_key();
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
  unsigned keys_ = 0;  // of the node or link at hand: bits of key_bit()
  List list_ = List::none;
  int depth_ = 0;
  std::size_t skip_depth_ = 0;
};

}  // namespace shosa::documents
