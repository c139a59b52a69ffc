#include "posing/tip_rise.h"

#include <algorithm>

namespace shosa::posing {
namespace {

// A toe point this far over its stance, for a leg of 0.85 m, is rising while the tip still stands; so far up, of the
// way from toe point to tip, it can.
constexpr double kTipRise_m = 0.005;
constexpr double kTipReach = 0.9;

}  // namespace

std::vector<double> rise_over_tip(std::span<const Vec3d> toe_m, const std::vector<char>& toe_on,
                                  const std::vector<char>& heel_on, const Run& stance, double scale,
                                  double tip_length_m) {
  std::vector<double> rise(stance.last - stance.first + 1, 0.0);
  if (!(tip_length_m > 0.0)) return rise;
  const auto height = [&](std::size_t f) { return toe_m[f].y(); };
  std::vector<double> heights;
  for (std::size_t f = stance.first; f <= stance.last; ++f) heights.push_back(height(f));
  const auto quartile = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 4);
  std::nth_element(heights.begin(), quartile, heights.end());
  const double soft = kTipRise_m * scale, level = *quartile + soft, most = kTipReach * tip_length_m;

  const auto rises = [&](std::size_t f) { return toe_on[f] && !heel_on[f] && height(f) > level; };
  std::size_t last = stance.last, first = stance.first;
  while (last > stance.first && rises(last)) --last;
  while (first < stance.last && rises(first)) ++first;
  if (first > last) return rise;
  const auto set = [&](std::size_t f, double from) {
    const double over = std::max(0.0, height(f) - from);
    rise[f - stance.first] = std::min(over < soft ? 0.5 * over * over / soft : over - 0.5 * soft, most);
  };
  // Where the heel comes or goes while the toe point is higher up, the rise counts from there.
  for (std::size_t f = last + 1; f <= stance.last; ++f) set(f, std::max(level, height(last)));
  for (std::size_t f = stance.first; f < first; ++f) set(f, std::max(level, height(first)));
  return rise;
}

}  // namespace shosa::posing
