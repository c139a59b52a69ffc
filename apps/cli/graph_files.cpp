#include "graph_files.h"

#include <optional>

#include "read_text.h"
#include "shosa/graph/clean_captured.h"

namespace shosa::cli {
namespace {

Result<graph::MotionSet> cleaned(graph::MotionSet set) {
  std::vector<graph::NamedClip> clips;
  std::vector<std::string> warnings = std::move(set.warnings);
  for (graph::SetClip& clip : set.clips) {
    const graph::CleanedCapture done = graph::clean_captured(clip.clip, set.body_map);
    if (done.repaired > 0) {
      warnings.push_back(
          fmt::format("{}: {} joint rotations were captured wrongly and are interpolated", clip.name, done.repaired));
    }
    if (done.not_kept) warnings.push_back(fmt::format("{}: feet are not kept: {}", clip.name, done.not_kept->message));
    if (done.kept) {
      warnings.push_back(fmt::format("{}: feet slide by {:.3f} m/s and are kept", clip.name, done.slide_before_mps));
    }
    clips.push_back({clip.name, std::move(clip.clip)});
  }
  auto again = graph::make_motion_set(std::move(clips), set.body_map);
  if (!again) return again;
  warnings.insert(warnings.end(), again->warnings.begin(), again->warnings.end());
  again->warnings = std::move(warnings);
  return again;
}

}  // namespace

Result<graph::GraphFile> open_graph(const std::string& path) {
  const auto text = read_text(path);
  if (!text) return std::unexpected(text.error());
  return graph::parse_graph(*text, path);
}

Result<GraphClips> open_graph_clips(const std::vector<std::string>& names, const std::filesystem::path& folder,
                                    const InputOptions& input, bool as_captured) {
  std::vector<graph::NamedClip> clips;
  std::vector<std::string> warnings;
  std::optional<io::MotionFile> first;
  for (const std::string& name : names) {
    const std::filesystem::path path =
        std::filesystem::path(name).is_absolute() ? std::filesystem::path(name) : folder / name;
    auto opened = open_clip(path.string(), input);
    if (!opened) return std::unexpected(opened.error());
    for (const std::string& warning : opened->motion.warnings) warnings.push_back(fmt::format("{}: {}", name, warning));
    clips.push_back({name, opened->clip()});
    if (!first) first = std::move(opened->motion);
  }
  if (!first) return fail(ErrorCode::not_possible, "the graph has no clips: it can be planned, not played");
  auto set = graph::make_motion_set(std::move(clips), first->body_map);
  if (set && !as_captured) set = cleaned(std::move(*set));
  if (!set) return std::unexpected(set.error());
  set->warnings.insert(set->warnings.begin(), warnings.begin(), warnings.end());
  return GraphClips{std::move(*set), std::move(*first)};
}

Result<GraphClips> open_graph_clips(const graph::MotionGraph& graph, const std::string& file, const InputOptions& input,
                                    bool as_captured) {
  const auto folder = std::filesystem::absolute(file).parent_path();
  std::vector<bool> seen(graph.clips().size(), false);
  for (const graph::Node& node : graph.nodes()) {
    if (node.clip == graph::kNoClip || seen[static_cast<std::size_t>(node.clip)]) continue;
    seen[static_cast<std::size_t>(node.clip)] = true;
    const std::string& name = graph.clips()[static_cast<std::size_t>(node.clip)];
    // An absolute name stays as it is.
    std::error_code none;
    if (!std::filesystem::exists(folder / name, none)) {
      return fail(ErrorCode::cannot_read, "{}: node {}: the clip '{}' is not there", file, node.id, name);
    }
  }
  return open_graph_clips(graph.clips(), folder, input, as_captured);
}

}  // namespace shosa::cli
