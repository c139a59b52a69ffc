#include "shosa/documents/clip_source.h"

#include "shosa/io/read_text.h"

namespace shosa::documents {

Result<ChosenClip> FilesBeside::open(const ClipReference& reference) const {
  ClipOptions own = reference;
  if (own.body_map) own.body_map = path(*own.body_map);
  if (own.asf) own.asf = path(*own.asf);
  return open_clip(path(reference.clip), own.over(usual_));
}

Result<std::string> FilesBeside::text(const std::string& name) const {
  return io::read_text(path(name));
}

Result<ChosenClip> ClipsInMemory::open(const ClipReference& reference) const {
  const auto found = motions_.find(reference.clip);
  if (found == motions_.end()) return fail(ErrorCode::cannot_read, "{}: no such motion in memory", reference.clip);
  io::MotionFile motion = found->second;
  if (reference.body_map) {
    const auto json = text(*reference.body_map);
    if (!json) return std::unexpected(json.error());
    if (const auto applied = apply_body_map(motion, *json, *reference.body_map); !applied)
      return std::unexpected(applied.error());
  }
  const auto index = choose_clip(motion, reference.clip, reference);
  if (!index) return std::unexpected(index.error());
  return ChosenClip{std::move(motion), *index, reference.as_captured.value_or(false)};
}

Result<std::string> ClipsInMemory::text(const std::string& name) const {
  const auto found = texts_.find(name);
  if (found == texts_.end()) return fail(ErrorCode::cannot_read, "{}: no such text in memory", name);
  return found->second;
}

Result<std::vector<std::string>> names_beside(const std::string& document, const std::vector<std::string>& files) {
  const auto folder = std::filesystem::absolute(document).parent_path();
  std::error_code missing;
  const auto real_folder = std::filesystem::canonical(folder, missing);
  if (missing) {
    return fail(ErrorCode::cannot_write, "{}: cannot be written: {}: {}", document, folder.string(), missing.message());
  }
  std::vector<std::string> names;
  for (const std::string& file : files) {
    // Folders may be symbolic links, and ".." leads out of what they point to; the file's own name stays.
    const auto path = std::filesystem::absolute(file).lexically_normal();
    std::error_code unresolved;
    const auto where = std::filesystem::weakly_canonical(path.parent_path(), unresolved) / path.filename();
    names.push_back((unresolved ? path : where).lexically_proximate(real_folder).generic_string());
  }
  return names;
}

}  // namespace shosa::documents
