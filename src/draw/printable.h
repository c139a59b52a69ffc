#pragma once

#include <string>
#include <string_view>

namespace shosa::draw {

/// Printable UTF-8: bad bytes become U+FFFD, control characters a space. (Names come from files; Cairo refuses other
/// bytes.)
std::string printable(std::string_view text);

}  // namespace shosa::draw
