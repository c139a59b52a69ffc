#pragma once

#include <cmath>

#include "shosa/analysis/foot_contacts.h"
#include "shosa/analysis/intervals.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::test {

/// Mean horizontal speed of planted foot points over the steps `first`..`last` of a source: the toe in toe contacts,
/// the ankle while heel and toe stand. `at(frame)` maps a frame of the source to one of `positions`; a negative one is
/// left out.
template <class Map>
double planted_slide_mps(const ClipPositions& positions, const analysis::FootContacts& contacts, double dt, int first,
                         int last, const Map& at) {
  double path = 0.0, time = 0.0;
  for (const auto& foot : contacts.feet) {
    const auto add = [&](int point, const std::vector<TimeInterval>& intervals) {
      if (point < 0) return;
      for (int f = first; f < last; ++f) {
        const int i = analysis::find_interval(intervals, f * dt + 1e-9);
        if (i < 0 || i != analysis::find_interval(intervals, (f + 1) * dt - 1e-9)) continue;
        const int a = at(f), b = at(f + 1);
        if (a < 0 || b < 0) continue;
        const Vec3d step = positions.point(b, point) - positions.point(a, point);
        path += std::hypot(step.x(), step.z());
        time += dt;
      }
    };
    add(foot.points.toe, foot.toe);
    add(foot.points.heel, foot.points.toe >= 0 ? analysis::interval_intersection(foot.heel, foot.toe) : foot.heel);
  }
  return time > 0.0 ? path / time : 0.0;
}

}  // namespace shosa::test
