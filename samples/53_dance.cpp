// A dance from the motions that ship: two hip-hop steps in turn, then a fight that breaks in.

#include <fmt/format.h>

#include "motions/motions.h"
#include "shosa/analysis/metrics.h"
#include "shosa/blend/compose.h"

int main() {
  using namespace shosa;
  std::vector<blend::ScoreMotion> score;
  for (const char* name : {"hiphop_two_step", "hiphop_rock", "hiphop_two_step", "guard", "punch_left", "kick"}) {
    const auto made = motions::make(name);
    if (!made) return 1;
    const auto motion = blend::prepare_motion(analysis::study(made->clip, made->body_map), {.core = made->core});
    if (!motion) return 1;
    score.push_back({*motion, score.empty() ? std::optional(0.0) : std::nullopt});
  }
  const auto dance = blend::compose(score);
  if (!dance) return 1;
  for (const blend::Join& join : dance->joins) {
    fmt::print("{} -> {} at {:.2f} s: {}\n", join.from, join.to, join.report.at_s, method_name(join.report.method));
    if (!join.report.executed) return 1;
  }
  const auto studied = analysis::study(dance->clip, score.front().motion->map(), dance->contacts);
  if (!studied) return 1;
  const auto quality = analysis::measure_quality(*studied);
  fmt::print("{:.1f} s, standing feet slide {:.4f} m/s\n", dance->clip.duration_s(), quality.foot_skate_mps);
  return quality.foot_skate_mps < 0.03 ? 0 : 1;
}
