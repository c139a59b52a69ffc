#include "shosa/io/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>

#include "io/guarded.h"

namespace shosa::io {
namespace {

namespace fs = std::filesystem;

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

std::unexpected<Error> cannot_write(const fs::path& path, int error) {
  return fail(ErrorCode::cannot_write, "{}: cannot be written: {}", path.string(), std::strerror(error));
}

Result<void> write_directly(const fs::path& path, std::string_view content) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return cannot_write(path, errno);
  const bool ok = write_all(descriptor, content);
  const int error = errno;
  ::close(descriptor);
  if (!ok) return cannot_write(path, error);
  return {};
}

/// What a chain of links ends in, whether it is there or not.
Result<fs::path> follow_links(const fs::path& path) {
  fs::path target = path;
  std::error_code error;
  for (int i = 0; i < 40; ++i) {
    if (!fs::is_symlink(target, error)) return target;
    const fs::path next = fs::read_symlink(target, error);
    if (error) return cannot_write(path, error.value());
    target = target.parent_path() / next;
  }
  return cannot_write(path, ELOOP);
}

/// A name of its own in the folder, short whatever the target's is.
std::string temporary_name(const fs::path& folder) {
  static std::atomic<unsigned> counter = 0;
  return (folder / fmt::format(".shosa-{}-{}.tmp", ::getpid(), counter++)).string();
}

/// The content in an open file; `rights` where a file is replaced, nullptr: the process's mask decides.
bool fill(int descriptor, std::string_view content, const mode_t* rights) {
  return write_all(descriptor, content) && (rights == nullptr || ::fchmod(descriptor, *rights) == 0) &&
         ::fsync(descriptor) == 0;
}

constexpr int kTries = 100;

enum class Outcome {
  written,
  failed,        ///< errno says why.
  not_supported  ///< By this file system or system.
};

/// Through a file without a name, which vanishes with the process: an interrupt leaves nothing behind.
Outcome write_nameless(const fs::path& folder, const fs::path& target, std::string_view content, const mode_t* rights) {
#ifdef O_TMPFILE
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor < 0) return Outcome::not_supported;
  Outcome outcome = Outcome::failed;
  if (fill(descriptor, content, rights)) {
    const std::string source = fmt::format("/proc/self/fd/{}", descriptor);
    const auto link_as = [&](const char* name) {
      return ::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
    };
    if (rights == nullptr && link_as(target.c_str())) {
      outcome = Outcome::written;
    } else {
      // A link cannot replace a file, a rename can.
      std::string temporary = temporary_name(folder);
      bool linked = link_as(temporary.c_str());
      for (int i = 0; !linked && errno == EEXIST && i < kTries; ++i) {
        temporary = temporary_name(folder);
        linked = link_as(temporary.c_str());
      }
      if (!linked) {
        outcome = Outcome::not_supported;
      } else if (::rename(temporary.c_str(), target.c_str()) == 0) {
        outcome = Outcome::written;
      } else {
        const int error = errno;
        ::unlink(temporary.c_str());
        errno = error;
      }
    }
  }
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return outcome;
#else
  (void)folder, (void)target, (void)content, (void)rights;
  return Outcome::not_supported;
#endif
}

/// False with errno set; then no temporary file is left.
bool write_named(const fs::path& folder, const fs::path& target, std::string_view content, const mode_t* rights) {
  std::string temporary;
  int descriptor = -1;
  for (int i = 0; descriptor < 0 && i < kTries; ++i) {
    temporary = temporary_name(folder);
    descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST) return false;
  }
  if (descriptor < 0) return false;
  bool ok = fill(descriptor, content, rights);
  int error = errno;
  if (::close(descriptor) != 0 && ok) {
    ok = false;
    error = errno;
  }
  if (ok && ::rename(temporary.c_str(), target.c_str()) == 0) return true;
  if (ok) error = errno;
  ::unlink(temporary.c_str());
  errno = error;
  return false;
}

Result<void> write(const fs::path& path, std::string_view content) {
  const Result<fs::path> target = follow_links(path);
  if (!target) return std::unexpected(target.error());
  struct stat status {};
  const bool exists = ::stat(target->c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return cannot_write(path, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) return write_directly(*target, content);

  const fs::path folder = target->has_parent_path() ? target->parent_path() : fs::path(".");
  const mode_t own_rights = status.st_mode & 07777;
  const mode_t* const rights = exists ? &own_rights : nullptr;
  const Outcome outcome = write_nameless(folder, *target, content, rights);
  if (outcome == Outcome::failed ||
      (outcome == Outcome::not_supported && !write_named(folder, *target, content, rights))) {
    return cannot_write(path, errno);
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

}  // namespace

Result<void> write_file_atomically(const fs::path& path, std::string_view content) {
  return guarded(path, [&] { return write(path, content); });
}

}  // namespace shosa::io
