#include "shosa/feet/settle_feet.h"

#include <algorithm>

#include "shosa/analysis/metrics.h"
#include "shosa/core/clip_edit.h"
#include "shosa/feet/place_feet.h"

namespace shosa::feet {

namespace {

// The rate at which characters are played.
constexpr double kPlayed_fps = 60.0;

struct Seen {
  analysis::FootContacts contacts;
  double slide_mps = 0.0;
};

Result<Seen> look(const Clip& clip, const ClipPositions& positions, const body::BodyMap& map) {
  auto contacts = analysis::find_foot_contacts(clip, positions, map);
  if (!contacts) return std::unexpected(contacts.error());
  Seen seen{std::move(*contacts)};
  seen.slide_mps = analysis::measure_quality(clip, positions, &seen.contacts).foot_skate_mps;
  return seen;
}

/// Where contacts begin and end depends on the rate at which one looks: what is seen at the clip's own or when played.
Result<Seen> look(const Clip& clip, const body::BodyMap& map) {
  auto own = look(clip, clip_positions(clip), map);
  if (!own || clip.fps() < 1.5 * kPlayed_fps) return own;
  const auto slower = resample(clip, kPlayed_fps);
  if (!slower) return own;
  const auto played = look(*slower, clip_positions(*slower), map);
  if (played) own->slide_mps = std::max(own->slide_mps, played->slide_mps);
  return own;
}

}  // namespace

Result<SettledFeet> settle_feet(const Clip& clip, const body::BodyMap& map, const SettleFeetParams& params) {
  if (!(params.slide_mps > 0.0) || params.max_rounds < 1) {
    return fail(ErrorCode::invalid_argument, "settle_feet: slide_mps {} and {} rounds, expected > 0 and >= 1",
                params.slide_mps, params.max_rounds);
  }
  auto seen = look(clip, map);
  if (!seen) return std::unexpected(seen.error());
  SettledFeet best{.clip = clip, .slide_before_mps = seen->slide_mps, .slide_mps = seen->slide_mps};
  const ClipPositions positions = clip_positions(clip);
  for (int round = 1; round <= params.max_rounds && best.slide_mps > params.slide_mps; ++round) {
    const auto plan = captured_stances(clip, positions, seen->contacts);
    if (!plan) return std::unexpected(plan.error());
    auto placed = place_feet(clip, map, *plan);
    if (!placed) return std::unexpected(placed.error());
    seen = look(placed->clip, map);
    if (!seen) return std::unexpected(seen.error());
    if (seen->slide_mps >= best.slide_mps) continue;
    best.clip = std::move(placed->clip);
    best.slide_mps = seen->slide_mps;
    best.rounds = round;
  }
  return best;
}

}  // namespace shosa::feet
