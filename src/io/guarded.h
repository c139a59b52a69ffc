#pragma once

#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>

#include "shosa/core/result.h"

namespace shosa::io {

/// What `body` returns; what it throws as an error. Stands at every door of this room, so that no exception leaves it.
/// The room itself throws none, but memory may run out; where exceptions are switched off, that ends the program.
/// `name`, a path or a text, stands in the error; it is copied only there, because copying may throw.
template <class Name, class Body>
auto guarded(const Name& name, Body&& body) -> decltype(body()) {
#ifdef __cpp_exceptions
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::not_possible, "{}: needs more memory than there is", std::filesystem::path(name).string());
  } catch (const std::length_error&) {
    return fail(ErrorCode::not_possible, "{}: needs more memory than there is", std::filesystem::path(name).string());
  } catch (const std::exception& error) {
    return fail(ErrorCode::not_possible, "{}: {}", std::filesystem::path(name).string(), error.what());
  }
#else
  static_cast<void>(name);
  return body();
#endif
}

}  // namespace shosa::io
