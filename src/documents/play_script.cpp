#include "shosa/documents/play_script.h"

#include "documents/json_reader.h"
#include "shosa/core/angles.h"

namespace shosa::documents {
namespace {

constexpr double kLongestPlay_s = 86400.0, kFarthestAhead_m = 1000.0;

std::string read_node(const Place& place) {
  if (place.is_whole()) return std::to_string(place.whole());
  std::string name = place.text("a node's id or name");
  if (name.empty()) place.expected("a node's id or name");
  return name;
}

std::vector<std::string> read_nodes(const Place& place) {
  std::vector<std::string> nodes;
  if (!place.exists()) return nodes;
  if (!place.is_list()) return {read_node(place)};
  for (const Place& part : place.list(1)) nodes.push_back(read_node(part));
  return nodes;
}

/// Where the target shall be met.
void read_end(const Place& place, PlayCommand& command) {
  const bool ahead = place.has("ahead_m"), at_place = place.has("place_m");
  if (place.has("heading_deg") && !at_place) place.wrong("heading_deg without place_m");
  if (!ahead && !at_place) return;
  if (ahead && at_place) place.wrong("both ahead_m and place_m");
  if (command.to.empty() || place.has("hurry")) {
    place.wrong(
        fmt::format("with {} there must be 'to', and no hurry: it is searched for", ahead ? "ahead_m" : "place_m"));
  }
  place.read("ahead_m", command.ahead_m, 0.0, kFarthestAhead_m);
  if (!at_place) return;
  const auto pair = place.at("place_m").list();
  if (pair.size() != 2) return place.at("place_m").expected("two numbers, x and z");
  constexpr double kEdge_m = 1000.0 * kFarthestAhead_m;
  double heading_deg = 0.0;
  place.read("heading_deg", heading_deg, -360.0, 360.0);
  command.place = {pair[0].number(-kEdge_m, kEdge_m), pair[1].number(-kEdge_m, kEdge_m), heading_deg * kRadPerDeg};
  command.heading_matters = place.has("heading_deg");
}

PlayCommand read_command(const Place& place) {
  place.only({"at_s", "to", "hurry", "impossible", "ahead_m", "place_m", "heading_deg"});
  PlayCommand command;
  place.read("at_s", command.at_s, 0.0, kLongestPlay_s);
  place.read("hurry", command.hurry, 0, graph::kMaxHurry);
  if (!place.has("to") && !place.has("impossible")) place.wrong("neither 'to' nor 'impossible'");
  command.to = read_nodes(place.at("to"));
  command.impossible = read_nodes(place.at("impossible"));
  read_end(place, command);
  return command;
}

}  // namespace

Result<PlayScript> parse_play_script(std::string_view text, const std::string& file) {
  JsonReader reader(text, file);
  const Place root = reader.root();
  root.only({"start", "duration_s", "fps", "motion", "keep_feet", "commands"});
  PlayScript script{.file = file, .start = {}, .duration_s = {}, .params = {}, .commands = {}};
  if (root.has("start")) script.start = read_node(root.at("start"));
  for (const Place& place : root.at("commands").list()) script.commands.push_back(read_command(place));
  root.read("duration_s", script.duration_s, 0.0, kLongestPlay_s);
  double fps = 60.0;
  root.read("fps", fps, 1.0, 1000.0);
  script.params.frame_time_s = 1.0 / fps;
  if (root.has("motion") && root.at("motion").word({"velocity_matched", "linear"}) == "linear")
    script.params.motion = graph::LinkMotion::linear;
  root.read("keep_feet", script.params.keep_feet);
  return reader.finish(std::move(script));
}

}  // namespace shosa::documents
