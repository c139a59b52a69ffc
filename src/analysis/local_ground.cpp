#include "shosa/analysis/local_ground.h"

#include <algorithm>

namespace shosa::analysis {

double local_ground_m(const FootContactTrack& foot, double time_s, double clip_ground_m) {
  if (foot.stances.empty()) return clip_ground_m;
  const auto after = std::upper_bound(foot.stances.begin(), foot.stances.end(), time_s,
                                      [](double t, const FootContact& c) { return t < c.time.begin_s; });
  if (after == foot.stances.begin()) return after->ground_m;
  const auto before = after - 1;
  if (before->time.contains(time_s) || after == foot.stances.end()) return before->ground_m;
  return std::min(before->ground_m, after->ground_m);
}

}  // namespace shosa::analysis
