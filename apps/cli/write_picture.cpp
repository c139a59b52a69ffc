#include "write_picture.h"

#include <CLI/CLI.hpp>

#include "shosa/io/atomic_file.h"

namespace shosa::cli {

CLI::Validator picture_file() {
  const auto check = [](std::string& name) {
    const auto format = draw::format_of(name);
    return format ? std::string() : format.error().message;
  };
  return {check, "PICTURE"};
}

Result<void> write_picture(const std::string& path, const draw::Canvas& canvas) {
  const auto format = draw::format_of(path);
  if (!format) return std::unexpected(format.error());
  const auto bytes = draw::encode(canvas, {.format = *format});
  if (!bytes) return std::unexpected(bytes.error());
  return io::write_file_atomically(path, *bytes);
}

}  // namespace shosa::cli
