#include "shosa/documents/graph_play.h"

#include <algorithm>
#include <cmath>

#include "documents/graph_stage.h"
#include "shosa/graph/player.h"

namespace shosa::documents {
namespace {

/// How long playing goes on after a place is reached, where no end was told.
constexpr double kAfterPlace_s = 1.0;

/// The graph that the upper body follows, which must fit the one that leads the body.
Result<std::unique_ptr<GraphStage>> open_upper(const GraphPart& part, GraphStage& leading) {
  auto opened = GraphStage::open(part);
  if (!opened) return opened;
  const PlayScript& script = part.script;
  if (!same_skeleton(*leading.clips.set.skeleton, *(*opened)->clips.set.skeleton, 1e-3)) {
    return fail(ErrorCode::not_possible, "{}: its skeleton is not that of {}", part.graph.file,
                leading.part.graph.file);
  }
  if ((*opened)->frame_time_s() != leading.frame_time_s()) {
    return fail(ErrorCode::not_possible, "{}: other fps than {}", script.file, leading.part.script.file);
  }
  for (const PlayCommand& command : script.commands) {
    if (!command.ahead_m && !command.place) continue;
    return fail(ErrorCode::not_possible, "{}: ahead_m or place_m, but the upper body goes where the legs do",
                script.file);
  }
  if (script.duration_s && *script.duration_s != leading.duration_s())
    leading.warnings.push_back(fmt::format("{}: duration_s is not used; that of the other commands is", script.file));
  return opened;
}

}  // namespace

Result<PlayedGraph> evaluate(const GraphPart& body, const GraphPart* upper_part) {
  auto opened = GraphStage::open(body);
  if (!opened) return std::unexpected(opened.error());
  GraphStage& stage = **opened;
  const graph::MotionSet& set = stage.clips.set;

  std::unique_ptr<GraphStage> upper;
  std::vector<bool> is_upper;
  if (upper_part != nullptr) {
    auto other = open_upper(*upper_part, stage);
    if (!other) return std::unexpected(other.error());
    upper = std::move(*other);
    is_upper = lower_body(*set.skeleton, set.body_map);
    is_upper.flip();
  }

  PlayedGraph played;
  const double frame_time_s = stage.frame_time_s();
  const auto frames_of = [&](double time_s) {
    return std::max(1, static_cast<int>(std::lround(time_s / frame_time_s)) + 1);
  };
  int frames = frames_of(stage.duration_s());
  std::vector<Pose> poses;
  Pose pose, other;
  graph::LinkIndex link = graph::kNoLink;
  for (int f = 0; f < frames; ++f) {
    const double now_s = f * frame_time_s;
    if (const auto told = stage.tell(now_s); !told) return std::unexpected(told.error());
    stage.player->step(pose);
    if (upper) {
      if (const auto told = upper->tell(now_s); !told) return std::unexpected(told.error());
      upper->player->step(other);
      graph::take_part(other, is_upper, pose);
      upper->note(now_s);
    }
    poses.push_back(pose);
    if (!body.script.duration_s && stage.last_way())
      frames = std::max(frames, frames_of(stage.there_s + kAfterPlace_s));
    if (stage.player->state().link != link) {
      link = stage.player->state().link;
      played.path.push_back({now_s, body.graph.graph.node(stage.player->next_node()).id});
    }
    stage.note(now_s);
  }
  stage.close();
  played.commands = std::move(stage.commands);
  played.warnings = std::move(stage.warnings);
  if (upper) {
    upper->close();
    played.upper_commands = std::move(upper->commands);
    for (const Note& warning : upper->warnings) played.warnings.push_back(warning.of("upper body"));
  }
  Clip clip(set.skeleton, frames, frame_time_s, set.clips.front().clip().translated());
  clip.set_name("graph");
  for (int f = 0; f < frames; ++f) clip.set_frame(f, poses[f]);
  played.motion = std::move(stage.clips.first);
  played.motion.clips = {std::move(clip)};
  return played;
}

Result<PlayedWay> play_way(const graph::MotionGraph& graph, const graph::MotionSet& set, graph::NodeIndex from,
                           const graph::Command& command, double duration_s) {
  constexpr double kFrame_s = 1.0 / 60.0;
  auto player = graph::Player::create(graph, set, from, {.frame_time_s = kFrame_s});
  if (!player) return std::unexpected(player.error());
  if (const auto told = player->command(command); !told) return std::unexpected(told.error());
  const int frames = std::max(2, static_cast<int>(std::lround(duration_s / kFrame_s)) + 1);
  PlayedWay way{Clip(set.skeleton, frames, kFrame_s, set.clips.front().clip().translated()),
                {.places = {}, .frame_time_s = kFrame_s}};
  Pose pose;
  for (int f = 0; f < frames; ++f) {
    player->step(pose);
    way.clip.set_frame(f, pose);
    way.path.places.push_back(player->place());
  }
  return way;
}

}  // namespace shosa::documents
