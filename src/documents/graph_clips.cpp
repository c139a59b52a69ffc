#include "shosa/documents/graph_clips.h"

#include <algorithm>
#include <optional>

#include "documents/kept_clips.h"
#include "documents/onto_body.h"
#include "shosa/io/content_hash.h"

namespace shosa::documents {
namespace {

/// Reads clips one after the other, onto the body of the first.
class ClipReader {
 public:
  explicit ClipReader(const ClipSource& source) : source_(source) {}

  Result<void> read(const ClipReference& reference) {
    const std::string& name = reference.clip;
    auto opened = source_.open(reference);
    if (!opened) return std::unexpected(opened.error());
    if (first_ && !on_body_of(opened->clip(), clips_.front().clip)) {
      clips_.push_back({name, moved(*opened, name), opened->as_captured, opened->contacts});
      return {};
    }
    warn(name, opened->motion.warnings);
    clips_.push_back({name, opened->clip(), opened->as_captured, opened->contacts});
    if (!first_) first_ = std::move(opened->motion);
    return {};
  }

  Result<GraphClips> finish() {
    if (!first_) return fail(ErrorCode::not_possible, "the graph has no clips: it can be planned, not played");
    auto set = graph::make_motion_set(std::move(clips_), first_->body_map, {.clean = true});
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
    if (!leading_)
      leading_ = analysis::study_with_contacts(clips_.front().clip, first_->body_map, clips_.front().contacts);
    auto moved = onto_body(studied, name, *leading_, clips_.front().name);
    if (!moved) {
      warnings_.push_back(moved.error().message);
      if (!not_moved_) not_moved_ = std::move(moved.error());
      return studied.clip();
    }
    warnings_.insert(warnings_.end(), moved->warnings.begin(), moved->warnings.end());
    return moved->studied.clip();
  }

  void warn(const std::string& name, const Notes& warnings) {
    for (const Note& warning : warnings) warnings_.push_back(warning.of(name));
  }

  const ClipSource& source_;
  std::vector<graph::NamedClip> clips_;
  std::optional<io::MotionFile> first_;
  std::optional<analysis::StudiedClip> leading_;  // the first clip, where others are brought onto its body
  std::optional<Error> not_moved_;
  Notes warnings_;
};

std::vector<std::string> names_of(const std::vector<GraphClip>& clips) {
  std::vector<std::string> names;
  for (const GraphClip& clip : clips) names.push_back(clip.clip);
  return names;
}

/// With the node that plays the clip.
std::unexpected<Error> at_clip(const GraphFile& graph, const std::string& name, const Error& error) {
  for (const graph::Node& node : graph.graph.nodes()) {
    if (node.clip == graph::kNoClip || graph.graph.clips()[node.clip] != name) continue;
    return fail(error.code, "{}: node {}: {}", graph.file, node.id, error.message);
  }
  return fail(error.code, "{}: {}", graph.file, error.message);
}

Result<void> check_unchanged(const GraphFile& graph, const ClipSource& source) {
  for (const GraphClip& clip : graph.kept.clips) {
    const auto hash = source.hash_of(clip);
    if (!hash) return at_clip(graph, clip.clip, hash.error());
    if (hash->empty() || clip.hash.empty() || *hash == clip.hash) continue;
    return fail(ErrorCode::bad_file,
                "{}: {}: the file, or how it is read, is not as when the graph was built (hash {}, expected {}): build "
                "the graph again",
                graph.file, source.path(clip.clip), *hash, clip.hash);
  }
  return {};
}

Result<GraphClips> open_kept(const KeptClips& kept, const ClipSource& source) {
  const auto bytes = source.text(kept.file);
  if (!bytes) return std::unexpected(bytes.error());
  if (const std::string hash = io::ContentHash().add(*bytes).text(); hash != kept.hash) {
    return fail(ErrorCode::bad_file, "{}: was not written with this graph (hash {}, expected {})",
                source.path(kept.file), hash, kept.hash);
  }
  auto opened = source.open(kept.clips.front());
  if (!opened) return std::unexpected(opened.error());
  auto clips = parse_kept_clips(*bytes, opened->clip().skeleton_ptr());
  if (!clips) return fail(clips.error().code, "{}: {}", source.path(kept.file), clips.error().message);
  auto set = graph::make_motion_set(std::move(*clips), opened->motion.body_map, {.ready = true});
  if (!set) return std::unexpected(set.error());
  set->warnings = kept.notes;
  return GraphClips{std::move(*set), std::move(opened->motion)};
}

Result<GraphClips> read_again(const GraphFile& graph, const ClipSource& source) {
  std::vector<ClipReference> references(graph.kept.clips.begin(), graph.kept.clips.end());
  if (references.empty()) {
    for (const std::string& name : graph.graph.clips()) references.emplace_back().clip = name;
  }
  ClipReader reader(source);
  for (const ClipReference& reference : references) {
    const auto read = reader.read(reference);
    if (!read) return at_clip(graph, reference.clip, read.error());
  }
  return reader.finish();
}

}  // namespace

Result<GraphClips> open_graph_clips(const std::vector<ClipReference>& clips, const ClipSource& source) {
  ClipReader reader(source);
  for (const ClipReference& clip : clips) {
    if (const auto read = reader.read(clip); !read) return std::unexpected(read.error());
  }
  return reader.finish();
}

Result<GraphClips> open_graph_clips(const GraphFile& graph, const ClipSource& source) {
  if (const auto same = check_unchanged(graph, source); !same) return std::unexpected(same.error());
  if (graph.kept.file.empty()) return read_again(graph, source);
  auto kept = open_kept(graph.kept, source);
  if (kept) return kept;
  auto again = read_again(graph, source);
  if (!again) return again;
  again->set.warnings.push_back(
      Note::done(fmt::format("{}: {}; the clips were read and cleaned again", graph.file, kept.error().message)));
  if (io::ContentHash().add(format_kept_clips(again->set, names_of(graph.kept.clips))).text() != graph.kept.hash) {
    again->set.warnings.push_back(
        fmt::format("{}: they are not quite those that its links were found on: build the graph again", graph.file));
  }
  return again;
}

Result<GraphKeeping> keep_graph_clips(const graph::MotionGraph& graph, const std::vector<ClipReference>& clips,
                                      const ClipSource& source, const graph::MotionSet& set, const std::string& file) {
  std::vector<bool> played(graph.clips().size(), false);
  for (const graph::Node& node : graph.nodes()) {
    if (node.clip != graph::kNoClip) played[node.clip] = true;
  }
  GraphKeeping keeping;
  for (const ClipReference& clip : clips) {
    const auto named = std::ranges::find(graph.clips(), clip.clip);
    const bool has_node = named != graph.clips().end() && played[named - graph.clips().begin()];
    if (!has_node && &clip != &clips.front()) continue;
    auto hash = source.hash_of(clip);
    if (!hash) return std::unexpected(hash.error());
    keeping.said.clips.push_back({clip, std::move(*hash)});
  }
  keeping.bytes = format_kept_clips(set, names_of(keeping.said.clips));
  keeping.said.file = file;
  keeping.said.hash = io::ContentHash().add(keeping.bytes).text();
  keeping.said.notes = set.warnings;
  return keeping;
}

}  // namespace shosa::documents
