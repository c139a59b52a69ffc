#include "shosa/documents/play_script.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "shosa/core/json_depth.h"

namespace shosa::documents {
using namespace graph;

namespace {

using json = nlohmann::json;

Result<std::vector<NodeIndex>> nodes_of(const MotionGraph& graph, const json& value, const std::string& place) {
  if (value.is_array()) {
    std::vector<NodeIndex> all;
    for (const json& part : value) {
      if (part.is_array()) return fail(ErrorCode::bad_file, "{}: a list in a list of nodes", place);
      auto nodes = nodes_of(graph, part, place);
      if (!nodes) return nodes;
      all.insert(all.end(), nodes->begin(), nodes->end());
    }
    return all;
  }
  if (!value.is_string() && !value.is_number_integer()) {
    return fail(ErrorCode::bad_file, "{}: found a JSON {}, expected a node's id or name", place, value.type_name());
  }
  auto nodes = find_nodes(graph, value.is_string() ? value.get<std::string>() : value.dump());
  if (!nodes) return fail(ErrorCode::bad_file, "{}: {}", place, nodes.error().message);
  return nodes;
}

Result<double> number_of(const json& object, const char* key, double standard, double low, double high,
                         const std::string& place) {
  if (!object.contains(key)) return standard;
  const json& value = object.at(key);
  if (!value.is_number() || !(value.get<double>() >= low) || !(value.get<double>() <= high)) {
    return fail(ErrorCode::bad_file, "{}: {} is {}, expected {} to {}", place, key, value.dump().substr(0, 40), low,
                high);
  }
  return value.get<double>();
}

Result<void> known_keys(const json& object, std::initializer_list<const char*> keys, const std::string& place) {
  if (!object.is_object()) {
    return fail(ErrorCode::bad_file, "{}: found a JSON {}, expected an object", place, object.type_name());
  }
  for (const auto& [key, value] : object.items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    std::string list;
    for (const char* name : keys) list += (list.empty() ? "" : ", ") + std::string(name);
    return fail(ErrorCode::bad_file, "{}: no key '{}'; the keys are {}", place, key.substr(0, 40), list);
  }
  return {};
}

/// Where the target shall be met.
Result<void> read_end(const json& entry, const std::string& place, TimedCommand& command) {
  constexpr double kFarthest_m = 1000.0;
  const bool ahead = entry.contains("ahead_m"), at_place = entry.contains("place_m");
  if (entry.contains("heading_deg") && !at_place)
    return fail(ErrorCode::bad_file, "{}: heading_deg without place_m", place);
  if (!ahead && !at_place) return {};
  if (ahead && at_place) return fail(ErrorCode::bad_file, "{}: both ahead_m and place_m", place);
  if (command.command.targets.empty() || entry.contains("hurry")) {
    return fail(ErrorCode::bad_file, "{}: with {} there must be 'to', and no hurry: it is searched for", place,
                ahead ? "ahead_m" : "place_m");
  }
  if (ahead) {
    const auto distance = number_of(entry, "ahead_m", 0.0, 0.0, kFarthest_m, place);
    if (!distance) return std::unexpected(distance.error());
    command.ahead_m = *distance;
    return {};
  }
  const json& pair = entry.at("place_m");
  const auto is_coordinate = [&](const json& value) {
    return value.is_number() && std::abs(value.get<double>()) <= 1000.0 * kFarthest_m;
  };
  if (!pair.is_array() || pair.size() != 2 || !is_coordinate(pair[0]) || !is_coordinate(pair[1])) {
    return fail(ErrorCode::bad_file, "{}: place_m is {}, expected two numbers, x and z", place,
                pair.dump(-1, ' ', false, json::error_handler_t::replace).substr(0, 40));
  }
  const auto heading = number_of(entry, "heading_deg", 0.0, -360.0, 360.0, place);
  if (!heading) return std::unexpected(heading.error());
  command.place = {pair[0].get<double>(), pair[1].get<double>(), *heading * M_PI / 180.0};
  command.heading_matters = entry.contains("heading_deg");
  return {};
}

Result<TimedCommand> read_command(const json& entry, const std::string& place, const MotionGraph& graph) {
  if (const auto known =
          known_keys(entry, {"at_s", "to", "hurry", "impossible", "ahead_m", "place_m", "heading_deg"}, place);
      !known) {
    return std::unexpected(known.error());
  }
  TimedCommand command;
  const auto at = number_of(entry, "at_s", 0.0, 0.0, 86400.0, place);
  if (!at) return std::unexpected(at.error());
  command.at_s = *at;
  const auto hurry = number_of(entry, "hurry", kNoHurry, 0.0, kMaxHurry, place);
  if (!hurry) return std::unexpected(hurry.error());
  if (std::floor(*hurry) != *hurry)
    return fail(ErrorCode::bad_file, "{}: hurry is {}, expected a whole number", place, *hurry);
  command.command.hurry = static_cast<int>(*hurry);
  if (!entry.contains("to") && !entry.contains("impossible")) {
    return fail(ErrorCode::bad_file, "{}: neither 'to' nor 'impossible'", place);
  }
  for (const auto& [key, list] :
       {std::pair{"to", &command.command.targets}, std::pair{"impossible", &command.impossible}}) {
    if (!entry.contains(key)) continue;
    auto nodes = nodes_of(graph, entry.at(key), fmt::format("{}.{}", place, key));
    if (!nodes) return std::unexpected(nodes.error());
    if (nodes->empty()) return fail(ErrorCode::bad_file, "{}.{}: an empty list, expected nodes", place, key);
    *list = std::move(*nodes);
  }
  if (const auto read = read_end(entry, place, command); !read) return std::unexpected(read.error());
  return command;
}

}  // namespace

Result<PlayScript> parse_play_script(std::string_view text, const std::string& file, const MotionGraph& graph) {
  if (const auto byte = too_deep_at(text)) {
    return fail(ErrorCode::bad_file, "{}: byte {}: JSON nested deeper than {} levels", file, *byte, kMaxJsonDepth);
  }
  json top;
  try {
    top = json::parse(text);
  } catch (const json::exception& error) {
    return fail(ErrorCode::bad_file, "{}: no JSON: {}", file, error.what());
  }
  if (const auto known = known_keys(top, {"start", "duration_s", "fps", "motion", "keep_feet", "commands"}, file);
      !known) {
    return std::unexpected(known.error());
  }
  PlayScript script;
  if (top.contains("start")) {
    if (top.at("start").is_array()) return fail(ErrorCode::bad_file, "{}: start is a list, expected one node", file);
    const auto start = nodes_of(graph, top.at("start"), file + ": start");
    if (!start) return std::unexpected(start.error());
    script.start = start->front();
  }
  if (!top.contains("commands") || !top.at("commands").is_array()) {
    return fail(ErrorCode::bad_file, "{}: no list 'commands'", file);
  }
  for (std::size_t i = 0; i < top.at("commands").size(); ++i) {
    auto command = read_command(top.at("commands")[i], fmt::format("{}: commands[{}]", file, i), graph);
    if (!command) return std::unexpected(command.error());
    script.commands.push_back(std::move(*command));
  }
  std::stable_sort(script.commands.begin(), script.commands.end(),
                   [](const TimedCommand& a, const TimedCommand& b) { return a.at_s < b.at_s; });
  const double last = script.commands.empty() ? 0.0 : script.commands.back().at_s;
  const auto duration = number_of(top, "duration_s", last + 2.0, 0.0, 86400.0, file);
  if (!duration) return std::unexpected(duration.error());
  script.duration_s = *duration;
  script.open_end = !top.contains("duration_s");
  const auto fps = number_of(top, "fps", 60.0, 1.0, 1000.0, file);
  if (!fps) return std::unexpected(fps.error());
  script.params.frame_time_s = 1.0 / *fps;
  if (top.contains("motion")) {
    const bool linear = top.at("motion") == "linear";
    if (!linear && top.at("motion") != "velocity_matched") {
      return fail(ErrorCode::bad_file, "{}: motion is {}, expected \"velocity_matched\" or \"linear\"", file,
                  top.at("motion").dump(-1, ' ', false, json::error_handler_t::replace).substr(0, 40));
    }
    if (linear) script.params.motion = LinkMotion::linear;
  }
  if (top.contains("keep_feet")) {
    if (!top.at("keep_feet").is_boolean()) return fail(ErrorCode::bad_file, "{}: keep_feet is no truth value", file);
    script.params.keep_feet = top.at("keep_feet").get<bool>();
  }
  return script;
}

}  // namespace shosa::documents
