#pragma once

#include <string>

namespace shosa::project {

/// Whether a text is UTF-8 as the standard has it: no overlong forms, no surrogates, nothing beyond U+10FFFF.
inline bool is_utf8(const std::string& text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned first = byte(i);
    const int more = first < 0x80                    ? 0
                     : first >= 0xc2 && first < 0xe0 ? 1
                     : first >= 0xe0 && first < 0xf0 ? 2
                     : first >= 0xf0 && first < 0xf5 ? 3
                                                     : -1;
    if (more < 0) return false;
    for (int k = 1; k <= more; ++k)
      if ((byte(i + k) & 0xc0u) != 0x80u) return false;
    const unsigned second = byte(i + 1);
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90) ||
        (first == 0xf4 && second > 0x8f))
      return false;
    i += 1 + more;
  }
  return true;
}

/// For messages: bytes that are not plain letters and signs as \xNN where the text is no UTF-8, and cut to a length.
inline std::string printable(const std::string& text) {
  std::string out;
  const bool fine = is_utf8(text);
  for (const char c : text.substr(0, 200)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !fine)) {
      constexpr const char* kDigits = "0123456789abcdef";
      out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace shosa::project
