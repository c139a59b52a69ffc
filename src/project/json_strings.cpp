#include "project/json_strings.h"

#include <nlohmann/json.hpp>

namespace shosa::project {

namespace {

/// One object or list that is open.
struct Level {
  bool is_object = false;
  std::string key;
  std::size_t place = 0;
  bool wants_key = true;
};

std::string decoded(std::string_view quoted) {
  const auto value = nlohmann::json::parse(quoted, nullptr, false);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::size_t end_of_string(std::string_view text, std::size_t begin) {
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return text.size();
}

}  // namespace

std::vector<JsonString> json_strings(std::string_view text) {
  std::vector<JsonString> found;
  std::vector<Level> levels;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '{' || c == '[') {
      levels.push_back({.is_object = c == '{'});
    } else if ((c == '}' || c == ']') && !levels.empty()) {
      levels.pop_back();
    } else if (c == ',' && !levels.empty()) {
      ++levels.back().place;
      levels.back().wants_key = true;
    } else if (c == ':' && !levels.empty()) {
      levels.back().wants_key = false;
    } else if (c == '"') {
      const std::size_t end = end_of_string(text, i);
      const std::string value = decoded(text.substr(i, end - i));
      if (!levels.empty() && levels.back().is_object && levels.back().wants_key) {
        levels.back().key = value;
      } else {
        JsonString& string = found.emplace_back(JsonString{.path = {}, .value = value, .begin = i, .end = end});
        for (const Level& level : levels)
          string.path.push_back(level.is_object ? level.key : std::to_string(level.place));
      }
      i = end - 1;
    }
  }
  return found;
}

}  // namespace shosa::project
