#include "graph_play.h"

#include <numbers>

#include "shosa/documents/graph_play.h"
#include "shosa/documents/read_document.h"

namespace shosa::cli {
namespace {

struct OpenedPart {
  documents::GraphFile graph;
  documents::PlayScript script;
  documents::FilesBeside clips;
};
Result<OpenedPart> open_part(const PlayFiles& files, const InputOptions& input) {
  auto graph = documents::read_document(files.graph, documents::parse_graph);
  if (!graph) return std::unexpected(graph.error());
  auto script = files.commands.empty() ? Result<documents::PlayScript>(files.typed)
                                       : documents::read_document(files.commands, documents::parse_play_script);
  if (!script) return std::unexpected(script.error());
  return OpenedPart{std::move(*graph), std::move(*script), documents::FilesBeside(files.graph, input)};
}

nlohmann::ordered_json describe(const std::vector<documents::PlayedCommand>& commands) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const documents::PlayedCommand& command : commands) {
    nlohmann::ordered_json& entry = list.emplace_back();
    entry = {{"told_s", command.told_s}, {"at_s", nullptr}, {"reached", command.reached}};
    if (command.at_s) entry["at_s"] = *command.at_s;
    if (command.superseded) entry["superseded"] = true;
    if (!command.at_s) entry["unfinished"] = true;
    if (!command.met) continue;
    entry["place_m"] = {command.met->place.x_m, command.met->place.z_m};
    entry["wanted_m"] = {command.met->wanted.x_m, command.met->wanted.z_m};
    entry["heading_deg"] = command.met->place.heading_rad * 180.0 / std::numbers::pi;
    entry["error_m"] = command.met->error_m;
    entry["heading_error_deg"] = command.met->heading_error_deg;
    entry["hurry"] = command.met->hurry;
    entry["stride"] = command.met->stride;
  }
  return list;
}

}  // namespace

Result<Report> play_graph(const PlayFiles& files, const PlayFiles& upper_files, const std::string& out,
                          const InputOptions& input) {
  const auto opened = open_part(files, input);
  if (!opened) return std::unexpected(opened.error());
  const documents::GraphPart body{opened->graph, opened->script, opened->clips};
  std::optional<OpenedPart> opened_upper;
  std::optional<documents::GraphPart> upper;
  if (!upper_files.graph.empty()) {
    auto other = open_part(upper_files, input);
    if (!other) return std::unexpected(other.error());
    opened_upper = std::move(*other);
    upper.emplace(opened_upper->graph, opened_upper->script, opened_upper->clips);
  }
  const auto played = documents::evaluate(body, upper ? &*upper : nullptr);
  if (!played) return std::unexpected(played.error());
  if (const auto written = io::write_motion(out, played->motion); !written) return std::unexpected(written.error());

  const Clip& clip = played->motion.clips.front();
  auto path = nlohmann::ordered_json::array();
  const graph::MotionGraph& motion_graph = opened->graph.graph;
  for (const auto& turn : played->path) {
    const graph::Node& node = motion_graph.node(motion_graph.find_node(turn.to));
    path.push_back({{"at_s", turn.at_s},
                    {"to", turn.to},
                    {"name", node.name},
                    {"clip", motion_graph.clips()[node.clip]},
                    {"clip_time_s", node.time_s}});
  }
  Report report;
  report.json = {{"frames", clip.frame_count()},
                 {"fps", clip.fps()},
                 {"path", std::move(path)},
                 {"commands", describe(played->commands)}};
  if (upper) report.json["upper_commands"] = describe(played->upper_commands);
  report.notes = played->warnings;
  report.text = fmt::format("{}: {} frames, {} links played\n", out, clip.frame_count(), played->path.size());
  return report;
}

}  // namespace shosa::cli
