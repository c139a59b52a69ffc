#include "documents/graph_stage.h"

#include <algorithm>
#include <cmath>

#include "shosa/analysis/heading.h"
#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"

namespace shosa::documents {
namespace {

/// A place missed by more was not reached.
constexpr double kReached_m = 0.1, kReached_deg = 10.0;
/// How long is played after the last command, where no end was told.
constexpr double kAfterLast_s = 2.0;
/// Of a link in which neither clip has anything to play.
constexpr double kNothing_s = 0.3;

/// Links by hand may take longer than what both clips have to play: for that time a posture glides.
void warn_of_empty_links(const graph::MotionGraph& motion_graph, const graph::MotionSet& set, const std::string& file,
                         Notes& warnings) {
  int count = 0;
  std::string first;
  for (graph::LinkIndex l = 0; l < motion_graph.link_count(); ++l) {
    const graph::Link& link = motion_graph.link(l);
    const graph::Node &from = motion_graph.node(link.from), &to = motion_graph.node(link.to);
    if (from.clip == graph::kNoClip || to.clip == graph::kNoClip) continue;
    const int leaving = set.find(motion_graph.clips()[from.clip]);
    if (leaving < 0) continue;
    const double left_s = set.clips[leaving].clip().last_time_s() - from.time_s;
    const double empty_s = link.time_s - left_s - to.time_s;
    if (empty_s <= kNothing_s) continue;
    if (++count == 1) {
      first = fmt::format(
          "{}: link {} takes {} s, but the clip it leaves plays {:.3g} s more and the one it leads to {:.3g} s before "
          "node {}: in between a posture glides",
          file, link.id, link.time_s, left_s, to.time_s, to.id);
    }
  }
  if (count > 1) first += fmt::format("; so do {} more links", count - 1);
  if (count > 0) warnings.push_back(std::move(first));
}

/// Nodes that a script names. Without a file nobody wrote them down wrongly: the graph has not got them.
Result<std::vector<graph::NodeIndex>> nodes_of(const GraphPart& part, const std::vector<std::string>& names,
                                               const std::string& place) {
  std::vector<graph::NodeIndex> all;
  for (const std::string& name : names) {
    const auto nodes = graph::find_nodes(part.graph.graph, name);
    if (!nodes && part.script.file.empty())
      return fail(nodes.error().code, "{}: {}", part.graph.file, nodes.error().message);
    if (!nodes) return fail(ErrorCode::bad_file, "{}: {}: {}", part.script.file, place, nodes.error().message);
    all.insert(all.end(), nodes->begin(), nodes->end());
  }
  return all;
}

Result<StagedScript> staged(const GraphPart& part) {
  StagedScript staged;
  if (!part.script.start.empty()) {
    const auto start = nodes_of(part, {part.script.start}, "/start");
    if (!start) return std::unexpected(start.error());
    staged.start = start->front();
  }
  for (std::size_t i = 0; i < part.script.commands.size(); ++i) {
    const PlayCommand& told = part.script.commands[i];
    auto targets = nodes_of(part, told.to, fmt::format("/commands/{}/to", i));
    if (!targets) return std::unexpected(targets.error());
    auto impossible = nodes_of(part, told.impossible, fmt::format("/commands/{}/impossible", i));
    if (!impossible) return std::unexpected(impossible.error());
    staged.commands.push_back({told, std::move(*targets), std::move(*impossible)});
  }
  std::ranges::stable_sort(staged.commands, {}, [](const auto& command) { return command.told.at_s; });
  const double last_s = staged.commands.empty() ? 0.0 : staged.commands.back().told.at_s;
  staged.duration_s = part.script.duration_s.value_or(last_s + kAfterLast_s);
  return staged;
}

}  // namespace

GraphStage::GraphStage(const GraphPart& of, StagedScript script, GraphClips with)
    : part(of), clips(std::move(with)), warnings(part.graph.warnings), script_(std::move(script)) {
  warnings.insert(warnings.end(), clips.set.warnings.begin(), clips.set.warnings.end());
}

Result<std::unique_ptr<GraphStage>> GraphStage::open(const GraphPart& part) {
  auto script = staged(part);
  if (!script) return std::unexpected(script.error());
  auto clips = open_graph_clips(part.graph, part.clips);
  if (!clips) return std::unexpected(clips.error());
  std::unique_ptr<GraphStage> stage(new GraphStage(part, std::move(*script), std::move(*clips)));
  warn_of_empty_links(part.graph.graph, stage->clips.set, part.graph.file, stage->warnings);
  auto player = graph::Player::create(part.graph.graph, stage->clips.set, stage->script_.start, part.script.params);
  if (!player) return fail(player.error().code, "{}: {}", part.graph.file, player.error().message);
  stage->player = std::move(*player);
  return stage;
}

Result<void> GraphStage::go_to_place(const StagedScript::StagedCommand& command, double now_s) {
  graph::EndConditionParams params{.targets = command.targets, .heading_matters = command.told.heading_matters};
  params.place = command.told.place.value_or(player->place());
  if (const auto ahead_m = command.told.ahead_m) {
    params.place.x_m += *ahead_m * std::sin(params.place.heading_rad);
    params.place.z_m += *ahead_m * std::cos(params.place.heading_rad);
  }
  const double frame_s = frame_time_s();
  auto found = plan_to_place(*player, part.graph.graph, frame_s, params);
  if (!found) return std::unexpected(found.error());
  way_ = std::move(*found);
  wanted_ = std::move(params);
  // The frame at hand is the first of the way.
  there_s = now_s + (std::max(1.0, std::round(way_->duration_s / frame_s)) - 1.0) * frame_s;
  if (!way_->found) return {};
  player->hold(command.targets);
  return player->follow(way_->links, way_->stride, way_->veer_rad);
}

Result<void> GraphStage::tell(double now_s) {
  for (; next_ < script_.commands.size() && script_.commands[next_].told.at_s <= now_s + 1e-9; ++next_) {
    const StagedScript::StagedCommand& command = script_.commands[next_];
    for (const graph::NodeIndex node : command.impossible) {
      if (const auto done = player->declare_impossible(node); !done) return done;
    }
    if (command.targets.empty()) continue;
    way_.reset();
    on_the_way_ = false;
    if (open_s_) commands.push_back({.told_s = *open_s_, .at_s = now_s, .superseded = true, .met = {}});
    open_s_ = command.told.at_s;
    if (command.told.ahead_m || command.told.place) {
      if (const auto done = go_to_place(command, now_s); !done) return done;
      continue;
    }
    if (const auto done = player->command({.targets = command.targets, .hurry = command.told.hurry}); !done)
      return done;
    on_the_way_ = true;
    to_state_ = command.targets.size() > 1;
  }
  return {};
}

PlayedCommand GraphStage::met_place(double now_s) {
  PlayedCommand entry{.told_s = open_s_.value_or(now_s), .at_s = now_s, .reached = way_->found, .met = {}};
  if (!way_->found) {
    warnings.push_back(fmt::format("told at {:.2f} s: no way leads to the target in time", entry.told_s));
    return entry;
  }
  MetPlace met{.place = player->place(), .wanted = wanted_.place, .hurry = way_->hurry, .stride = way_->stride};
  met.error_m = std::hypot(met.place.x_m - met.wanted.x_m, met.place.z_m - met.wanted.z_m);
  met.heading_error_deg = std::abs(wrap_angle(met.place.heading_rad - met.wanted.heading_rad)) * kDegPerRad;
  const bool turned = wanted_.heading_matters && met.heading_error_deg > kReached_deg;
  if (met.error_m > kReached_m || turned) {
    entry.reached = false;
    warnings.push_back(
        fmt::format("told at {:.2f} s: the target is met {:.2f} m{} from the wanted place ({:.2f}, {:.2f}); "
                    "no way that was tried comes nearer",
                    entry.told_s, met.error_m, turned ? fmt::format(" and {:.0f} degrees", met.heading_error_deg) : "",
                    met.wanted.x_m, met.wanted.z_m));
  }
  entry.met = met;
  return entry;
}

void GraphStage::note(double now_s) {
  if (on_the_way_ && !player->state().commanded) {
    on_the_way_ = false;
    commands.push_back(
        {.told_s = open_s_.value_or(now_s), .at_s = now_s, .reached = !player->state().unreachable, .met = {}});
    if (to_state_ && !player->state().unreachable && !player->state().held) {
      warnings.push_back(
          fmt::format("told at {:.2f} s: the state is reached at {:.2f} s but not held: no way that leads there goes "
                      "round in it, so it is left by default links",
                      open_s_.value_or(now_s), now_s));
    }
    open_s_.reset();
  }
  if (way_ && (!way_->found || now_s >= there_s - 1e-9)) {
    commands.push_back(met_place(now_s));
    way_.reset();
    open_s_.reset();
  }
  if (player->state().stranded && !stranded_) {
    stranded_ = true;
    warnings.push_back(
        fmt::format("from {:.2f} s: no possible way goes on for ever; what is left is played again and again", now_s));
  }
}

void GraphStage::close() {
  if (open_s_) commands.push_back({.told_s = *open_s_, .at_s = {}, .met = {}});
  for (; next_ < script_.commands.size(); ++next_) {
    const StagedScript::StagedCommand& command = script_.commands[next_];
    warnings.push_back(fmt::format("the command at {:.2f} s comes after the end and is not told", command.told.at_s));
    if (!command.targets.empty()) commands.push_back({.told_s = command.told.at_s, .at_s = {}, .met = {}});
  }
}

}  // namespace shosa::documents
