#pragma once

#include <algorithm>
#include <cmath>

#include "shosa/analysis/foot_contacts.h"
#include "shosa/analysis/intervals.h"
#include "shosa/analysis/local_ground.h"
#include "shosa/blend/motion.h"

namespace shosa::bench {

/// How much the standing feet of a joined motion slide, by nothing but the joined motion and its sources: the same for
/// every technique, whatever it believes about its own feet.
struct JoinSlide {
  double slide_mps = 0.0;  ///< Mean horizontal speed of the points that stand.
  double own_mps = 0.0;  ///< That of the sources in the same frames: of the one whose foot stands, of both the larger.
};

/// One side of a join: frame f of the joined motion is frame f - at of the motion.
struct Side {
  const blending::Motion* motion = nullptr;
  const ClipPositions* positions = nullptr;
  int at = 0;
};

/// A point stands in a frame when `contacts`, found on the joined motion, say so; or when both sources stand on it then
/// and the joined motion has it at ground level: a foot that skates too fast to be found is not let off. The heel
/// counts while the toe stands as well (docs/methods/metrics.md).
inline JoinSlide join_slide(const ClipPositions& positions, const analysis::FootContacts& contacts, const Side& before,
                            const Side& after, double frame_time_s, double from_s, double to_s) {
  constexpr double kLow_m = 0.01;
  const double dt = frame_time_s;
  const auto in_list = [&](const std::vector<TimeInterval>& list, int frame) {
    const int i = analysis::find_interval(list, frame * dt + 1e-9);
    return i >= 0 && list[static_cast<std::size_t>(i)].contains((frame + 1) * dt - 1e-9);
  };
  const auto in_source = [&](const Side& side, std::size_t k, bool heel, int frame) {
    const int local = frame - side.at;
    const analysis::FootContactTrack& foot = side.motion->contacts.feet[k];
    return local >= 0 && local + 1 < side.positions->frame_count() && in_list(heel ? foot.heel : foot.toe, local);
  };
  const auto step_m = [](const ClipPositions& p, int frame, int point) {
    const Vec3d step = p.point(frame + 1, point) - p.point(frame, point);
    return std::hypot(step.x(), step.z());
  };
  double path_m = 0.0, own_m = 0.0, time_s = 0.0;
  const int first = std::max(0, static_cast<int>(std::lround(from_s / dt)));
  const int last = std::min(positions.frame_count() - 1, static_cast<int>(std::lround(to_s / dt)));
  for (std::size_t k = 0; k < contacts.feet.size(); ++k) {
    const analysis::FootContactTrack& foot = contacts.feet[k];
    for (int f = first; f < last; ++f) {
      const double ground_m = analysis::local_ground_m(foot, f * dt, contacts.ground_m);
      const auto stands = [&](bool heel) {
        const int point = heel ? foot.points.heel : foot.points.toe;
        if (point < 0) return false;
        if (in_list(heel ? foot.heel : foot.toe, f)) return true;
        const double height_m = positions.point(f, point).y() - ground_m - (heel ? foot.heel_rest_m : foot.toe_rest_m);
        return height_m < kLow_m && in_source(before, k, heel, f) && in_source(after, k, heel, f);
      };
      const bool toe = stands(false);
      for (const bool heel : {true, false}) {
        const bool counts = heel ? stands(true) && (toe || foot.points.toe < 0) : toe;
        if (!counts) continue;
        const int point = heel ? foot.points.heel : foot.points.toe;
        path_m += step_m(positions, f, point);
        time_s += dt;
        double most_m = 0.0;
        for (const Side* side : {&before, &after}) {
          if (in_source(*side, k, true, f) || in_source(*side, k, false, f))
            most_m = std::max(most_m, step_m(*side->positions, f - side->at, point));
        }
        own_m += most_m;
      }
    }
  }
  if (time_s <= 0.0) return {};
  return {path_m / time_s, own_m / time_s};
}

}  // namespace shosa::bench
