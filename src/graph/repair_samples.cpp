#include "shosa/graph/repair_samples.h"

#include <algorithm>
#include <cmath>

namespace shosa::graph {

int repair_samples(Clip& clip, double most_radps2) {
  constexpr float kLeast_rad = 0.087f;
  int repaired = 0;
  const int frames = clip.frame_count();
  const double step = clip.frame_time_s();
  for (JointIndex j = 0; j < clip.joint_count(); ++j) {
    for (const int width : {1, 2}) {
      // Out and back within `width + 1` steps of time: off by a (t/2)^2 / 2.
      const double half_s = 0.5 * (width + 1) * step;
      const float most = std::max(kLeast_rad, static_cast<float>(0.5 * most_radps2 * half_s * half_s));
      for (int f = 1; f + width < frames; ++f) {
        const Quatf before = clip.rotation(f - 1, j), after = clip.rotation(f + width, j);
        const float apart = before.angularDistance(after);
        bool broken = true;
        for (int k = 0; k < width; ++k) {
          const float share = static_cast<float>(k + 1) / static_cast<float>(width + 1);
          const float off = clip.rotation(f + k, j).angularDistance(before.slerp(share, after));
          broken = broken && off > most && off > apart;
        }
        if (!broken) continue;
        for (int k = 0; k < width; ++k) {
          const float share = static_cast<float>(k + 1) / static_cast<float>(width + 1);
          clip.set_rotation(f + k, j, before.slerp(share, after));
          ++repaired;
        }
      }
    }
  }
  return repaired;
}

}  // namespace shosa::graph
