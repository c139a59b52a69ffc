#include <filesystem>

#include "shosa/documents/clip_source.h"

namespace shosa::documents {

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
  if (options.contacts) reference.contacts = name_of(*options.contacts);
  std::vector<ClipReference> references(files.size(), reference);
  for (std::size_t i = 0; i < files.size(); ++i) references[i].clip = name_of(files[i]);
  return references;
}

}  // namespace shosa::documents
