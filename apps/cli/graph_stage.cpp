#include "graph_stage.h"

#include <cmath>

#include "shosa/analysis/heading.h"
#include "shosa/io/read_text.h"

namespace shosa::cli {
namespace {

using namespace shosa::graph;
using namespace shosa::documents;

/// A place missed by more was not reached.
constexpr double kReached_m = 0.1, kReached_deg = 10.0;
/// Of a link in which neither clip has anything to play.
constexpr double kNothing_s = 0.3;

/// Links by hand may take longer than what both clips have to play: for that time a posture glides.
void warn_of_empty_links(const MotionGraph& graph, const MotionSet& set, const std::string& file,
                         std::vector<std::string>& warnings) {
  int count = 0;
  std::string first;
  for (LinkIndex l = 0; l < graph.link_count(); ++l) {
    const Link& link = graph.link(l);
    const Node &from = graph.node(link.from), &to = graph.node(link.to);
    if (from.clip == kNoClip || to.clip == kNoClip) continue;
    const int leaving = set.find(graph.clips()[static_cast<std::size_t>(from.clip)]);
    if (leaving < 0) continue;
    const double left_s = set.clips[static_cast<std::size_t>(leaving)].clip().last_time_s() - from.time_s;
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

}  // namespace

Result<void> GraphStage::go_to_place(const TimedCommand& timed, double now_s) {
  EndConditionParams params{.targets = timed.command.targets, .heading_matters = timed.heading_matters};
  params.place = timed.place.value_or(player->place());
  if (timed.ahead_m) {
    params.place.x_m += *timed.ahead_m * std::sin(params.place.heading_rad);
    params.place.z_m += *timed.ahead_m * std::cos(params.place.heading_rad);
  }
  auto found = plan_to_place(*player, file.graph, script.params.frame_time_s, params);
  if (!found) return std::unexpected(found.error());
  way_ = std::move(*found);
  wanted_ = std::move(params);
  // The frame at hand is the first of the way.
  const double frame_s = script.params.frame_time_s;
  there_s = now_s + (std::max(1.0, std::round(way_->duration_s / frame_s)) - 1.0) * frame_s;
  return way_->found ? player->follow(way_->links, way_->stride, way_->veer_rad) : Result<void>();
}

Result<void> GraphStage::tell(double now_s) {
  for (; next_ < script.commands.size() && script.commands[next_].at_s <= now_s + 1e-9; ++next_) {
    const TimedCommand& timed = script.commands[next_];
    for (const NodeIndex node : timed.impossible) {
      if (const auto done = player->declare_impossible(node); !done) return std::unexpected(done.error());
    }
    if (timed.command.targets.empty()) continue;
    way_.reset();
    on_the_way_ = false;
    if (open_s_) {
      commands.push_back({{"told_s", *open_s_}, {"at_s", now_s}, {"reached", false}, {"superseded", true}});
    }
    open_s_ = timed.at_s;
    if (timed.ahead_m || timed.place) {
      if (const auto done = go_to_place(timed, now_s); !done) return std::unexpected(done.error());
      continue;
    }
    if (const auto done = player->command(timed.command); !done) return std::unexpected(done.error());
    on_the_way_ = true;
  }
  return {};
}

nlohmann::ordered_json GraphStage::place_entry(double now_s) {
  const analysis::GroundPlace there = player->place(), &wanted = wanted_.place;
  const double told_s = open_s_.value_or(now_s);
  nlohmann::ordered_json entry = {{"told_s", told_s}, {"at_s", now_s}, {"reached", way_->found}};
  if (!way_->found) {
    warnings.push_back(fmt::format("told at {:.2f} s: no way leads to the target in time", told_s));
    return entry;
  }
  const double error_m = std::hypot(there.x_m - wanted.x_m, there.z_m - wanted.z_m);
  const double error_deg = std::abs(analysis::wrap_angle(there.heading_rad - wanted.heading_rad)) * 180.0 / M_PI;
  const bool turned = wanted_.heading_matters && error_deg > kReached_deg;
  if (error_m > kReached_m || turned) {
    entry["reached"] = false;
    warnings.push_back(fmt::format(
        "told at {:.2f} s: the target is met {:.2f} m{} from the wanted place ({:.2f}, {:.2f}); "
        "no way that was tried comes nearer",
        told_s, error_m, turned ? fmt::format(" and {:.0f} degrees", error_deg) : "", wanted.x_m, wanted.z_m));
  }
  entry["place_m"] = {there.x_m, there.z_m};
  entry["wanted_m"] = {wanted.x_m, wanted.z_m};
  entry["heading_deg"] = there.heading_rad * 180.0 / M_PI;
  entry["error_m"] = error_m;
  entry["heading_error_deg"] = error_deg;
  entry["hurry"] = way_->hurry;
  entry["stride"] = way_->stride;
  return entry;
}

void GraphStage::note(double now_s) {
  if (on_the_way_ && !player->state().commanded) {
    on_the_way_ = false;
    commands.push_back(
        {{"told_s", open_s_.value_or(now_s)}, {"at_s", now_s}, {"reached", !player->state().unreachable}});
    open_s_.reset();
  }
  if (way_ && (!way_->found || now_s >= there_s - 1e-9)) {
    commands.push_back(place_entry(now_s));
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
  const auto unfinished = [&](double told_s) {
    commands.push_back({{"told_s", told_s}, {"at_s", nullptr}, {"reached", false}, {"unfinished", true}});
  };
  if (open_s_) unfinished(*open_s_);
  for (; next_ < script.commands.size(); ++next_) {
    const TimedCommand& timed = script.commands[next_];
    warnings.push_back(fmt::format("the command at {:.2f} s comes after the end and is not told", timed.at_s));
    if (!timed.command.targets.empty()) unfinished(timed.at_s);
  }
}

Result<std::unique_ptr<GraphStage>> open_stage(const PlayFiles& files, const InputOptions& input, bool as_captured) {
  auto file = open_graph(files.graph);
  if (!file) return std::unexpected(file.error());
  const bool typed = files.commands.empty();
  const auto text = typed ? Result<std::string>(files.script) : io::read_text(files.commands);
  if (!text) return std::unexpected(text.error());
  auto script = parse_play_script(*text, typed ? "command line" : files.commands, file->graph);
  // No file is at fault where a node was typed that the graph has not got.
  if (!script) return fail(typed ? ErrorCode::not_possible : script.error().code, "{}", script.error().message);
  auto clips = open_graph_clips(file->graph, files.graph, input, as_captured);
  if (!clips) return std::unexpected(clips.error());
  auto stage = std::make_unique<GraphStage>(std::move(*file), std::move(*script), std::move(*clips));
  warn_of_empty_links(stage->file.graph, stage->clips.set, files.graph, stage->warnings);
  auto player = Player::create(stage->file.graph, stage->clips.set, stage->script.start, stage->script.params);
  if (!player) return fail(player.error().code, "{}: {}", files.graph, player.error().message);
  stage->player = std::move(*player);
  return stage;
}

}  // namespace shosa::cli
