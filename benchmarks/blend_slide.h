#pragma once

#include <algorithm>
#include <cmath>

#include "shosa/analysis/intervals.h"
#include "shosa/analysis/local_ground.h"
#include "shosa/analysis/studied_clip.h"

namespace shosa::bench {

/// A motion with the contacts that were found on it: frame f of the joined motion is frame f - at of this one.
struct FoundFeet {
  analysis::StudiedClip studied;
  int at = 0;
};

/// Whether a point stands from this frame of the joined motion to the next. The heel counts while the toe stands as
/// well: at heel strike and push-off the ankle rolls (docs/methods/metrics.md).
inline bool point_stands(const FoundFeet& feet, std::size_t k, bool heel, int frame, double dt) {
  const int local = frame - feet.at;
  if (local < 0 || local + 1 >= feet.studied.positions().frame_count()) return false;
  const analysis::FootContactTrack& foot = feet.studied.contacts().feet[k];
  const auto within = [&](const std::vector<TimeInterval>& list) {
    const int i = analysis::find_interval(list, local * dt + 1e-9);
    return i >= 0 && list[i].contains((local + 1) * dt - 1e-9);
  };
  if (!heel) return foot.points.toe >= 0 && within(foot.toe);
  return foot.points.heel >= 0 && within(foot.heel) && (foot.points.toe < 0 || within(foot.toe));
}

/// How much the standing feet of a joined motion slide, by nothing but the joined motion and its sources: one rule for
/// every technique, whatever it believes about its own feet.
struct JoinSlide {
  double slide_mps = 0.0;  ///< Mean horizontal speed of the points that stand: `foot_skate_mps` over a stretch.
  double own_mps = 0.0;    ///< That of the same points in the same frames of the sources, where they stand in them.
};

/// Contacts of `joined` are found on it, as a stranger would. A foot that skates too fast to be found is not let off: a
/// point that both sources stand on counts as well where the joined motion has it within 1 cm of the ground. Where both
/// sources stand the larger slide is their own, where neither does it is 0.
inline JoinSlide join_slide(const FoundFeet& joined, const FoundFeet& before, const FoundFeet& after, double dt,
                            double from_s, double to_s) {
  constexpr double kLow_m = 0.01;
  const int first = std::max(0, static_cast<int>(std::lround(from_s / dt)));
  const int last = std::min(joined.studied.positions().frame_count() - 1, static_cast<int>(std::lround(to_s / dt)));
  const auto step_m = [](const FoundFeet& feet, int frame, int point) {
    const int local = frame - feet.at;
    const Vec3d step = feet.studied.positions().point(local + 1, point) - feet.studied.positions().point(local, point);
    return std::hypot(step.x(), step.z());
  };
  double path_m = 0.0, own_m = 0.0, time_s = 0.0;
  for (std::size_t k = 0; k < joined.studied.contacts().feet.size(); ++k) {
    const analysis::FootContactTrack& foot = joined.studied.contacts().feet[k];
    for (const bool heel : {true, false}) {
      const int point = heel ? foot.points.heel : foot.points.toe;
      if (point < 0) continue;
      for (int f = first; f < last; ++f) {
        const bool stood = point_stands(before, k, heel, f, dt), will_stand = point_stands(after, k, heel, f, dt);
        if (!point_stands(joined, k, heel, f, dt)) {
          const double level_m = analysis::local_ground_m(foot, f * dt, joined.studied.contacts().ground_m) +
                                 (heel ? foot.heel_rest_m : foot.toe_rest_m);
          if (!stood || !will_stand || joined.studied.positions().point(f, point).y() - level_m >= kLow_m) continue;
        }
        path_m += step_m(joined, f, point);
        own_m += std::max(stood ? step_m(before, f, point) : 0.0, will_stand ? step_m(after, f, point) : 0.0);
        time_s += dt;
      }
    }
  }
  return time_s > 0.0 ? JoinSlide{path_m / time_s, own_m / time_s} : JoinSlide{};
}

}  // namespace shosa::bench
