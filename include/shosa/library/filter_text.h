#pragma once

#include "shosa/library/library.h"

namespace shosa::library {

/// A filter as people type it, on a command line or in an address.
struct FilterText {
  std::string words;
  std::string kind;                 ///< As `find_kind` knows it.
  std::string speed, length, turn;  ///< LOW:HIGH, LOW:, :HIGH or one number; turn also "left" or "right".
  bool flight = false, cycle = false;
};

/// A turn by less is a sway: what "left" and "right" leave out.
inline constexpr double kLeastTurn_deg = 30.0;

/// Fails where a text is none of the above.
Result<Range> parse_range(std::string_view text);
Result<Filter> parse_filter(const FilterText& text);

}  // namespace shosa::library
