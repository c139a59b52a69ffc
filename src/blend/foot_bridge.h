#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "blend/rig.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::blend {

/// A foot between two motions that keep their places: it stands where the previous motion left it, goes the way that
/// the bridged joints give it, and stands where the next one has it.
///
/// target = mix(from, mix(own way, to, u1), u0), u0 and u1 C2 steps. A foot that is in the air at the begin (end) has
/// no `from` (`to`): u0 = 1 (u1 = 0).
struct FootBridge {
  FootPose from, to;
  double leave_begin = 0.0, leave_end = 0.0;    ///< Frames. It leaves at once where `leaves` is off.
  double arrive_begin = 0.0, arrive_end = 0.0;  ///< It does not arrive where `arrives` is off.
  bool leaves = false;                          ///< It stands at the begin.
  bool arrives = false;                         ///< It stands at the end.
  bool stands = false;                          ///< All the time: both places are one, but for the sources' own drift.
  double clearance_m = 0.0;                     ///< Of a step from stance to stance, at its top.
  bool straight = false;                        ///< From stance to stance without looking at the joints' own way.

  struct Target {
    FootPose pose;
    double firm = 0.0;  ///< 1 where it stands, 0 in the air.
  };
  Target at(double frame, const FootPose& own) const {
    if (straight) return straight_at(frame);
    const double u0 = leaves ? step(frame, leave_begin, leave_end) : 1.0;
    const double u1 = arrives ? step(frame, arrive_begin, arrive_end) : 0.0;
    if (stands) return {mixed(from, to, u1), 1.0};
    FootPose going = mixed(own, to, u1);
    if (arrives) {
      set_level(going.anchor_m, own.anchor_m, to.anchor_m,
                step(frame, arrive_begin, arrive_end - kUpright * (arrive_end - arrive_begin)));
    }
    Target target{going, std::max(1.0 - u0, u1)};
    if (leaves) {
      // It rolls over its ball before it lifts.
      const double roll = step(frame, leave_begin - (leave_end - leave_begin), leave_begin);
      target.pose.anchor_m = from.anchor_m + (going.anchor_m - from.anchor_m) * u0;
      set_level(target.pose.anchor_m, from.anchor_m, going.anchor_m,
                step(frame, leave_begin + kUpright * (leave_end - leave_begin), leave_end));
      target.pose.rotation = mixed(from, going, roll).rotation;
      target.firm = std::max(1.0 - roll, u1);
    }
    if (clearance_m > 0.0) target.pose.anchor_m.y() += lift_m(frame, target.pose.anchor_m.y());
    return target;
  }

 private:
  /// Share of its leaving in which a foot goes up before it travels, and of its arriving in which it comes down.
  static constexpr double kUpright = 0.1;
  static void set_level(Vec3d& anchor_m, const Vec3d& a, const Vec3d& b, double u) {
    anchor_m.x() = a.x() + (b.x() - a.x()) * u;
    anchor_m.z() = a.z() + (b.z() - a.z()) * u;
  }
  static double step(double frame, double begin, double end) {
    return minimum_jerk_step((frame - begin) / std::max(end - begin, 1e-9));
  }
  Target straight_at(double frame) const {
    const double x = std::clamp((frame - leave_begin) / std::max(arrive_end - leave_begin, 1e-9), 0.0, 1.0);
    const double u = step(x, kUpright, 1.0 - kUpright);
    Target target{mixed(from, to, u), (2.0 * u - 1.0) * (2.0 * u - 1.0)};
    target.pose.anchor_m.y() += clearance_m * 16.0 * x * x * (1.0 - x) * (1.0 - x);
    return target;
  }
  // What is missing of the clearance, as a smooth maximum with nothing.
  double lift_m(double frame, double height_m) const {
    const double x = std::clamp((frame - leave_begin) / std::max(arrive_end - leave_begin, 1e-9), 0.0, 1.0);
    const double arc = 16.0 * x * x * (1.0 - x) * (1.0 - x);
    const double level_m = from.anchor_m.y() + (to.anchor_m.y() - from.anchor_m.y()) * x;
    const double missing_m = level_m + clearance_m * arc - height_m, soft_m = 0.01 * arc;
    return 0.5 * (missing_m + std::sqrt(missing_m * missing_m + soft_m * soft_m)) * std::min(1.0, 4.0 * arc);
  }
};

/// A foot over a bridge that takes as many steps as the way asks for: each begins in the stance in which the one before
/// it ends.
struct FootWay {
  std::vector<FootBridge> steps;  ///< In order, at least one.

  FootBridge::Target at(double frame, const FootPose& own) const {
    std::size_t i = 0;
    while (i + 1 < steps.size() && frame > steps[i].arrive_end) ++i;
    return steps[i].at(frame, own);
  }
};

}  // namespace shosa::blend
