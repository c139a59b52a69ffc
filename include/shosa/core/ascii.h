#pragma once

#include <string>

namespace shosa {

/// Letters and digits of ASCII, whatever the locale.
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
/// Bytes of UTF-8 beyond ASCII count as letters, so that words of other scripts stay whole.
constexpr bool is_letter(char c) {
  return is_upper(c) || is_lower(c) || static_cast<unsigned char>(c) >= 0x80;
}
constexpr char lower_ascii(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}
inline std::string lower_ascii(std::string text) {
  for (char& c : text) c = lower_ascii(c);
  return text;
}

}  // namespace shosa
