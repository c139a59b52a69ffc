#include "shosa/feet/clean_captured.h"

#include <utility>

#include "shosa/feet/settle_feet.h"

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

CleanedCapture clean_captured(Clip clip, const body::BodyMap& map) {
  std::vector<BrokenEnd> ends = repair_ends(clip);
  const int repaired = repair_samples(clip);
  CleanedCapture done{
      .studied = analysis::study(std::move(clip), map), .ends = std::move(ends), .repaired = repaired, .not_kept = {}};
  auto settled = settle_feet(done.studied);
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
