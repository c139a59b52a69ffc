#include "shosa/feet/settle_feet.h"

#include <algorithm>

#include "shosa/analysis/metrics.h"
#include "shosa/core/clip_edit.h"
#include "shosa/feet/place_feet.h"

namespace shosa::feet {

namespace {

// The rate at which characters are played.
constexpr double kPlayed_fps = 60.0;

/// Where contacts start and end depends on the rate at which one looks: what is seen at the clip's own or when played.
double slide_mps(const analysis::StudiedClip& seen) {
  const double own = analysis::measure_quality(seen).foot_skate_mps;
  if (seen.clip().fps() < 1.5 * kPlayed_fps) return own;
  const auto slower = resample(seen.clip(), kPlayed_fps);
  if (!slower) return own;
  return std::max(own, analysis::measure_quality(analysis::study(*slower, seen.map())).foot_skate_mps);
}

}  // namespace

Result<SettledFeet> settle_feet(const analysis::StudiedClip& captured, const SettleFeetParams& params) {
  if (!(params.slide_mps > 0.0) || params.max_rounds < 1) {
    return fail(ErrorCode::invalid_argument, "settle_feet: slide_mps {} and {} rounds, expected > 0 and >= 1",
                params.slide_mps, params.max_rounds);
  }
  if (const auto feet = captured.needs_feet(); !feet) return std::unexpected(feet.error());
  const double before_mps = slide_mps(captured);
  SettledFeet best{.clip = captured.clip(), .slide_before_mps = before_mps, .slide_mps = before_mps};
  analysis::StudiedClip seen = captured;
  for (int round = 1; round <= params.max_rounds && best.slide_mps > params.slide_mps; ++round) {
    const auto plan = captured_stances(captured.clip(), captured.positions(), seen.contacts());
    if (!plan) return std::unexpected(plan.error());
    auto placed = place_feet(captured.clip(), captured.map(), *plan);
    if (!placed) return std::unexpected(placed.error());
    seen = analysis::study(std::move(placed->clip), captured.map());
    const double slid_mps = slide_mps(seen);
    if (slid_mps >= best.slide_mps) continue;
    best.clip = seen.clip();
    best.slide_mps = slid_mps;
    best.rounds = round;
  }
  return best;
}

}  // namespace shosa::feet
