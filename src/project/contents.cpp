#include "project/contents.h"

#include <nlohmann/json.hpp>

#include "shosa/core/json_depth.h"
#include "shosa/io/atomic_file.h"
#include "shosa/io/files_below.h"
#include "shosa/io/read_text.h"

namespace shosa::project {

namespace {
std::filesystem::path contents_file(const std::filesystem::path& folder) {
  return folder / ".shosa" / "contents.json";
}
}  // namespace

Contents read_contents(const std::filesystem::path& folder) {
  Contents contents;
  const auto text = io::read_text(contents_file(folder));
  if (!text || too_deep_at(*text)) return contents;
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains("files") || !json["files"].is_object()) return contents;
  for (const auto& [path, hash] : json["files"].items())
    if (hash.is_string() && io::stays_below(path)) contents[path] = hash.get<std::string>();
  return contents;
}

void keep_contents(const std::filesystem::path& folder, const Contents& contents) {
  std::error_code error;
  std::filesystem::create_directory(folder / ".shosa", error);
  // A project that somebody else made must not lead this writer to another file.
  if (std::filesystem::is_symlink(folder / ".shosa", error) ||
      std::filesystem::is_symlink(contents_file(folder), error))
    return;
  const nlohmann::ordered_json json = {{"version", 1}, {"files", contents}};
  (void)io::write_file_atomically(contents_file(folder),
                                  json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace shosa::project
