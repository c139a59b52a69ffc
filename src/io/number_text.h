#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <system_error>

#include "shosa/core/ascii.h"

namespace shosa::io {

inline constexpr std::array<double, 23> kExactPowersOfTen = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                             1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                             1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

inline bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/// An exponent's digits beyond this change nothing: no text has so many digits.
inline constexpr std::int64_t kLargestExponent = 1'000'000'000'000'000;

/// The power of ten of the first digit that is not zero: 2 for `350`, -1 for `.35`, 0 for `35e-1`.
inline std::int64_t power_of_first_digit(const char* begin, const char* end) {
  const char* first = nullptr;
  const char* point = nullptr;
  const char* p = begin;
  for (; p != end && (is_digit(*p) || *p == '.'); ++p) {
    if (*p == '.') {
      point = p;
    } else if (*p != '0' && first == nullptr) {
      first = p;
    }
  }
  if (point == nullptr) point = p;
  if (first == nullptr) first = p;
  std::int64_t power = first < point ? point - first - 1 : point - first;
  if (p == end) return power;
  ++p;
  const bool negative = p != end && *p == '-';
  std::int64_t written = 0;
  for (; p != end; ++p) {
    if (is_digit(*p) && written < kLargestExponent) written = written * 10 + (*p - '0');
  }
  return power + (negative ? -written : written);
}

/// The correctly rounded value of a number that the short way cannot take. nullptr when it does not fit a double.
inline const char* parse_decimal_slowly(const char* begin, const char* end, bool negative, double& value) {
  double magnitude = 0.0;
  const auto [stop, error] = std::from_chars(begin, end, magnitude);
  if (error == std::errc::invalid_argument) return nullptr;
  if (error == std::errc::result_out_of_range) {
    // from_chars leaves the value alone on both sides of the range; only the small side is usable, as zero.
    if (power_of_first_digit(begin, stop) > 0) return nullptr;
    magnitude = 0.0;
  }
  value = negative ? -magnitude : magnitude;
  return stop;
}

/// Reads a decimal number (`-1`, `.5`, `2.`, `1e-3`) at `p` and returns the character after it; nullptr when there is
/// none or it does not fit a finite double. Never reads `nan` or `inf`. The value is the double nearest to the text.
///
/// Up to 19 digits with a mantissa below 2^53 and a power of ten within 10^±22 need one exact multiplication or
/// division.
inline const char* parse_decimal(const char* p, const char* end, double& value) {
  bool negative = false;
  if (p != end && (*p == '-' || *p == '+')) negative = *p++ == '-';
  const char* const begin = p;

  std::uint64_t mantissa = 0;
  while (p != end && is_digit(*p)) mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p++ - '0');
  auto digits = p - begin;
  std::ptrdiff_t decimals = 0;
  if (p != end && *p == '.') {
    const char* const fraction = ++p;
    while (p != end && is_digit(*p)) mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p++ - '0');
    decimals = p - fraction;
    digits += decimals;
  }
  if (digits == 0) return nullptr;

  std::int64_t exponent = -decimals;
  if (p != end && (*p | 0x20) == 'e') {
    ++p;
    bool negative_exponent = false;
    if (p != end && (*p == '-' || *p == '+')) negative_exponent = *p++ == '-';
    if (p == end || !is_digit(*p)) return nullptr;
    std::int64_t written = 0;
    for (; p != end && is_digit(*p); ++p) {
      if (written < kLargestExponent) written = written * 10 + (*p - '0');
    }
    exponent += negative_exponent ? -written : written;
  }

  constexpr std::uint64_t kExactIntegers = std::uint64_t{1} << 53;
  if (digits > 19 || mantissa > kExactIntegers || exponent < -22 || exponent > 22) {
    return parse_decimal_slowly(begin, p, negative, value);
  }
  const auto whole = static_cast<double>(mantissa);
  const double magnitude = exponent < 0 ? whole / kExactPowersOfTen[-exponent] : whole * kExactPowersOfTen[exponent];
  value = negative ? -magnitude : magnitude;
  return p;
}

/// The shortest text that reads back as the same double.
inline std::string shortest_text(double value) {
  std::array<char, 40> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return error == std::errc{} ? std::string(buffer.data(), end) : std::string("0");
}

/// Appends `value` rounded to `decimals` places (0 to 12), without trailing zeros.
inline void append_fixed(std::string& text, double value, int decimals) {
  const double scaled = value * kExactPowersOfTen[decimals];
  if (!(std::abs(scaled) < 9e15)) {
    text += shortest_text(value);
    return;
  }
  const std::int64_t rounded = std::llround(scaled);
  std::array<char, 32> buffer;
  char* const end = buffer.data() + buffer.size();
  char* p = end;
  std::uint64_t rest = static_cast<std::uint64_t>(rounded < 0 ? -rounded : rounded);
  bool wrote_decimal = false;
  for (int i = 0; i < decimals; ++i) {
    const auto digit = static_cast<char>('0' + rest % 10);
    rest /= 10;
    if (digit != '0' || wrote_decimal) {
      *--p = digit;
      wrote_decimal = true;
    }
  }
  if (wrote_decimal) *--p = '.';
  do {
    *--p = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (rounded < 0) *--p = '-';
  text.append(p, static_cast<std::size_t>(end - p));
}

}  // namespace shosa::io
