// A page has no files: clips and documents come as bytes, and what names a file beside it is refused.

#include "io/file_text.h"
#include "shosa/io/atomic_file.h"
#include "shosa/io/read_text.h"

namespace shosa::io {

std::unexpected<Error> file_too_large(const std::filesystem::path& path, std::uint64_t most_bytes) {
  return fail(ErrorCode::cannot_read, "{}: more than {} MiB, expected less", path.string(), most_bytes >> 20);
}

Result<FileText> read_file(const std::filesystem::path& path) {
  return fail(ErrorCode::cannot_read, "{}: there are no files here, expected bytes", path.string());
}

Result<std::string> read_text(const std::filesystem::path& path) {
  return fail(ErrorCode::cannot_read, "{}: there are no files here, expected a text", path.string());
}

Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view) {
  return fail(ErrorCode::cannot_write, "{}: there are no files here", path.string());
}

bool is_plain_file(const std::filesystem::path&) {
  return false;
}

bool same_folder(const std::filesystem::path&, const std::filesystem::path&) {
  return false;
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path&) {
  return {};
}

}  // namespace shosa::io
