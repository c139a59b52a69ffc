#include "io/tpose.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/euler.h"

namespace shosa::io {
namespace {

constexpr double kTurned_deg = 1.0;        // less is at rest
constexpr double kMostAtRest = 2.0 / 3.0;  // of the joints of a T-pose; the hips and feet of some are turned

double share_at_rest(const std::vector<Quatd>& turns) {
  const auto at_rest = std::ranges::count_if(
      turns, [](const Quatd& turn) { return turn.angularDistance(Quatd::Identity()) * kDegPerRad < kTurned_deg; });
  return static_cast<double>(at_rest) / static_cast<double>(turns.size());
}

struct Leap {
  double mean_deg = 0.0;  ///< Over the joints that turn at all.
  double most_deg = 0.0;
};

Leap leap_between(const std::vector<Quatd>& a, const std::vector<Quatd>& b) {
  Leap leap;
  int count = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const double angle_deg = a[j].angularDistance(b[j]) * kDegPerRad;
    if (angle_deg < 0.01) continue;
    leap.mean_deg += angle_deg;
    leap.most_deg = std::max(leap.most_deg, angle_deg);
    ++count;
  }
  if (count > 0) leap.mean_deg /= count;
  return leap;
}

}  // namespace

int count_tpose_frames(std::span<const std::vector<Quatd>> frames) {
  if (frames.size() < 2 || share_at_rest(frames[0]) < kMostAtRest) return 0;
  // A frame of zeros that was lost in capture may stand between the T-pose and the motion.
  const std::size_t first = frames.size() > 2 && share_at_rest(frames[1]) == 1.0 ? 2 : 1;
  const Leap leap = leap_between(frames[0], frames[first]);
  const Leap next = frames.size() > first + 1 ? leap_between(frames[first], frames[first + 1]) : Leap{};
  // The second case is a T-pose that a smoothing filter has drawn into the frames after it.
  const bool leaps = (leap.mean_deg > 5.0 && leap.mean_deg > 4.0 * next.mean_deg) ||
                     (leap.most_deg > 60.0 && leap.most_deg > 3.0 * next.most_deg);
  return leaps ? static_cast<int>(first) : 0;
}

int count_tpose_frames(const Clip& clip) {
  std::vector<std::vector<Quatd>> frames(static_cast<std::size_t>(std::min(clip.frame_count(), 4)));
  for (std::size_t f = 0; f < frames.size(); ++f) {
    for (JointIndex j = 0; j < clip.joint_count(); ++j) {
      const Quatd rest = clip.skeleton().joint(j).rest_rotation.cast<double>();
      frames[f].push_back(rest.conjugate() * clip.rotation(static_cast<int>(f), j).cast<double>());
    }
  }
  return count_tpose_frames(frames);
}

Note tpose_note(int frames, bool left_out) {
  if (left_out) return Note::done(fmt::format("left out {} frame{} of T-pose", frames, frames > 1 ? "s" : ""));
  return "frame 0 looks like an added T-pose (--drop-tpose leaves it out)";
}

}  // namespace shosa::io
