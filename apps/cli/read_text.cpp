#include "read_text.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace shosa::cli {

Result<std::string> read_text(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return fail(ErrorCode::cannot_read, "{}: is a folder, expected a file", path);
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail(ErrorCode::cannot_read, "{}: cannot be opened: {}", path, std::strerror(errno));
  // Streaming an empty file's buffer would set failbit, and that is no failure to read.
  std::ostringstream text;
  if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (in.bad()) return fail(ErrorCode::cannot_read, "{}: cannot be read: {}", path, std::strerror(errno));
  return text.str();
}

}  // namespace shosa::cli
