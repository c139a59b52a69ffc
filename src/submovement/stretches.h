#pragma once

#include <algorithm>
#include <cmath>

namespace shosa::submovement::detail {

/// How a long recording is cut: every stretch is decomposed with what came before taken away, the submovements that
/// begin well before its end are kept, and the next stretch begins where the first of the others does. Time is then
/// linear in the length. A stretch that stays too far from its samples is tried again at half its length.
inline constexpr double kStretch_s = 8.0;      ///< Length of one stretch.
inline constexpr double kLookAhead = 3.0 / 8;  ///< Submovements that begin in this last share are left to the next one.
inline constexpr double kOneStretch = 1.5;     ///< What is left is not cut when it is no longer than so many stretches.
inline constexpr double kShortest_s = 1.5;     ///< No stretch is made shorter than this.
inline constexpr double kBackUp_s = 0.3;       ///< The next stretch begins this much before its first submovement.

/// `longest_s(first)` is how long a stretch from there may be; `solve(first, count, is_first)` decomposes samples
/// [first, first + count) and returns an object with `timings`, ascending in t0 and relative to the recording, and
/// `good`; `keep(object, n)` takes its first n submovements.
template <class Longest, class Solve, class Keep>
void for_each_stretch(int samples, double step_s, bool in_order, Longest&& longest_s, Solve&& solve, Keep&& keep) {
  int first = 0;
  double stretch_s = longest_s(first), reach_s = 1e300;
  while (true) {
    const double left_s = (samples - first) * step_s;
    const int whole = std::max(2, static_cast<int>(std::lround(std::min(stretch_s / step_s, 1e9))));
    const bool last = left_s <= kOneStretch * stretch_s || samples - first <= whole;
    const int count = last ? samples - first : whole;
    auto found = solve(first, count, first == 0);
    if (!found.good && 0.5 * count * step_s >= kShortest_s) {
      stretch_s = reach_s = 0.5 * std::min(stretch_s, count * step_s);
      continue;
    }
    if (last) {
      keep(found, found.timings.size());
      return;
    }
    const double cut_s = (first + (1.0 - kLookAhead) * count) * step_s;
    std::size_t kept = 0;
    while (kept < found.timings.size() && found.timings[kept].t0_s < cut_s) ++kept;
    double next_s = kept < found.timings.size() ? std::min(found.timings[kept].t0_s - kBackUp_s, cut_s) : cut_s;
    // Factors of a product stand in the order of their starts: none of the next stretch may begin before one that is
    // kept.
    if (in_order && kept > 0) next_s = std::max(next_s, found.timings[kept - 1].t0_s + step_s);
    keep(found, kept);
    const int earliest = first + std::max(1, count / 4);
    first = std::clamp(static_cast<int>(std::floor(next_s / step_s)), earliest, samples - 1);
    // What failed at some length hardly succeeds at it next door.
    reach_s = std::min(1.5 * reach_s, 1e300);
    stretch_s = std::min(longest_s(first), reach_s);
  }
}

}  // namespace shosa::submovement::detail
