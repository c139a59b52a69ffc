#include "shosa/graph/settle_feet.h"

#include "shosa/analysis/foot_contacts.h"
#include "shosa/analysis/metrics.h"
#include "shosa/posing/keep_feet.h"

namespace shosa::graph {

Result<SettledFeet> settle_feet(const Clip& clip, const BodyMap& map, const SettleFeetParams& params) {
  if (!(params.slide_mps >= 0.0) || !(params.enough_mps >= 0.0) || params.max_rounds < 1) {
    return fail(ErrorCode::invalid_argument,
                "settle_feet: slide_mps {}, enough_mps {} and {} rounds, expected >= 0, >= 0 and >= 1",
                params.slide_mps, params.enough_mps, params.max_rounds);
  }
  const auto slide_mps = [](const Clip& moved, const analysis::FootContacts& contacts) {
    return analysis::measure_quality(moved, clip_positions(moved), &contacts).foot_skate_mps;
  };
  auto contacts = analysis::find_foot_contacts(clip, map);
  if (!contacts) return std::unexpected(contacts.error());
  SettledFeet best{clip};
  best.slide_mps = best.slide_before_mps = slide_mps(clip, *contacts);
  if (best.slide_before_mps <= params.slide_mps) return best;
  for (int round = 1; round <= params.max_rounds && best.slide_mps > params.enough_mps; ++round) {
    auto kept = posing::keep_feet(clip, map, *contacts);
    if (!kept) return std::unexpected(kept.error());
    auto found = analysis::find_foot_contacts(kept->clip, map);
    if (!found) return std::unexpected(found.error());
    const double slide = slide_mps(kept->clip, *found);
    if (round > 1 && slide >= best.slide_mps) break;
    best.clip = std::move(kept->clip), best.slide_mps = slide, best.rounds = round;
    contacts = std::move(found);
  }
  return best;
}

}  // namespace shosa::graph
