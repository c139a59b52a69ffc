#include "io/file_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "io/guarded.h"
#include "shosa/io/read_text.h"

namespace shosa::io {

std::unexpected<Error> file_too_large(const std::filesystem::path& path, std::uint64_t most_bytes) {
  return fail(ErrorCode::cannot_read, "{}: more than {} MiB, expected less", path.string(), most_bytes >> 20);
}

Result<FileText> read_file(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return fail(ErrorCode::cannot_read, "{}: cannot be opened: {}", path.string(), std::strerror(errno));
  struct Closer {
    int descriptor;
    ~Closer() { ::close(descriptor); }
  } closer{descriptor};

  struct stat status {};
  if (::fstat(descriptor, &status) != 0) {
    return fail(ErrorCode::cannot_read, "{}: {}", path.string(), std::strerror(errno));
  }
  if (S_ISDIR(status.st_mode)) return fail(ErrorCode::cannot_read, "{}: is a folder, expected a file", path.string());

  const std::uint64_t most_bytes = S_ISREG(status.st_mode) ? kMaxFileBytes : kMaxStreamBytes;
  if (status.st_size > 0 && static_cast<std::uint64_t>(status.st_size) > most_bytes) {
    return file_too_large(path, most_bytes);
  }
  // The size is only a hint: pipes have none and a file may grow. One byte more shows the end at the first try.
  std::size_t capacity = static_cast<std::size_t>(std::max<off_t>(status.st_size, 0)) + 1;
  if (!S_ISREG(status.st_mode)) capacity = std::max<std::size_t>(capacity, 65536);
  auto bytes = std::make_unique_for_overwrite<char[]>(capacity);
  std::size_t size = 0;
  for (;;) {
    if (size > most_bytes) return file_too_large(path, most_bytes);
    if (size == capacity) {
      auto larger = std::make_unique_for_overwrite<char[]>(capacity * 2);
      std::copy_n(bytes.get(), size, larger.get());
      bytes = std::move(larger);
      capacity *= 2;
    }
    const ssize_t got = ::read(descriptor, bytes.get() + size, capacity - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(ErrorCode::cannot_read, "{}: {}", path.string(), std::strerror(errno));
    if (got == 0) return FileText(std::move(bytes), size);
    size += static_cast<std::size_t>(got);
  }
}

bool is_plain_file(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

bool same_folder(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code error;
  return std::filesystem::equivalent(a, b, error);
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> all;
  std::error_code error;
  for (auto entry = std::filesystem::directory_iterator(folder, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    all.push_back(entry->path());
  }
  std::ranges::sort(all);
  return all;
}

Result<std::string> read_text(const std::filesystem::path& path) {
  return guarded(path, [&]() -> Result<std::string> {
    const auto file = read_file(path);
    if (!file) return std::unexpected(file.error());
    return std::string(file->view());
  });
}

}  // namespace shosa::io
