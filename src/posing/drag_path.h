#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "posing/smooth_path.h"
#include "shosa/core/rotations.h"
#include "shosa/core/smooth_steps.h"
#include "shosa/posing/motion_edit.h"

namespace shosa::posing {

/// Target of a drag layer at one time.
struct DragTarget {
  bool active = false;
  Vec3d position_m = Vec3d::Zero();
};

/// Cubic through the keys: tangents from the neighbours (Catmull-Rom over uneven times), zero at both ends.
inline Vec3d key_path(const std::vector<DragKey>& keys, double time_s) {
  if (keys.size() == 1 || time_s <= keys.front().time_s) return keys.front().position_m;
  if (time_s >= keys.back().time_s) return keys.back().position_m;
  const auto next = std::ranges::upper_bound(keys, time_s, {}, &DragKey::time_s);
  const auto index = static_cast<std::size_t>(next - keys.begin()) - 1;
  const auto tangent = [&](std::size_t k) -> Vec3d {
    if (k == 0 || k + 1 == keys.size()) return Vec3d::Zero();
    return (keys[k + 1].position_m - keys[k - 1].position_m) / (keys[k + 1].time_s - keys[k - 1].time_s);
  };
  const double span = keys[index + 1].time_s - keys[index].time_s;
  const double t = (time_s - keys[index].time_s) / span;
  const double t2 = t * t, t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * keys[index].position_m + (t3 - 2 * t2 + t) * span * tangent(index) +
         (-2 * t3 + 3 * t2) * keys[index + 1].position_m + (t3 - t2) * span * tangent(index + 1);
}

/// From one place to another as a limb goes that hangs at `pivot_m`: turned about it by a share of the turn between the
/// two, its length changed by a share. The straight line may lead through the shoulder, where no arm can follow.
inline Vec3d swung(const Vec3d& pivot_m, const Vec3d& from_m, const Vec3d& to_m, double share) {
  const Vec3d from = from_m - pivot_m, to = to_m - pivot_m;
  const double length = from.norm();
  if (length < 1e-6) return from_m + share * (to_m - from_m);
  const Quatd turn = Quatd::Identity().slerp(share, shortest_turn(from, to));
  return pivot_m + turn * from * ((1.0 - share) + share * to.norm() / length);
}

/// `reference_m` is where the unedited motion has the joint at this time, `pivot_m` where it has the top of its limb;
/// `led_to` says where a joint is led of which a place is asked.
template <class LedTo>
DragTarget drag_target(const DragLayer& layer, double time_s, const Vec3d& reference_m,
                       const std::optional<Vec3d>& pivot_m, const LedTo& led_to) {
  const double begin = layer.keys.front().time_s, end = layer.keys.back().time_s;
  double share = 1.0;
  if (time_s < begin) {
    if (time_s <= begin - layer.fade_in_s) return {};
    share = minimum_jerk_step((time_s - begin + layer.fade_in_s) / layer.fade_in_s);
  } else if (time_s > end && !layer.hold_last) {
    if (time_s >= end + layer.fade_out_s) return {};
    share = minimum_jerk_step((end + layer.fade_out_s - time_s) / layer.fade_out_s);
  }
  const Vec3d path = key_path(layer.keys, time_s);
  const Vec3d target = led_to(layer.relative ? Vec3d(reference_m + path) : path);
  if (pivot_m && share < 1.0) return {true, swung(*pivot_m, reference_m, target, share)};
  return {true, reference_m + share * (target - reference_m)};
}

}  // namespace shosa::posing
