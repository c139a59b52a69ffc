#include "shosa/io/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace shosa::io {
namespace {

/// False with errno set when not everything could be written.
bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t wrote = ::write(descriptor, content.data(), content.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

std::unexpected<Error> cannot_write(const std::filesystem::path& path, int error) {
  return fail(ErrorCode::cannot_write, "{}: cannot be written: {}", path.string(), std::strerror(error));
}

Result<void> write_directly(const std::filesystem::path& path, std::string_view content) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return cannot_write(path, errno);
  const bool ok = write_all(descriptor, content);
  const int error = errno;
  ::close(descriptor);
  if (!ok) return cannot_write(path, error);
  return {};
}

/// Rights of a new file: those of the one it replaces, else what the process's mask allows.
mode_t rights_for(const struct stat* existing) {
  if (existing != nullptr) return existing->st_mode & 07777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  std::error_code ignored;
  std::filesystem::path target = path;
  if (std::filesystem::is_symlink(path, ignored)) {
    const auto resolved = std::filesystem::weakly_canonical(path, ignored);
    if (!ignored) target = resolved;
  }
  struct stat status {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return cannot_write(path, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) return write_directly(target, content);

  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
  std::string temporary = (folder / fmt::format(".{}.XXXXXX", target.filename().string())).string();
  const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) return cannot_write(path, errno);

  bool ok = write_all(descriptor, content) && ::fchmod(descriptor, rights_for(exists ? &status : nullptr)) == 0 &&
            ::fsync(descriptor) == 0;
  int error = errno;
  if (::close(descriptor) != 0 && ok) {
    ok = false;
    error = errno;
  }
  if (ok && ::rename(temporary.c_str(), target.c_str()) != 0) {
    ok = false;
    error = errno;
  }
  if (!ok) {
    ::unlink(temporary.c_str());
    return cannot_write(path, error);
  }

  // The new name itself reaches the disk only with its folder; a file system that cannot do this has still written the
  // file.
  const int folder_descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_descriptor >= 0) {
    ::fsync(folder_descriptor);
    ::close(folder_descriptor);
  }
  return {};
}

}  // namespace shosa::io
