#include "graph_play.h"

#include <cmath>
#include <memory>
#include <optional>
#include <sstream>

#include "graph_files.h"
#include "read_text.h"
#include "shosa/analysis/heading.h"
#include "shosa/graph/commands_json.h"
#include "shosa/graph/end_condition.h"

namespace shosa::cli {
namespace {

using namespace shosa::graph;

/// A graph, its clips, and who plays it.
struct Stage {
  GraphFile file;
  PlayScript script;
  GraphClips clips;
  std::optional<Player> player;
  std::size_t next = 0;              ///< Command.
  std::optional<double> open_s;      ///< When the command was told that is being carried out.
  std::vector<double> superseded_s;  ///< When commands were told that another one overtook.
  std::optional<EndCondition> way;   ///< To a place.
  EndConditionParams wanted;         ///< What it was searched for.
  double told_s = 0.0;               ///< When that was, …
  double there_s = 0.0;              ///< … and which frame reaches it.

  /// Searches the way to where a command's target shall be met, and takes it.
  Result<void> go_to_place(const TimedCommand& timed, double now_s) {
    EndConditionParams params{.targets = timed.command.targets, .heading_matters = timed.heading_matters};
    params.place = timed.place.value_or(player->place());
    if (timed.ahead_m) {
      params.place.x_m += *timed.ahead_m * std::sin(params.place.heading_rad);
      params.place.z_m += *timed.ahead_m * std::cos(params.place.heading_rad);
    }
    auto found = plan_to_place(*player, file.graph, script.params.frame_time_s, params);
    if (!found) return std::unexpected(found.error());
    way = std::move(*found);
    wanted = std::move(params);
    // The frame at hand is the first of the way.
    told_s = now_s;
    const double frame_s = script.params.frame_time_s;
    there_s = now_s + (std::max(1.0, std::round(way->duration_s / frame_s)) - 1.0) * frame_s;
    return way->found ? player->follow(way->links, way->stride, way->veer_rad) : Result<void>();
  }

  /// Commands whose time has come. True where one has a target.
  Result<bool> tell(double now_s) {
    bool told = false;
    for (; next < script.commands.size() && script.commands[next].at_s <= now_s + 1e-9; ++next) {
      const TimedCommand& timed = script.commands[next];
      for (const NodeIndex node : timed.impossible) {
        if (const auto done = player->declare_impossible(node); !done) return std::unexpected(done.error());
      }
      if (timed.command.targets.empty()) continue;
      way.reset();
      if (open_s) superseded_s.push_back(*open_s);
      open_s = timed.at_s;
      if (timed.ahead_m || timed.place) {
        if (const auto done = go_to_place(timed, now_s); !done) return std::unexpected(done.error());
        continue;
      }
      if (const auto done = player->command(timed.command); !done) return std::unexpected(done.error());
      told = true;
    }
    return told;
  }
};
Result<std::unique_ptr<Stage>> open_stage(const PlayFiles& files, const InputOptions& input, bool as_captured) {
  auto file = open_graph(files.graph);
  if (!file) return std::unexpected(file.error());
  const auto text = files.commands.empty() ? Result<std::string>(files.script) : read_text(files.commands);
  if (!text) return std::unexpected(text.error());
  auto script = parse_play_script(*text, files.commands.empty() ? "command line" : files.commands, file->graph);
  if (!script) return std::unexpected(script.error());
  auto clips = open_graph_clips(file->graph, files.graph, input, as_captured);
  if (!clips) return std::unexpected(clips.error());
  auto stage = std::make_unique<Stage>(Stage{std::move(*file), std::move(*script), std::move(*clips), {}});
  auto player = Player::create(stage->file.graph, stage->clips.set, stage->script.start, stage->script.params);
  if (!player) return fail(player.error().code, "{}: {}", files.graph, player.error().message);
  stage->player = std::move(*player);
  return stage;
}

constexpr double kAfterwards_s = 1.0;  ///< How long playing goes on after a place is reached, where no end was told.

/// A place missed by more was not reached.
constexpr double kReached_m = 0.1, kReached_deg = 10.0;

nlohmann::ordered_json report_of(const Stage& stage, double now_s, std::vector<std::string>& warnings) {
  const EndCondition& way = *stage.way;
  const analysis::GroundPlace there = stage.player->place(), &wanted = stage.wanted.place;
  nlohmann::ordered_json entry = {{"told_s", stage.told_s}, {"at_s", now_s}, {"reached", way.found}};
  if (!way.found) {
    warnings.push_back(fmt::format("told at {:.2f} s: no way leads to the target in time", stage.told_s));
    return entry;
  }
  const double error_m = std::hypot(there.x_m - wanted.x_m, there.z_m - wanted.z_m);
  const double error_deg = std::abs(analysis::wrap_angle(there.heading_rad - wanted.heading_rad)) * 180.0 / M_PI;
  const bool turned = stage.wanted.heading_matters && error_deg > kReached_deg;
  if (error_m > kReached_m || turned) {
    entry["reached"] = false;
    warnings.push_back(fmt::format(
        "told at {:.2f} s: the target is met {:.2f} m{} from the wanted place ({:.2f}, {:.2f}); "
        "no way that was tried comes nearer",
        stage.told_s, error_m, turned ? fmt::format(" and {:.0f} degrees", error_deg) : "", wanted.x_m, wanted.z_m));
  }
  entry["place_m"] = {there.x_m, there.z_m};
  entry["wanted_m"] = {wanted.x_m, wanted.z_m};
  entry["heading_deg"] = there.heading_rad * 180.0 / M_PI;
  entry["error_m"] = error_m;
  entry["heading_error_deg"] = error_deg;
  entry["hurry"] = way.hurry;
  entry["stride"] = way.stride;
  return entry;
}

nlohmann::json list_of(const std::string& names) {
  auto list = nlohmann::json::array();
  std::istringstream parts(names);
  for (std::string part; std::getline(parts, part, ',');) list.push_back(part);
  return list;
}

}  // namespace

std::string script_of(const PlayOrder& order) {
  nlohmann::json command = {{"at_s", order.at_s}};
  if (!order.to.empty()) command["to"] = list_of(order.to);
  if (!order.impossible.empty()) command["impossible"] = list_of(order.impossible);
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
  Stage& stage = **opened;
  const MotionSet& set = stage.clips.set;
  const PlayScript& script = stage.script;

  // The upper body may follow a graph of its own.
  std::unique_ptr<Stage> upper;
  std::vector<bool> is_upper;
  if (!upper_files.graph.empty()) {
    auto other = open_stage(upper_files, input, as_captured);
    if (!other) return std::unexpected(other.error());
    upper = std::move(*other);
    const Skeleton &ours = *set.skeleton, &theirs = *upper->clips.set.skeleton;
    if (!same_skeleton(ours, theirs, 1e-3)) {
      return fail(ErrorCode::not_possible, "{}: its skeleton is not that of {}", upper_files.graph, files.graph);
    }
    if (upper->script.params.frame_time_s != script.params.frame_time_s) {
      return fail(ErrorCode::not_possible, "{}: other fps than {}", upper_files.commands, files.commands);
    }
    is_upper = lower_body(ours, set.body_map);
    is_upper.flip();
  }

  const auto frames_of = [&](double time_s) {
    return std::max(1, static_cast<int>(std::lround(time_s / script.params.frame_time_s)) + 1);
  };
  int frames = frames_of(script.duration_s);
  std::vector<Pose> poses;
  auto path = nlohmann::ordered_json::array(), reached = path;
  Pose pose, other;
  LinkIndex link = kNoLink;
  bool on_the_way = false, stranded = false;
  std::vector<std::string> warnings = set.warnings;
  for (int f = 0; f < frames; ++f) {
    const double now_s = f * script.params.frame_time_s;
    const auto told = stage.tell(now_s);
    if (!told) return std::unexpected(told.error());
    on_the_way = on_the_way || *told;
    for (const double told_s : stage.superseded_s) {
      reached.push_back({{"told_s", told_s}, {"at_s", now_s}, {"reached", false}, {"superseded", true}});
    }
    stage.superseded_s.clear();
    stage.player->step(pose);
    if (upper) {
      if (const auto done = upper->tell(now_s); !done) return std::unexpected(done.error());
      upper->player->step(other);
      take_part(other, is_upper, pose);
    }
    poses.push_back(pose);
    if (stage.way && script.open_end && stage.next == script.commands.size()) {
      frames = std::max(frames, frames_of(stage.there_s + kAfterwards_s));
    }
    if (stage.player->state().link != link) {
      link = stage.player->state().link;
      path.push_back({{"at_s", now_s}, {"to", stage.file.graph.node(stage.player->next_node()).id}});
    }
    if (on_the_way && !stage.player->state().commanded) {
      on_the_way = false;
      reached.push_back(
          {{"told_s", stage.open_s.value_or(now_s)}, {"at_s", now_s}, {"reached", !stage.player->state().unreachable}});
      stage.open_s.reset();
    }
    if (stage.way && (!stage.way->found || now_s >= stage.there_s - 1e-9)) {
      reached.push_back(report_of(stage, now_s, warnings));
      stage.way.reset();
      stage.open_s.reset();
    }
    if (stage.player->state().stranded && !stranded) {
      stranded = true;
      warnings.push_back(fmt::format(
          "from {:.2f} s: no possible way goes on for ever; what is left is played again and again", now_s));
    }
  }
  if (stage.open_s) {
    reached.push_back({{"told_s", *stage.open_s}, {"at_s", nullptr}, {"reached", false}, {"unfinished", true}});
  }
  Clip clip(set.skeleton, frames, script.params.frame_time_s, set.clips.front().clip.translated());
  clip.set_name("graph");
  for (int f = 0; f < frames; ++f) clip.set_frame(f, poses[static_cast<std::size_t>(f)]);
  stage.clips.first.clips = {std::move(clip)};
  if (const auto written = io::write_motion(out, stage.clips.first); !written) return std::unexpected(written.error());
  Report report;
  report.json = {{"frames", frames},
                 {"fps", 1.0 / script.params.frame_time_s},
                 {"path", std::move(path)},
                 {"commands", std::move(reached)},
                 {"warnings", warnings}};
  report.text = fmt::format("{}: {} frames, {} links played\n", out, frames, report.json["path"].size());
  for (const std::string& warning : warnings) report.text += fmt::format("warning: {}\n", warning);
  return report;
}

}  // namespace shosa::cli
