#pragma once

#include <algorithm>
#include <cmath>

namespace shosa::submovement::detail {

/// How a long recording is cut: every stretch is decomposed with what came before taken away, the submovements that
/// begin well before its end are kept, and the next stretch begins where the first of the others does. Time is then
/// linear in the length.
inline constexpr double kStretch_s = 8.0;    ///< Length of one stretch.
inline constexpr double kLookAhead_s = 3.0;  ///< Submovements that begin in the last part are left to the next stretch.
inline constexpr double kOneStretch_s = 12.0;  ///< Shorter recordings are not cut.
inline constexpr double kBackUp_s = 0.3;       ///< The next stretch begins this much before its first submovement.

/// `solve(first, count, is_first)` decomposes samples [first, first + count) and returns an object with `timings`,
/// ascending in t0 and relative to the recording; `keep(object, n)` takes its first n submovements.
template <class Solve, class Keep>
void for_each_stretch(int samples, double step_s, Solve&& solve, Keep&& keep) {
  int first = 0;
  while (true) {
    const double left = (samples - first) * step_s;
    const bool last = left <= kOneStretch_s;
    const int count = last ? samples - first : std::max(2, static_cast<int>(std::lround(kStretch_s / step_s)));
    auto found = solve(first, count, first == 0);
    if (last) {
      keep(found, found.timings.size());
      return;
    }
    const double cut = (first + count) * step_s - kLookAhead_s;
    std::size_t kept = 0;
    while (kept < found.timings.size() && found.timings[kept].t0_s < cut) ++kept;
    const double next = kept < found.timings.size() ? std::min(found.timings[kept].t0_s - kBackUp_s, cut) : cut;
    keep(found, kept);
    const int earliest = first + std::max(1, count / 4);
    first = std::clamp(static_cast<int>(std::floor(next / step_s)), earliest, samples - 1);
  }
}

}  // namespace shosa::submovement::detail
