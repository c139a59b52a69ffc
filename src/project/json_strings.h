#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shosa::project {

/// A text value inside a JSON text.
struct JsonString {
  std::vector<std::string> path;  ///< Keys and numbers from the root on.
  std::string value;
  std::size_t begin = 0, end = 0;  ///< With its quotes, bytes.
};

/// All text values of a JSON text that is known to be right, in their order; keys are not among them. Of a text that is
/// not right it gives some.
std::vector<JsonString> json_strings(std::string_view text);

}  // namespace shosa::project
