#include "analysis/contact_frames.h"

#include <algorithm>
#include <cmath>

namespace shosa::analysis {
namespace {

/// Slopes of up to 15 degrees under a flat foot; a heel raised further is on tiptoe.
constexpr double kSlope_m = 0.045;
/// A ball or tip that hardly moves may be this many times higher than the bounds: toes are captured poorly.
constexpr double kStillToeHeight = 2.0;
/// Shortest part of a rest that can have a level of its own.
constexpr double kSplit_s = 0.15;

/// Runs of frames inside `frames` for which `holds` is true.
template <class Predicate>
std::vector<FrameRange> runs_within(const FrameRange& frames, Predicate holds) {
  std::vector<char> flags(static_cast<std::size_t>(frames.count()));
  for (std::size_t k = 0; k < flags.size(); ++k) flags[k] = holds(frames.first + static_cast<int>(k));
  std::vector<FrameRange> runs = true_runs(flags);
  for (FrameRange& run : runs) run = {run.first + frames.first, run.last + frames.first};
  return runs;
}

/// The level of the ground under the heel: on a slope it differs from that under the ball, by no more than kSlope_m.
double heel_level(const SolePoint& heel, const Rest& rest, double scale, const FootContactParams& params) {
  std::vector<double> still;
  for (int f = rest.frames.first; f <= rest.frames.last; ++f) {
    const auto i = static_cast<std::size_t>(f);
    if (heel.speed_mps[i] < params.support_speed_mps * std::sqrt(scale)) still.push_back(heel.level_m[i]);
  }
  if (still.empty()) return rest.level_m;
  return std::clamp(percentile(std::move(still), 0.1), rest.level_m - kSlope_m * scale,
                    rest.level_m + kSlope_m * scale);
}

/// Frames of one rest in which any of the points is in contact: below the leave bounds around a frame below the enter
/// bounds. Points that hardly move may be `still_height` times higher.
void mark_contacts(const std::vector<const SolePoint*>& points, const Rest& rest, double level_m, double still_height,
                   double scale, const FootContactParams& params, std::vector<char>& contact) {
  const double speed_scale = std::sqrt(scale);
  // Flags of the rest's own frames: a clip has many rests.
  const auto frames = static_cast<std::size_t>(rest.frames.count());
  std::vector<char> near(frames, 0), sure(frames, 0);
  for (const SolePoint* point : points) {
    for (int f = rest.frames.first; f <= rest.frames.last; ++f) {
      const auto i = static_cast<std::size_t>(f);
      const double speed = point->speed_mps[i];
      const bool still = speed < params.support_speed_mps * speed_scale;
      const double height = (point->level_m[i] - level_m) / (still ? still_height : 1.0);
      const auto k = static_cast<std::size_t>(f - rest.frames.first);
      near[k] |= height < params.leave_height_m * scale && speed < params.leave_speed_mps * speed_scale;
      sure[k] |= height < params.enter_height_m * scale && speed < params.enter_speed_mps * speed_scale;
    }
  }
  for (const FrameRange& run : true_runs(near)) {
    if (std::find(sure.begin() + run.first, sure.begin() + run.last + 1, 1) == sure.begin() + run.last + 1) continue;
    const auto begin = contact.begin() + rest.frames.first;
    std::fill(begin + run.first, begin + run.last + 1, 1);
  }
}

/// A foot that rolls over uneven ground rises a little without ever moving fast: no lift-off.
void close_slow_gaps(const FootTrack& track, const Rest& rest, double scale, const FootContactParams& params,
                     std::vector<char>& contact) {
  for (const FrameRange& run : runs_within(rest.frames, [&](int f) { return !contact[f]; })) {
    bool slow = run.first > rest.frames.first && run.last < rest.frames.last;
    for (int f = run.first; f <= run.last && slow; ++f) {
      const auto i = static_cast<std::size_t>(f);
      slow = track.slowest_mps[i] < params.enter_speed_mps * std::sqrt(scale) &&
             track.lowest_m[i] < rest.level_m + 2.0 * params.leave_height_m * scale;
    }
    if (slow) std::fill(contact.begin() + run.first, contact.begin() + run.last + 1, 1);
  }
}

}  // namespace

ContactFrames contact_frames(const FootWork& foot, double scale, const FootContactParams& params) {
  const std::size_t frames = foot.track.slowest_mps.size();
  ContactFrames out{std::vector<char>(frames, 0), std::vector<char>(frames, 0)};
  std::vector<const SolePoint*> toes;
  for (const SolePoint& toe : foot.track.toes) toes.push_back(&toe);
  for (const Rest& rest : foot.rests) {
    if (!rest.counts) continue;
    if (!foot.track.heel.level_m.empty()) {
      const double level = heel_level(foot.track.heel, rest, scale, params);
      mark_contacts({&foot.track.heel}, rest, level, 1.0, scale, params, out.heel);
    }
    mark_contacts(toes, rest, rest.level_m, kStillToeHeight, scale, params, out.toe);
    close_slow_gaps(foot.track, rest, scale, params, out.toe);
  }
  return out;
}

bool split_rests(FootWork& foot, double frame_time_s, double scale, const FootContactParams& params) {
  const std::vector<char> contact = contact_frames(foot, scale, params).joined();
  const double speed_scale = std::sqrt(scale);
  std::vector<Rest> found;
  for (const Rest& rest : foot.rests) {
    if (!rest.counts) continue;
    const auto slow_and_high = [&](int f) {
      const auto i = static_cast<std::size_t>(f);
      return !contact[i] && foot.track.slowest_mps[i] < params.enter_speed_mps * speed_scale;
    };
    for (const FrameRange& run : runs_within(rest.frames, slow_and_high)) {
      if (run.count() * frame_time_s < kSplit_s) continue;
      const Rest part = make_rest(foot.track, run);
      if (part.median_speed_mps < params.carry_speed_mps * speed_scale) found.push_back(part);
    }
  }
  foot.rests.insert(foot.rests.end(), found.begin(), found.end());
  return !found.empty();
}

void trim_inner_edges(std::vector<char>& contact, const std::vector<char>& other, const std::vector<double>& speed_mps,
                      double edge_mps) {
  const int frames = static_cast<int>(contact.size());
  const auto at = [](const auto& list, int f) { return list[f]; };
  for (FrameRange run : true_runs(contact)) {
    const std::vector<double> speeds(speed_mps.begin() + run.first, speed_mps.begin() + run.last + 1);
    const double bound = std::max(edge_mps, 2.0 * percentile(speeds, 0.5));
    while (run.first > 0 && run.first < run.last && at(other, run.first - 1) && at(speed_mps, run.first) > bound) {
      contact[run.first++] = 0;
    }
    while (run.last < frames - 1 && run.last > run.first && at(other, run.last + 1) &&
           at(speed_mps, run.last) > bound) {
      contact[run.last--] = 0;
    }
  }
}

}  // namespace shosa::analysis
