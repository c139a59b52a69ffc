#pragma once

#include <string>
#include <string_view>

namespace shosa::demo {

/// For element content and quoted attributes.
std::string html_escaped(std::string_view text);

std::string base64(std::string_view bytes);

}  // namespace shosa::demo
