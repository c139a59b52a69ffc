#include "graph_play.h"

#include <filesystem>
#include <memory>
#include <optional>

#include "graph_files.h"
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
  std::size_t next = 0;  ///< Command.

  /// Commands whose time has come. True where one has a target.
  Result<bool> tell(double now_s) {
    bool told = false;
    for (; next < script.commands.size() && script.commands[next].at_s <= now_s + 1e-9; ++next) {
      const TimedCommand& timed = script.commands[next];
      for (const NodeIndex node : timed.impossible) {
        if (const auto done = player->declare_impossible(node); !done) return std::unexpected(done.error());
      }
      if (timed.command.targets.empty()) continue;
      if (const auto done = player->command(timed.command); !done) return std::unexpected(done.error());
      told = true;
    }
    return told;
  }
};
Result<std::unique_ptr<Stage>> open_stage(const PlayFiles& files, const InputOptions& input, bool as_captured) {
  auto file = open_graph(files.graph);
  if (!file) return std::unexpected(file.error());
  const auto text = text_of(files.commands);
  if (!text) return std::unexpected(text.error());
  auto script = parse_play_script(*text, files.commands, file->graph);
  if (!script) return std::unexpected(script.error());
  auto clips =
      open_graph_clips(file->graph.clips(), std::filesystem::absolute(files.graph).parent_path(), input, as_captured);
  if (!clips) return std::unexpected(clips.error());
  auto stage = std::make_unique<Stage>(Stage{std::move(*file), std::move(*script), std::move(*clips), {}});
  auto player = Player::create(stage->file.graph, stage->clips.set, stage->script.start, stage->script.params);
  if (!player) return fail(player.error().code, "{}: {}", files.graph, player.error().message);
  stage->player = std::move(*player);
  return stage;
}

}  // namespace

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

  const int frames = std::max(1, static_cast<int>(std::lround(script.duration_s / script.params.frame_time_s)) + 1);
  Clip clip(set.skeleton, frames, script.params.frame_time_s, set.clips.front().clip.translated());
  clip.set_name("graph");
  auto path = nlohmann::ordered_json::array(), reached = path;
  Pose pose, other;
  LinkIndex link = kNoLink;
  bool on_the_way = false;
  for (int f = 0; f < frames; ++f) {
    const double now_s = f * script.params.frame_time_s;
    const auto told = stage.tell(now_s);
    if (!told) return std::unexpected(told.error());
    on_the_way = on_the_way || *told;
    stage.player->step(pose);
    if (upper) {
      if (const auto done = upper->tell(now_s); !done) return std::unexpected(done.error());
      upper->player->step(other);
      take_part(other, is_upper, pose);
    }
    clip.set_frame(f, pose);
    if (stage.player->state().link != link) {
      link = stage.player->state().link;
      path.push_back({{"at_s", now_s}, {"to", stage.file.graph.node(stage.player->next_node()).id}});
    }
    if (on_the_way && !stage.player->state().commanded) {
      on_the_way = false;
      reached.push_back({{"at_s", now_s}, {"reached", !stage.player->state().unreachable}});
    }
  }
  stage.clips.first.clips = {std::move(clip)};
  if (const auto written = io::write_motion(out, stage.clips.first); !written) return std::unexpected(written.error());
  Report report;
  report.json = {{"frames", frames},
                 {"fps", 1.0 / script.params.frame_time_s},
                 {"path", std::move(path)},
                 {"commands", std::move(reached)},
                 {"warnings", set.warnings}};
  report.text = fmt::format("{}: {} frames, {} links played\n", out, frames, report.json["path"].size());
  return report;
}

}  // namespace shosa::cli
