#include "segment/planted.h"

#include <algorithm>

#include "shosa/analysis/intervals.h"

namespace shosa::segment {

PlantedFeet::PlantedFeet(const Clip& clip, const body::BodyMap& map) : clip_(clip) {
  if (auto found = analysis::find_foot_contacts(clip, map)) contacts_ = std::move(*found);
}

std::vector<char> PlantedFeet::flags(JointIndex joint, int first, int last) const {
  if (!contacts_) return {};
  for (const auto& foot : contacts_->feet) {
    const bool is_toe = foot.points.toe == joint && joint < clip_.joint_count();
    if (foot.points.joint != joint && !is_toe) continue;
    const double dt = clip_.frame_time_s();
    std::vector<char> out;
    for (int f = first; f <= last; ++f) {
      const double time = std::min(f, clip_.frame_count() - 1) * dt;
      out.push_back(analysis::find_interval(foot.joined, time) >= 0 ? 1 : 0);
    }
    return out;
  }
  return {};
}

}  // namespace shosa::segment
