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

Result<FreeVector> parse_free_vector(const std::string& option, const std::string& text) {
  FreeVector out;
  std::string numbers;
  std::size_t at = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(std::min(at, text.size()), end - std::min(at, text.size()));
    out.free[axis] = part == "none";
    numbers += (axis > 0 ? "," : "") + (out.free[axis] ? "0" : part);
    at = end + 1;
  }
  if (at <= text.size()) numbers += ",";  // a fourth part
  const auto value = parse_vector(option, numbers);
  if (!value || (out.free[0] && out.free[1] && out.free[2])) {
    return fail(ErrorCode::invalid_argument, "{}: '{}', expected X,Y,Z, with none for axes left free (not all)", option,
                text);
  }
  out.value = *value;
  return out;
}

CLI::Validator free_vector_check() {
  return CLI::Validator(
      [](std::string& text) {
        const auto value = parse_free_vector("", text);
        return value ? std::string() : value.error().message.substr(2);
      },
      "X,Y,Z");
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
