#include "graph_play.h"

#include <cmath>
#include <memory>

#include "graph_stage.h"

namespace shosa::cli {
namespace {

using namespace shosa::graph;
using namespace shosa::documents;

constexpr double kAfterwards_s = 1.0;  ///< How long playing goes on after a place is reached, where no end was told.

/// The graph that the upper body follows, which must fit the one that leads the body.
Result<std::unique_ptr<GraphStage>> open_upper(const PlayFiles& files, const PlayFiles& leading_files,
                                               GraphStage& leading, const InputOptions& input, bool as_captured) {
  auto opened = open_stage(files, input, as_captured);
  if (!opened) return opened;
  const PlayScript& script = (*opened)->script;
  if (!same_skeleton(*leading.clips.set.skeleton, *(*opened)->clips.set.skeleton, 1e-3)) {
    return fail(ErrorCode::not_possible, "{}: its skeleton is not that of {}", files.graph, leading_files.graph);
  }
  if (script.params.frame_time_s != leading.script.params.frame_time_s) {
    return fail(ErrorCode::not_possible, "{}: other fps than {}", files.commands, leading_files.commands);
  }
  for (const TimedCommand& command : script.commands) {
    if (!command.ahead_m && !command.place) continue;
    return fail(ErrorCode::not_possible, "{}: ahead_m or place_m, but the upper body goes where the legs do",
                files.commands);
  }
  if (!script.open_end && script.duration_s != leading.script.duration_s) {
    leading.warnings.push_back(
        fmt::format("{}: duration_s is not used; that of the other commands is", files.commands));
  }
  return opened;
}

}  // namespace

std::string script_of(const PlayOrder& order) {
  nlohmann::json command = {{"at_s", order.at_s}};
  if (!order.to.empty()) command["to"] = order.to;
  if (!order.impossible.empty()) command["impossible"] = order.impossible;
  if (order.hurry >= 0) command["hurry"] = order.hurry;
  if (order.ahead_m >= 0.0) command["ahead_m"] = order.ahead_m;
  if (order.reach.size() >= 2) command["place_m"] = {order.reach[0], order.reach[1]};
  if (order.reach.size() == 3) command["heading_deg"] = order.reach[2];
  nlohmann::json script = {{"commands", {command}}};
  if (!order.start.empty()) script["start"] = order.start;
  if (order.duration_s >= 0.0) script["duration_s"] = order.duration_s;
  return script.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<Report> play_graph(const PlayFiles& files, const PlayFiles& upper_files, const std::string& out,
                          const InputOptions& input, bool as_captured) {
  auto opened = open_stage(files, input, as_captured);
  if (!opened) return std::unexpected(opened.error());
  GraphStage& stage = **opened;
  const MotionSet& set = stage.clips.set;
  const PlayScript& script = stage.script;

  std::unique_ptr<GraphStage> upper;
  std::vector<bool> is_upper;
  if (!upper_files.graph.empty()) {
    auto other = open_upper(upper_files, files, stage, input, as_captured);
    if (!other) return std::unexpected(other.error());
    upper = std::move(*other);
    is_upper = lower_body(*set.skeleton, set.body_map);
    is_upper.flip();
  }

  const auto frames_of = [&](double time_s) {
    return std::max(1, static_cast<int>(std::lround(time_s / script.params.frame_time_s)) + 1);
  };
  int frames = frames_of(script.duration_s);
  std::vector<Pose> poses;
  auto path = nlohmann::ordered_json::array();
  Pose pose, other;
  LinkIndex link = kNoLink;
  for (int f = 0; f < frames; ++f) {
    const double now_s = f * script.params.frame_time_s;
    if (const auto told = stage.tell(now_s); !told) return std::unexpected(told.error());
    stage.player->step(pose);
    if (upper) {
      if (const auto told = upper->tell(now_s); !told) return std::unexpected(told.error());
      upper->player->step(other);
      take_part(other, is_upper, pose);
      upper->note(now_s);
    }
    poses.push_back(pose);
    if (script.open_end && stage.last_way()) frames = std::max(frames, frames_of(stage.there_s + kAfterwards_s));
    if (stage.player->state().link != link) {
      link = stage.player->state().link;
      path.push_back({{"at_s", now_s}, {"to", stage.file.graph.node(stage.player->next_node()).id}});
    }
    stage.note(now_s);
  }
  stage.close();
  std::vector<std::string> warnings = stage.warnings;
  if (upper) {
    upper->close();
    for (const std::string& warning : upper->warnings) warnings.push_back("upper body: " + warning);
  }
  Clip clip(set.skeleton, frames, script.params.frame_time_s, set.clips.front().clip().translated());
  clip.set_name("graph");
  for (int f = 0; f < frames; ++f) clip.set_frame(f, poses[static_cast<std::size_t>(f)]);
  stage.clips.first.clips = {std::move(clip)};
  if (const auto written = io::write_motion(out, stage.clips.first); !written) return std::unexpected(written.error());
  Report report;
  report.json = {{"frames", frames},
                 {"fps", 1.0 / script.params.frame_time_s},
                 {"path", std::move(path)},
                 {"commands", std::move(stage.commands)}};
  if (upper) report.json["upper_commands"] = std::move(upper->commands);
  report.json["warnings"] = warnings;
  report.text = fmt::format("{}: {} frames, {} links played\n", out, frames, report.json["path"].size());
  for (const std::string& warning : warnings) report.text += fmt::format("warning: {}\n", warning);
  return report;
}

}  // namespace shosa::cli
