#include "shosa/feet/clean_captured.h"

#include <utility>

#include "feet/settle_feet.h"
#include "shosa/analysis/metrics.h"
#include "shosa/feet/place_feet.h"

namespace shosa::feet {

Notes CleanedCapture::notes() const {
  Notes notes;
  for (const BrokenEnd& end : ends) {
    notes.push_back(Note::done(fmt::format("frame {} is broken ({:.0f} m/s to its neighbour): played as its neighbour",
                                           end.frame, end.speed_mps)));
  }
  if (repaired > 0)
    notes.push_back(Note::done(fmt::format("{} joint rotations were captured wrongly and are interpolated", repaired)));
  if (not_kept) notes.push_back(fmt::format("feet are not kept: {}", not_kept->message));
  if (kept)
    notes.push_back(Note::done(fmt::format("feet slide by {:.3f} m/s and are kept in place", slide_before_mps)));
  return notes;
}

namespace {

/// When feet stand is known, so that one round is enough: nobody looks for contacts in the result.
Result<SettledFeet> settle_given(const analysis::StudiedClip& studied, const analysis::GivenContacts& given) {
  SettledFeet out{.studied = studied};
  out.slide_mps = out.slide_before_mps = analysis::measure_quality(studied).foot_skate_mps;
  if (out.slide_mps <= SettleFeetParams().slide_mps) return out;
  const auto plan = captured_stances(studied.clip(), studied.positions(), studied.contacts());
  if (!plan) return std::unexpected(plan.error());
  auto placed = place_feet(studied.clip(), studied.map(), *plan);
  if (!placed) return std::unexpected(placed.error());
  out.studied = analysis::study_with_contacts(std::move(placed->clip), studied.map(), given);
  out.slide_mps = analysis::measure_quality(out.studied).foot_skate_mps;
  out.rounds = 1;
  return out;
}

}  // namespace

CleanedCapture clean_captured(Clip clip, const body::BodyMap& map, const analysis::GivenContacts& given) {
  std::vector<BrokenEnd> ends = repair_ends(clip);
  const int repaired = repair_samples(clip);
  CleanedCapture done{.studied = analysis::study_with_contacts(std::move(clip), map, given),
                      .ends = std::move(ends),
                      .repaired = repaired,
                      .not_kept = {}};
  auto settled = given.empty() ? settle_feet(done.studied) : settle_given(done.studied, given);
  if (!settled) {
    done.not_kept = settled.error();
  } else if (settled->rounds > 0) {
    done.kept = true;
    done.slide_before_mps = settled->slide_before_mps;
    done.studied = std::move(settled->studied);
  }
  return done;
}

}  // namespace shosa::feet
