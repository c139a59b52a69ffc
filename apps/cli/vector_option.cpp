#include "vector_option.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>

namespace shosa::cli {

Result<Vec3d> parse_vector(const std::string& option, const std::string& text) {
  Vec3d out = Vec3d::Zero();
  const char *at = text.data(), *const end = at + text.size();
  for (int i = 0; i < 3; ++i) {
    if (i > 0) {
      if (at == end || *at != ',') return fail(ErrorCode::invalid_argument, "{}: '{}', expected X,Y,Z", option, text);
      ++at;
    }
    if (at != end && *at == '+') ++at;
    const auto [next, error] = std::from_chars(at, end, out[i]);
    if (error != std::errc{} || !std::isfinite(out[i])) {
      return fail(ErrorCode::invalid_argument, "{}: '{}', expected X,Y,Z", option, text);
    }
    at = next;
  }
  if (at != end) return fail(ErrorCode::invalid_argument, "{}: '{}', expected X,Y,Z", option, text);
  return out;
}

CLI::Validator vector_check(bool or_none) {
  return CLI::Validator(
      [or_none](std::string& text) {
        if (or_none && text == "none") return std::string();
        return parse_vector("", text) ? std::string() : fmt::format("'{}', expected X,Y,Z", text);
      },
      or_none ? "X,Y,Z|none" : "X,Y,Z");
}

}  // namespace shosa::cli
