#include <cmath>

#include "shosa/documents/read_document.h"
#include "shosa/shosa.h"

namespace shosa {

namespace {

constexpr double kLongestRecord_s = 3600.0;

Result<std::vector<graph::NodeIndex>> nodes_of(const LinkedClips& linked, const std::string& ids_or_names) {
  auto nodes = graph::find_nodes(linked.file.graph, ids_or_names);
  if (!nodes) return fail(nodes.error().code, "{}: {}", linked.file.file, nodes.error().message);
  return nodes;
}

}  // namespace

Result<std::shared_ptr<const LinkedClips>> build_graph(const std::vector<std::string>& files,
                                                       const graph::BuildParams& params, const ClipOptions& options) {
  std::vector<documents::ClipReference> references;
  for (const std::string& file : files) references.push_back({options, file});
  auto clips = documents::open_graph_clips(references, documents::FilesBeside(""));
  if (!clips) return std::unexpected(clips.error());
  auto built = graph::build_graph(clips->set, params);
  if (!built) return std::unexpected(built.error());
  documents::GraphFile file{.file = "graph", .graph = std::move(built->graph), .kept = {}, .warnings = {}};
  return std::make_shared<const LinkedClips>(std::move(file), std::move(*clips));
}

Result<std::shared_ptr<const LinkedClips>> read_graph(const std::string& path, const ClipOptions& options) {
  auto file = documents::read_document(path, documents::parse_graph);
  if (!file) return std::unexpected(file.error());
  auto clips = documents::open_graph_clips(*file, documents::FilesBeside(path, options));
  if (!clips) return std::unexpected(clips.error());
  return std::make_shared<const LinkedClips>(std::move(*file), std::move(*clips));
}

Result<GraphPlayer> play_graph(std::shared_ptr<const LinkedClips> linked, const std::string& start,
                               const graph::PlayerParams& params) {
  graph::NodeIndex node = 0;
  if (!start.empty()) {
    const auto nodes = nodes_of(*linked, start);
    if (!nodes) return std::unexpected(nodes.error());
    node = nodes->front();
  }
  auto player = graph::Player::create(linked->file.graph, linked->clips.set, node, params);
  if (!player) return fail(player.error().code, "{}: {}", linked->file.file, player.error().message);
  return GraphPlayer(std::move(linked), std::move(*player), params.frame_time_s);
}

Result<void> GraphPlayer::go_to(const std::string& target, int hurry) {
  auto nodes = nodes_of(*linked_, target);
  if (!nodes) return std::unexpected(nodes.error());
  return player_.command({.targets = std::move(*nodes), .hurry = hurry});
}

Result<MotionClip> GraphPlayer::record(double duration_s) {
  if (!(duration_s >= 0.0 && duration_s <= kLongestRecord_s)) {
    return fail(ErrorCode::invalid_argument, "a record of {} s, expected 0 s to {} s", duration_s, kLongestRecord_s);
  }
  const graph::MotionSet& set = linked_->clips.set;
  Clip clip(set.skeleton, static_cast<int>(std::lround(duration_s / frame_time_s_)), frame_time_s_,
            set.clips.front().clip().translated());
  clip.set_name("graph");
  Pose pose;
  for (int f = 0; f < clip.frame_count(); ++f) {
    player_.step(pose);
    clip.set_frame(f, pose);
  }
  MotionClip recorded{linked_->clips.first};
  recorded.motion.clips = {std::move(clip)};
  recorded.motion.warnings = set.warnings;
  return recorded;
}

}  // namespace shosa
