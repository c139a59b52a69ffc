#include "shosa/feet/repair_samples.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "shosa/core/forward_kinematics.h"

namespace shosa::feet {

namespace {

/// Runs of up to two frames at an end of the clip: there is nothing beyond them to come back from. They are broken
/// where the step out of them is more than twice what the acceleration explains, and much more than the steps that
/// follow and those within them. `at(k)` is the k-th frame from the end. Returns how many were replaced by the next.
template <class FrameAt>
int repair_end_runs(Clip& clip, JointIndex j, double most_radps2, const FrameAt& at) {
  constexpr float kLeast_rad = 0.175f;  // 10 degrees
  constexpr float kMuchMore = 6.0f;
  const double step_s = clip.frame_time_s();
  const float most = std::max(kLeast_rad, static_cast<float>(most_radps2 * step_s * step_s));
  const auto step = [&](int k) { return clip.rotation(at(k), j).angularDistance(clip.rotation(at(k + 1), j)); };
  for (const int width : {2, 1}) {
    if (clip.frame_count() < width + 3) continue;
    const float leap = step(width - 1);
    float others = std::max(step(width), step(width + 1));
    if (width == 2) others = std::max(others, step(0));
    if (leap <= most || leap <= kMuchMore * others) continue;
    for (int k = 0; k < width; ++k) clip.set_rotation(at(k), j, clip.rotation(at(width), j));
    return width;
  }
  return 0;
}

}  // namespace

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
    repaired += repair_end_runs(clip, j, most_radps2, [](int k) { return k; });
    repaired += repair_end_runs(clip, j, most_radps2, [&](int k) { return frames - 1 - k; });
  }
  return repaired;
}

std::vector<BrokenEnd> repair_ends(Clip& clip, double most_mps) {
  std::vector<BrokenEnd> broken;
  const int last = clip.frame_count() - 1;
  if (last < 2) return broken;
  for (const auto& [frame, neighbour] : {std::pair{0, 1}, std::pair{last, last - 1}}) {
    const WorldPose at = forward_kinematics(clip.skeleton(), clip.frame(frame)),
                    next = forward_kinematics(clip.skeleton(), clip.frame(neighbour));
    double sum_m = 0.0;
    for (std::size_t j = 0; j < at.positions.size(); ++j) sum_m += (at.positions[j] - next.positions[j]).norm();
    const double speed_mps = sum_m / (clip.joint_count() * clip.frame_time_s());
    if (speed_mps < most_mps) continue;
    clip.set_frame(frame, clip.frame(neighbour));
    broken.push_back({frame, speed_mps});
  }
  return broken;
}

}  // namespace shosa::feet
