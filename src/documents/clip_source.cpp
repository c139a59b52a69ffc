#include "shosa/documents/clip_source.h"

#include "documents/hash.h"
#include "shosa/io/read_text.h"

namespace shosa::documents {

ClipOptions FilesBeside::options_of(const ClipReference& reference) const {
  ClipOptions own = reference;
  if (own.body_map) own.body_map = path(*own.body_map);
  if (own.asf) own.asf = path(*own.asf);
  return own.over(usual_);
}

Result<ChosenClip> FilesBeside::open(const ClipReference& reference) const {
  return open_clip(path(reference.clip), options_of(reference));
}

Result<std::string> FilesBeside::hash_of(const ClipReference& reference) const {
  const ClipOptions options = options_of(reference);
  const bool as_captured = options.as_captured.value_or(false);
  Hash hash;
  hash.add(fmt::format("{} {} {} {} {} {}", options.take.value_or(""), options.unit.value_or("auto"),
                       options.up.value_or("auto"), options.fps_is.value_or(0.0), as_captured,
                       options.drop_tpose.value_or(!as_captured)));
  if (options.from_s || options.to_s)
    hash.add(fmt::format("{} {}", options.from_s.value_or(0.0), options.to_s.value_or(-1.0)));
  for (const auto& file : {std::optional(path(reference.clip)), options.asf, options.body_map}) {
    const auto bytes = file ? io::read_text(*file) : Result<std::string>("");
    if (!bytes) return std::unexpected(bytes.error());
    hash.add(*bytes);
  }
  return hash.text();
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
  if (const auto ok = cut_clip(motion, *index, reference.clip, reference); !ok) return std::unexpected(ok.error());
  return ChosenClip{std::move(motion), *index, reference.as_captured.value_or(false)};
}

Result<std::string> ClipsInMemory::text(const std::string& name) const {
  const auto found = texts_.find(name);
  if (found == texts_.end()) return fail(ErrorCode::cannot_read, "{}: no such text in memory", name);
  return found->second;
}

Result<std::vector<ClipReference>> references_beside(const std::string& document, const std::vector<std::string>& files,
                                                     const ClipOptions& options) {
  const auto folder = std::filesystem::absolute(document).parent_path();
  std::error_code missing;
  const auto real_folder = std::filesystem::canonical(folder, missing);
  if (missing) {
    return fail(ErrorCode::cannot_write, "{}: cannot be written: {}: {}", document, folder.string(), missing.message());
  }
  const auto name_of = [&](const std::string& file) {
    // Folders may be symbolic links, and ".." leads out of what they point to; the file's own name stays.
    const auto path = std::filesystem::absolute(file).lexically_normal();
    std::error_code unresolved;
    const auto where = std::filesystem::weakly_canonical(path.parent_path(), unresolved) / path.filename();
    return (unresolved ? path : where).lexically_proximate(real_folder).generic_string();
  };
  ClipReference reference{options, {}};
  if (options.asf) reference.asf = name_of(*options.asf);
  if (options.body_map) reference.body_map = name_of(*options.body_map);
  std::vector<ClipReference> references(files.size(), reference);
  for (std::size_t i = 0; i < files.size(); ++i) references[i].clip = name_of(files[i]);
  return references;
}

}  // namespace shosa::documents
