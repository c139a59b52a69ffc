#include "shosa/documents/graph_clips.h"

#include <optional>

#include "documents/onto_body.h"
#include "shosa/graph/clean_captured.h"
#include "shosa/io/read_text.h"

namespace shosa::documents {
namespace {

/// Cleans a clip on the body that it is on.
void clean(Clip& clip, const body::BodyMap& map, const std::string& name, std::vector<std::string>& warnings) {
  const graph::CleanedCapture done = graph::clean_captured(clip, map);
  if (done.repaired > 0) {
    warnings.push_back(
        fmt::format("{}: {} joint rotations were captured wrongly and are interpolated", name, done.repaired));
  }
  if (done.not_kept) warnings.push_back(fmt::format("{}: feet are not kept: {}", name, done.not_kept->message));
  if (done.kept) {
    warnings.push_back(fmt::format("{}: feet slide by {:.3f} m/s and are kept", name, done.slide_before_mps));
  }
}

Result<graph::MotionSet> cleaned(graph::MotionSet set) {
  std::vector<graph::NamedClip> clips;
  std::vector<std::string> warnings = std::move(set.warnings);
  for (graph::SetClip& clip : set.clips) {
    clean(clip.clip, set.body_map, clip.name, warnings);
    clips.push_back({clip.name, std::move(clip.clip)});
  }
  auto again = graph::make_motion_set(std::move(clips), set.body_map);
  if (!again) return again;
  warnings.insert(warnings.end(), again->warnings.begin(), again->warnings.end());
  again->warnings = std::move(warnings);
  return again;
}

/// Reads clips one after the other, onto the body of the first.
class ClipReader {
 public:
  ClipReader(const ClipOptions& input, bool as_captured) : input_(input), as_captured_(as_captured) {}

  Result<void> read(const std::string& name, const std::filesystem::path& path) {
    auto opened = open_clip(path.string(), input_);
    if (!opened) return std::unexpected(opened.error());
    for (const std::string& warning : opened->motion.warnings) {
      warnings_.push_back(fmt::format("{}: {}", name, warning));
    }
    Clip clip = opened->clip();
    if (!first_) {
      first_ = std::move(opened->motion);
    } else if (!on_body_of(clip, clips_.front().clip)) {
      move(clip, opened->motion.body_map, name);
    }
    clips_.push_back({name, std::move(clip)});
    return {};
  }

  Result<GraphClips> finish() {
    if (!first_) return fail(ErrorCode::not_possible, "the graph has no clips: it can be planned, not played");
    auto set = graph::make_motion_set(std::move(clips_), first_->body_map);
    if (!set) return std::unexpected(not_moved_.value_or(set.error()));
    if (!as_captured_) set = cleaned(std::move(*set));
    if (!set) return std::unexpected(set.error());
    set->warnings.insert(set->warnings.begin(), warnings_.begin(), warnings_.end());
    return GraphClips{std::move(*set), std::move(*first_)};
  }

 private:
  // Broken samples and sliding feet are what the source's own body did, so they are mended on it: what retargeting
  // holds then is where a foot stood. A body that cannot be retargeted (one without legs) may still have the same
  // joints, whose rotations the set then takes as they are.
  void move(Clip& clip, const body::BodyMap& map, const std::string& name) {
    if (!as_captured_) clean(clip, map, name, warnings_);
    auto moved = onto_body(clip, map, name, {clips_.front().clip, first_->body_map, clips_.front().name});
    if (!moved) {
      warnings_.push_back(moved.error().message);
      if (!not_moved_) not_moved_ = std::move(moved.error());
      return;
    }
    warnings_.insert(warnings_.end(), moved->warnings.begin(), moved->warnings.end());
    clip = std::move(moved->clip);
  }

  const ClipOptions& input_;
  bool as_captured_;
  std::vector<graph::NamedClip> clips_;
  std::optional<io::MotionFile> first_;
  std::optional<Error> not_moved_;
  std::vector<std::string> warnings_;
};

}  // namespace

Result<GraphFile> open_graph(const std::string& path) {
  const auto text = io::read_text(path);
  if (!text) return std::unexpected(text.error());
  return parse_graph(*text, path);
}

Result<GraphClips> open_graph_clips(const std::vector<std::string>& names, const std::filesystem::path& folder,
                                    const ClipOptions& input, bool as_captured) {
  ClipReader reader(input, as_captured);
  for (const std::string& name : names) {
    // An absolute name stays as it is.
    if (const auto read = reader.read(name, folder / name); !read) return std::unexpected(read.error());
  }
  return reader.finish();
}

Result<GraphClips> open_graph_clips(const graph::MotionGraph& graph, const std::string& file, const ClipOptions& input,
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

}  // namespace shosa::documents
