#pragma once

#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#ifdef __cpp_exceptions
#include <exception>
#include <new>
#include <stdexcept>
#endif

#include "c/context.h"
#include "shosa/core/note.h"
#include "shosa/core/result.h"
#include "shosa/core/types.h"

namespace shosa::c {

/// Larger is taken for a mistake.
inline constexpr std::size_t kMostBytes = std::size_t{1} << (sizeof(std::size_t) > 4 ? 36 : 30);
/// Places farther away, metres, are taken for a mistake: floats are coarse there.
inline constexpr double kFarthest_m = 1e6;

/// One call from outside: its arguments are checked one after the other, and the first that is wrong is what the caller
/// is told. A check that fails gives nothing, so that a body asks `failed()` once, after all of them.
class Call {
 public:
  Call(shosa_context& context, const char* function) : context_(context), function_(function) {}

  bool failed() const { return failed_; }
  shosa_status status() const { return failed_ ? context_.error_status : SHOSA_OK; }

  template <class... Args>
  void fail(shosa_status status, fmt::format_string<Args...> text, Args&&... args) {
    if (!failed_) set_error(status, fmt::format(text, std::forward<Args>(args)...));
  }
  void fail(const Error& error);
  /// Needs no memory.
  void fail_plainly(shosa_status status, std::string_view text) {
    if (!failed_) set_error(status, text);
  }

  /// The value, where there is one and nothing failed before.
  template <class T>
  std::optional<T> take(Result<T> result) {
    if (!result) fail(result.error());
    if (failed_) return std::nullopt;
    return std::optional<T>(std::move(*result));
  }
  bool take(const Result<void>& result) {
    if (!result) fail(result.error());
    return !failed_;
  }

  /// Sets a result to 0.
  template <class T>
  bool clear(T* out, const char* name = "out") {
    if (out != nullptr) *out = T{};
    return present(out, name);
  }
  template <class T>
  void clear_if_given(T* out) {
    if (out != nullptr) *out = T{};
  }
  bool present(const void* pointer, const char* name) {
    if (pointer == nullptr) fail(SHOSA_BAD_ARGUMENT, "{} is NULL", name);
    return !failed_;
  }
  std::string text(const char* given, const char* name) { return present(given, name) ? given : std::string(); }
  double number(double value, const char* name, double least, double most) {
    if (!(value >= least && value <= most))
      fail(SHOSA_BAD_ARGUMENT, "{} is {}, expected {} to {}", name, value, least, most);
    return value;
  }
  Vec3d point(const double (&values)[3], const char* name, double most = kFarthest_m) {
    for (const double value : values) number(value, name, -most, most);
    return Vec3d(values);
  }
  /// A number below `count`.
  int index(std::uint64_t value, const char* name, std::uint64_t count) {
    if (value >= count) fail(SHOSA_BAD_ARGUMENT, "{} is {}, expected less than {}", name, value, count);
    return static_cast<int>(value);
  }
  void same_count(std::uint64_t value, const char* name, std::uint64_t expected) {
    if (value != expected) fail(SHOSA_BAD_ARGUMENT, "{} is {}, expected {}", name, value, expected);
  }
  void range(std::uint64_t first, std::uint64_t count, std::uint64_t all) {
    if (first + count > all || count == 0)
      fail(SHOSA_BAD_ARGUMENT, "frames {} to {}, expected at least one within 0 to {}", first, first + count, all);
  }

  template <class T>
  T* find(shosa_handle handle) {
    return static_cast<T*>(find_object(handle, T::kKind));
  }

  /// What the caller's struct says, and `own` where it is NULL.
  template <class T>
  T read(const T* given, T own, const char* name) {
    if (given == nullptr || !fits(given->size, sizeof(T), name)) return own;
    std::memcpy(&own, given, given->size);
    if constexpr (requires { own.reserved; }) same_count(own.reserved, "reserved", 0);
    return own;
  }
  template <class T>
  void write(T* out, T value, const char* name) {
    if (!present(out, name) || !fits(out->size, sizeof(T), name)) return;
    value.size = out->size;
    std::memcpy(static_cast<void*>(out), &value, out->size);
  }

  /// Hands an object over, and its number to the caller.
  template <class T>
  bool give(shosa_handle* out, std::unique_ptr<T> object) {
    return !failed_ && add_object(T::kKind, object.release(), out);
  }
  /// A buffer where it is asked for.
  void give_bytes(shosa_buffer* out, std::string_view bytes);
  /// To whoever listens.
  void say(const Notes& notes);

  shosa_context& context() { return context_; }

 private:
  void set_error(shosa_status status, std::string_view text);
  Object* find_object(shosa_handle handle, Kind kind);
  bool add_object(Kind kind, Object* object, shosa_handle* out);
  bool fits(std::uint32_t size, std::size_t known, const char* name) {
    if (size < known) fail(SHOSA_BAD_ARGUMENT, "{}.size is {}, expected {}", name, size, known);
    if (size > known) fail(SHOSA_WRONG_VERSION, "{}.size is {}, and this version knows {}", name, size, known);
    return !failed_;
  }

  shosa_context& context_;
  const char* function_;
  bool failed_ = false;
};

/// Runs the body of a call; nothing that is thrown inside leaves it.
template <class Body>
shosa_status call(shosa_context* context, const char* function, const Body& body) {
  if (context == nullptr) return SHOSA_BAD_ARGUMENT;
  Call c(*context, function);
#ifdef __cpp_exceptions
  try {
    body(c);
  } catch (const std::bad_alloc&) {
    c.fail_plainly(SHOSA_OUT_OF_MEMORY, "more memory is needed than there is");
  } catch (const std::length_error&) {
    c.fail_plainly(SHOSA_OUT_OF_MEMORY, "more memory is needed than there is");
  } catch (const std::exception& error) {
    c.fail_plainly(SHOSA_FAILED, error.what());
  } catch (...) {
    c.fail_plainly(SHOSA_FAILED, "something unexpected was thrown");
  }
#else
  body(c);
#endif
  return c.status();
}

/// A call that makes `out` from an object, and a report where one is asked for. The body is given the object, or a null
/// pointer where the call has failed already.
template <class T, class Out, class Body>
shosa_status make_from(shosa_context* context, const char* function, shosa_handle from, Out* out, shosa_buffer* report,
                       const Body& body) {
  return call(context, function, [&](Call& c) {
    c.clear_if_given(report);
    c.clear(out);
    body(c, static_cast<const T*>(c.find<T>(from)));
  });
}

}  // namespace shosa::c
