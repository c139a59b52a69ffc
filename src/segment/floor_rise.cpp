#include "segment/floor_rise.h"

#include <algorithm>
#include <cmath>

namespace shosa::segment {
namespace {

// Captured floors are uneven by a few centimetres; over a cycle, for a leg of 0.85 m, a foot rises more on any stairs.
constexpr double kStairs_m = 0.06;

}  // namespace

FloorRise floor_rise(const analysis::StudiedClip& studied, int first, int last) {
  const double dt = studied.clip().frame_time_s();
  FloorRise out;
  double least = 0.0, most = 0.0;
  int feet = 0, twice = 0;
  for (const analysis::FootContactTrack& foot : studied.contacts().feet) {
    if (foot.points.kind == body::FootKind::hand) continue;
    ++feet;
    // The two stances that are most nearly a cycle apart and of which at least one overlaps the cycle.
    double best = 0.5 * (last - first) * dt, rise = 0.0;
    bool found = false;
    for (std::size_t s = 0; s + 1 < foot.stances.size(); ++s) {
      const analysis::FootContact &one = foot.stances[s], &next = foot.stances[s + 1];
      if (next.time.begin_s > last * dt || one.time.end_s < first * dt) continue;
      const double middles_s = 0.5 * (next.time.begin_s + next.time.end_s - one.time.begin_s - one.time.end_s);
      const double off = std::abs(middles_s - (last - first) * dt);
      if (off >= best) continue;
      best = off, rise = next.ground_m - one.ground_m, found = true;
    }
    if (!found) continue;
    least = twice == 0 ? rise : std::min(least, rise);
    most = twice == 0 ? rise : std::max(most, rise);
    out.rise_m += rise;
    ++twice;
  }
  if (twice > 0) out.rise_m /= twice;
  const double stairs = kStairs_m * studied.contacts().scale;
  out.climbs = feet > 0 && twice == feet && (least > stairs || most < -stairs);
  return out;
}

}  // namespace shosa::segment
