#pragma once

#include <string>

namespace shosa::cli {

/// What is said of a file, where the message may begin with its name already.
inline std::string said_of(const std::string& file, const std::string& message) {
  return message.starts_with(file) ? message : file + ": " + message;
}

/// "1 problem", "2 problems".
inline std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace shosa::cli
