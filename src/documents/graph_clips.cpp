#include "shosa/documents/graph_clips.h"

#include <algorithm>
#include <optional>

#include "documents/onto_body.h"

namespace shosa::documents {
namespace {

/// Reads clips one after the other, onto the body of the first.
class ClipReader {
 public:
  explicit ClipReader(const ClipSource& source) : source_(source) {}

  Result<void> read(const std::string& name) {
    ClipReference reference;
    reference.clip = name;
    auto opened = source_.open(reference);
    if (!opened) return std::unexpected(opened.error());
    if (first_ && !on_body_of(opened->clip(), clips_.front().clip)) {
      clips_.push_back({name, moved(*opened, name)});
      return {};
    }
    warn(name, opened->motion.warnings);
    clips_.push_back({name, opened->clip()});
    if (!first_) {
      as_captured_ = opened->as_captured;
      first_ = std::move(opened->motion);
    }
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
  Clip moved(ChosenClip& opened, const std::string& name) {
    const analysis::StudiedClip studied = opened.study_standing();
    warn(name, opened.motion.warnings);
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

  void warn(const std::string& name, const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings) warnings_.push_back(fmt::format("{}: {}", name, warning));
  }

  const ClipSource& source_;
  bool as_captured_ = false;
  std::vector<graph::NamedClip> clips_;
  std::optional<io::MotionFile> first_;
  std::optional<analysis::StudiedClip> leading_;  // the first clip, where others are brought onto its body
  std::optional<Error> not_moved_;
  std::vector<std::string> warnings_;
};

}  // namespace

Result<GraphClips> open_graph_clips(const std::vector<std::string>& names, const ClipSource& source) {
  ClipReader reader(source);
  for (const std::string& name : names) {
    if (const auto read = reader.read(name); !read) return std::unexpected(read.error());
  }
  return reader.finish();
}

Result<GraphClips> open_graph_clips(const GraphFile& graph, const ClipSource& source) {
  ClipReader reader(source);
  const auto& names = graph.graph.clips();
  for (std::size_t c = 0; c < names.size(); ++c) {
    const auto read = reader.read(names[c]);
    if (read) continue;
    const auto node = std::ranges::find(graph.graph.nodes(), static_cast<int>(c), &graph::Node::clip);
    const bool used = node != graph.graph.nodes().end();
    return fail(read.error().code, "{}: {}{}", graph.file, used ? fmt::format("node {}: ", node->id) : "",
                read.error().message);
  }
  return reader.finish();
}

}  // namespace shosa::documents
