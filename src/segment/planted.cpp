#include "segment/planted.h"

#include <algorithm>

#include "shosa/analysis/intervals.h"

namespace shosa::segment {

std::vector<char> planted_flags(const analysis::StudiedClip& studied, JointIndex joint, int first, int last) {
  const Clip& clip = studied.clip();
  for (const auto& foot : studied.contacts().feet) {
    const bool is_toe = foot.points.toe == joint && joint < clip.joint_count();
    if (foot.points.joint != joint && !is_toe) continue;
    std::vector<char> out;
    for (int f = first; f <= last; ++f) {
      const double time = std::min(f, clip.frame_count() - 1) * clip.frame_time_s();
      out.push_back(analysis::find_interval(foot.joined, time) >= 0 ? 1 : 0);
    }
    return out;
  }
  return {};
}

}  // namespace shosa::segment
