#include "posing/stance_ends.h"

#include <algorithm>

#include "posing/frame_runs.h"

namespace shosa::posing {

void ease_stance_ends(const SourceFoot& source, const Vec3d& heel_in_foot_m, double frame_time_s,
                      const KeepFeetParams& params, std::vector<char>& heel_on, std::vector<char>& toe_on) {
  // What stays of a stance at least.
  constexpr std::size_t kLeastFrames = 4;
  const std::size_t frames = heel_on.size();
  std::vector<char> stands(frames);
  for (std::size_t f = 0; f < frames; ++f) stands[f] = heel_on[f] || toe_on[f];
  const auto heel = [&](std::size_t f) {
    return Vec3d(source.path.ankle_m[f] + source.path.rotation[f] * heel_in_foot_m);
  };
  const auto moves = [&](std::size_t f, std::size_t next) {
    Vec3d way = heel(next) - heel(f);
    if (toe_on[f]) {
      way = source.anchor_m[next] - source.anchor_m[f];
      way.y() = 0.0;  // it may rise over the tip of the toes
    }
    return way.norm() > params.still_mps * frame_time_s;
  };
  for (const Run& stance : runs_of(stands)) {
    const double length_s = static_cast<double>(stance.last - stance.first + 1) * frame_time_s;
    const auto most = static_cast<int>(std::min(params.ease_s, params.ease_share * length_s) / frame_time_s);
    std::size_t first = stance.first, last = stance.last;
    const auto long_enough = [&] { return last - first >= kLeastFrames; };
    if (first > 0) {
      for (int i = 0; i < most && long_enough() && moves(first, first + 1); ++i, ++first)
        heel_on[first] = toe_on[first] = 0;
    }
    if (last + 1 < frames) {
      for (int i = 0; i < most && long_enough() && moves(last, last - 1); ++i, --last) heel_on[last] = toe_on[last] = 0;
    }
  }
}

}  // namespace shosa::posing
