#pragma once

#include <fmt/format.h>

#include <expected>
#include <string>
#include <utility>

namespace shosa {

/// What kind of failure; each door maps it once (command line: exit status).
enum class ErrorCode {
  invalid_argument,  ///< A parameter breaks a documented rule.
  cannot_read,       ///< The file is not there or may not be read.
  bad_file,          ///< The file was read and makes no sense; the message names line or byte.
  cannot_write,      ///< The output could not be put in place; nothing was left half written.
  not_possible,      ///< Understood, but cannot be done with this input (no feet, no motion, no such joint).
};

/// What was found, what was expected and where ("walk.bvh:214: 57 values, expected 60").
struct Error {
  ErrorCode code = ErrorCode::invalid_argument;
  std::string message;
};

template <class T>
using Result = std::expected<T, Error>;

/// `return fail(ErrorCode::bad_file, "{}:{}: expected '{{'", file, line);`
template <class... Args>
std::unexpected<Error> fail(ErrorCode code, fmt::format_string<Args...> text, Args&&... args) {
  return std::unexpected(Error{code, fmt::format(text, std::forward<Args>(args)...)});
}

}  // namespace shosa
