#include "shosa/library/filter_text.h"

#include <charconv>
#include <cmath>

namespace shosa::library {

Result<Range> parse_range(std::string_view text) {
  const auto number = [](std::string_view part) -> std::optional<double> {
    double value = 0.0;
    const auto parsed = std::from_chars(part.data(), part.data() + part.size(), value);
    const bool whole = parsed.ec == std::errc() && parsed.ptr == part.data() + part.size();
    return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
  };
  const auto colon = text.find(':');
  const std::string_view low = text.substr(0, colon), high = colon == text.npos ? low : text.substr(colon + 1);
  const Range range{number(low), number(high)};
  const bool fine = (range.low || low.empty()) && (range.high || high.empty()) && (range.low || range.high) &&
                    (!range.low || !range.high || *range.low <= *range.high);
  if (!fine) return fail(ErrorCode::invalid_argument, "'{}', expected LOW:HIGH, LOW: or :HIGH", text);
  return range;
}

Result<Filter> parse_filter(const FilterText& text) {
  Filter filter;
  filter.words = text.words;
  filter.flight = text.flight;
  filter.cycle = text.cycle;
  if (!text.kind.empty()) {
    filter.kind = find_kind(text.kind);
    if (!filter.kind)
      return fail(ErrorCode::invalid_argument, "kind '{}', expected humanoid, quadruped, dog or unknown", text.kind);
  }
  for (const auto& [name, typed, to] :
       {std::tuple("speed", &text.speed, &filter.speed_mps), std::tuple("length", &text.length, &filter.length_s),
        std::tuple("turn", &text.turn, &filter.turn_deg)}) {
    if (typed->empty()) continue;
    if (to == &filter.turn_deg && *typed == "left") {
      filter.turn_deg = Range{kLeastTurn_deg, std::nullopt};
    } else if (to == &filter.turn_deg && *typed == "right") {
      filter.turn_deg = Range{std::nullopt, -kLeastTurn_deg};
    } else {
      const auto range = parse_range(*typed);
      if (!range) return fail(range.error().code, "{} {}", name, range.error().message);
      *to = *range;
    }
  }
  return filter;
}

}  // namespace shosa::library
