#include "shosa/documents/graph_clips.h"

#include <optional>

#include "documents/onto_body.h"
#include "shosa/feet/clean_captured.h"
#include "shosa/io/read_text.h"

namespace shosa::documents {
namespace {

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
      clip = moved(std::move(clip), opened->motion.body_map, name);
    }
    clips_.push_back({name, std::move(clip)});
    return {};
  }

  Result<GraphClips> finish() {
    if (!first_) return fail(ErrorCode::not_possible, "the graph has no clips: it can be planned, not played");
    auto set = graph::make_motion_set(std::move(clips_), first_->body_map, {.clean = !as_captured_});
    if (!set) return std::unexpected(not_moved_.value_or(set.error()));
    set->warnings.insert(set->warnings.begin(), warnings_.begin(), warnings_.end());
    return GraphClips{std::move(*set), std::move(*first_)};
  }

 private:
  // Broken samples and sliding feet are what the source's own body did, so they are mended on it: what retargeting
  // holds then is where a foot stood. A body that cannot be retargeted (one without legs) may still have the same
  // joints, whose rotations the set then takes as they are.
  Clip moved(Clip clip, const body::BodyMap& map, const std::string& name) {
    analysis::StudiedClip studied =
        as_captured_ ? analysis::study(std::move(clip), map) : cleaned(std::move(clip), map, name);
    if (!leading_) leading_ = analysis::study(clips_.front().clip, first_->body_map);
    auto moved = onto_body(studied, name, *leading_, clips_.front().name);
    if (!moved) {
      warnings_.push_back(moved.error().message);
      if (!not_moved_) not_moved_ = std::move(moved.error());
      return studied.clip();
    }
    warnings_.insert(warnings_.end(), moved->warnings.begin(), moved->warnings.end());
    return moved->studied.clip();
  }

  analysis::StudiedClip cleaned(Clip clip, const body::BodyMap& map, const std::string& name) {
    const feet::CleanedCapture clean = feet::clean_captured(std::move(clip), map);
    for (const std::string& note : clean.notes()) warnings_.push_back(fmt::format("{}: {}", name, note));
    return clean.studied;
  }

  const ClipOptions& input_;
  bool as_captured_;
  std::vector<graph::NamedClip> clips_;
  std::optional<io::MotionFile> first_;
  std::optional<analysis::StudiedClip> leading_;  // the first clip, where others are brought onto its body
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
