#include "shosa/graph/clean_captured.h"

#include "shosa/feet/settle_feet.h"
#include "shosa/graph/repair_samples.h"

namespace shosa::graph {

CleanedCapture clean_captured(Clip& clip, const body::BodyMap& map) {
  CleanedCapture done{.repaired = repair_samples(clip)};
  auto settled = feet::settle_feet(clip, map);
  if (!settled) {
    done.not_kept = settled.error();
  } else if (settled->rounds > 0) {
    done.kept = true;
    done.slide_before_mps = settled->slide_before_mps;
    clip = std::move(settled->clip);
  }
  return done;
}

}  // namespace shosa::graph
