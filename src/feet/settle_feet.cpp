#include "feet/settle_feet.h"

#include <algorithm>
#include <utility>

#include "shosa/analysis/metrics.h"
#include "shosa/analysis/on_the_spot.h"
#include "shosa/core/clip_edit.h"
#include "shosa/feet/place_feet.h"

namespace shosa::feet {

namespace {

// The rate at which characters are played.
constexpr double kPlayed_fps = 60.0;

/// Where contacts start and end depends on the rate at which one looks: what is seen at the clip's own or when played.
double seen_slide_mps(const analysis::StudiedClip& studied) {
  const double own = analysis::measure_quality(studied).foot_skate_mps;
  if (studied.clip().fps() < 1.5 * kPlayed_fps) return own;
  auto slower = resample(studied.clip(), kPlayed_fps);
  if (!slower) return own;
  const analysis::StudiedClip played = analysis::study(std::move(*slower), studied.map());
  return std::max(own, analysis::measure_quality(played).foot_skate_mps);
}

}  // namespace

Result<SettledFeet> settle_feet(const analysis::StudiedClip& studied, const SettleFeetParams& params) {
  if (!(params.slide_mps > 0.0) || params.max_rounds < 1) {
    return fail(ErrorCode::invalid_argument, "settle_feet: slide_mps {} and {} rounds, expected > 0 and >= 1",
                params.slide_mps, params.max_rounds);
  }
  if (const auto known = studied.needs_feet(); !known) return std::unexpected(known.error());
  const double slide_mps = seen_slide_mps(studied);
  SettledFeet best{.studied = studied, .slide_before_mps = slide_mps, .slide_mps = slide_mps};
  if (slide_mps <= params.slide_mps) return best;
  if (const auto still = analysis::needs_still_ground(studied); !still) return std::unexpected(still.error());
  analysis::StudiedClip seen = studied;
  for (int round = 1; round <= params.max_rounds && best.slide_mps > params.slide_mps; ++round) {
    const auto plan = captured_stances(studied.clip(), studied.positions(), seen.contacts());
    if (!plan) return std::unexpected(plan.error());
    auto placed = place_feet(studied.clip(), studied.map(), *plan);
    if (!placed) return std::unexpected(placed.error());
    seen = analysis::study(std::move(placed->clip), studied.map());
    const double now_mps = seen_slide_mps(seen);
    if (now_mps < best.slide_mps) best = {seen, slide_mps, now_mps, round};
  }
  return best;
}

}  // namespace shosa::feet
