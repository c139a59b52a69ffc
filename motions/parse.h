#pragma once

#include "motions/description.h"

namespace shosa::motions {

/// Reads the text of a motion. Errors name the line, the word and what was expected.
Result<Description> parse_description(std::string_view text, const std::string& name_for_errors);

}  // namespace shosa::motions
