#include "project_files.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "shosa/io/atomic_file.h"
#include "shosa/io/content_hash.h"
#include "shosa/io/files_below.h"
#include "shosa/io/read_text.h"
#include "shosa/project/zip.h"

namespace shosa::server {

namespace {

namespace fs = std::filesystem;

std::unexpected<Refusal> refuse(int status, std::string message, std::string hash = {}) {
  return std::unexpected(Refusal{status, std::move(message), std::move(hash)});
}

}  // namespace

ProjectFiles::ProjectFiles(fs::path folder, bool read_only) : folder_(std::move(folder)), read_only_(read_only) {
  std::error_code ignored;
  if (const fs::path real = fs::canonical(folder_, ignored); !ignored) folder_ = real;
}

std::vector<ListedFile> ProjectFiles::list() const {
  std::vector<ListedFile> files;
  for (const fs::path& path : io::files_below(folder_).files) {
    std::error_code error;
    const fs::directory_entry entry(folder_ / path, error);
    // A link that leads outside, or a name that no request can have. Folders above are none: they were not followed.
    if (entry.is_symlink(error) ? !resolve(path.generic_string())
                                : !project::name_problem(path.generic_string()).empty())
      continue;
    const auto bytes = entry.file_size(error);
    const auto time = entry.last_write_time(error);
    if (error) continue;  // gone since
    const auto since = std::chrono::file_clock::to_sys(time).time_since_epoch();
    files.push_back({path.generic_string(), static_cast<std::int64_t>(bytes),
                     std::chrono::duration_cast<std::chrono::milliseconds>(since).count()});
  }
  return files;
}

Answer<fs::path> ProjectFiles::resolve(const std::string& path) const {
  if (const std::string problem = project::name_problem(path); !problem.empty())
    return refuse(400, "the path " + problem);
  if (path.ends_with('/')) return refuse(400, "the path names a folder");
  // Links may lead to other places of the project. What is not there yet is judged by the folder that it will be in.
  std::error_code error;
  const fs::path real = fs::weakly_canonical(folder_ / path, error);
  if (error || !io::lies_below(real, folder_)) return refuse(400, "the path leads outside the project");
  const fs::path inside = real.lexically_relative(folder_);
  if (std::ranges::any_of(inside, [](const fs::path& part) { return part.string().starts_with('.'); }))
    return refuse(400, "the path leads to what is hidden");
  // A link whose target is not there yet would be followed by a writer.
  if (fs::is_symlink(fs::symlink_status(folder_ / path, error)) && !fs::exists(real, error))
    return refuse(400, "the path is a link that leads nowhere");
  return real;
}

Answer<FileContent> ProjectFiles::read(const std::string& path) const {
  const auto file = resolve(path);
  if (!file) return std::unexpected(file.error());
  std::error_code error;
  if (!fs::is_regular_file(*file, error)) return refuse(404, path + ": is not there");
  auto bytes = io::read_text(*file);
  if (!bytes) return refuse(404, path + ": cannot be read");
  const std::string hash = io::content_hash(*bytes);
  return FileContent{std::move(*bytes), hash};
}

Answer<void> ProjectFiles::may_write() const {
  if (read_only_) return refuse(403, "the project is open for reading only");
  return {};
}

Answer<void> ProjectFiles::is_as_seen(const fs::path& file, const Seen& seen) const {
  std::error_code error;
  const bool there = fs::exists(file, error);
  if (there && !fs::is_regular_file(file, error)) return refuse(409, "is no file");
  if (!seen.hash && !seen.nothing)
    return refuse(428, "say what is replaced: If-Match with its hash, or If-None-Match: *");
  if (!there && seen.hash) return refuse(409, "the file is not there any more");
  if (!there) return {};
  const auto bytes = io::read_text(file);
  if (!bytes) return refuse(409, "the file cannot be read");
  const std::string hash = io::content_hash(*bytes);
  if (seen.nothing) return refuse(409, "there is a file of this name", hash);
  if (*seen.hash != hash) return refuse(409, "the file has changed since it was read", hash);
  return {};
}

Answer<std::string> ProjectFiles::write(const std::string& path, const std::string& bytes, const Seen& seen) {
  if (const auto ok = may_write(); !ok) return std::unexpected(ok.error());
  const auto file = resolve(path);
  if (!file) return std::unexpected(file.error());
  const std::lock_guard lock(writing_);
  if (const auto ok = is_as_seen(*file, seen); !ok) return std::unexpected(ok.error());
  std::error_code error;
  fs::create_directories(file->parent_path(), error);
  if (error) return refuse(507, path + ": " + error.message());
  if (const auto ok = io::write_file_atomically(*file, bytes); !ok) return refuse(507, path + ": cannot be written");
  return io::content_hash(bytes);
}

Answer<void> ProjectFiles::rename(const std::string& from, const std::string& to, const Seen& seen) {
  if (const auto ok = may_write(); !ok) return ok;
  const auto before = resolve(from), after = resolve(to);
  if (!before) return std::unexpected(before.error());
  if (!after) return std::unexpected(after.error());
  const std::lock_guard lock(writing_);
  if (const auto ok = is_as_seen(*before, seen); !ok) return ok;
  std::error_code error;
  fs::create_directories(after->parent_path(), error);
  // In one step, and never over a file.
  if (::renameat2(AT_FDCWD, before->c_str(), AT_FDCWD, after->c_str(), RENAME_NOREPLACE) != 0)
    return refuse(errno == EEXIST ? 409 : 507, to + ": " + std::strerror(errno));
  return {};
}

Answer<std::string> ProjectFiles::remove(const std::string& path, const Seen& seen) {
  if (const auto ok = may_write(); !ok) return std::unexpected(ok.error());
  const auto file = resolve(path);
  if (!file) return std::unexpected(file.error());
  const std::lock_guard lock(writing_);
  if (const auto ok = is_as_seen(*file, seen); !ok) return std::unexpected(ok.error());
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  const fs::path trash = fs::path(".shosa") / "trash" /
                         fmt::format("{:%Y%m%d-%H%M%S}-{}-{}", fmt::gmtime(now), ::getpid(), ++removed_) / path;
  std::error_code error;
  fs::create_directories((folder_ / trash).parent_path(), error);
  if (!error) fs::rename(*file, folder_ / trash, error);
  if (error) return refuse(507, path + ": " + error.message());
  return trash.generic_string();
}

}  // namespace shosa::server
