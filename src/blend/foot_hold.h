#pragma once

#include <algorithm>
#include <cmath>

#include "shosa/core/angles.h"
#include "shosa/core/smooth_steps.h"
#include "shosa/core/types.h"

namespace shosa::blend {

/// Keeps the anchor of a foot of one source at one place while it stands, so that not even the source's own slide is
/// left; heights stay the source's.
///
/// On one side the source is as it is, and comes to its place within the first (last) `ease` frames of the hold. On
/// the other it is left (reached) within `ease` frames more and is then its own, shifted by a constant which the blend
/// mixes away. C1 throughout.
struct FootHold {
  double begin = 0.0;  ///< Frames of the grid; nothing is held where `end` is not later.
  double end = 0.0;
  double ease = 1.0;
  double leave = 1.0;              ///< Frames in which the source is left (reached) on the other side.
  bool of_previous = true;         ///< The source is as it is before `begin`; otherwise after `end`.
  Vec3d place_m = Vec3d::Zero();   ///< x and z count.
  Vec3d source_m = Vec3d::Zero();  ///< The source's anchor at `end`; at `begin` where it is the next motion's.

  bool active() const { return end > begin; }
  /// Where the source comes to its place.
  double hold_frame() const {
    return of_previous ? std::min(begin + 0.5 * ease, end) : std::max(end - 0.5 * ease, begin);
  }
  void to_place(Vec3d& anchor_m) const {
    if (active()) anchor_m = {place_m.x(), anchor_m.y(), place_m.z()};
  }
  double first_frame() const { return of_previous ? begin : begin - leave; }
  double last_frame() const { return of_previous ? end + leave : end; }
  /// What is to be added to the source's anchor.
  Vec3d shift_m(double frame, const Vec3d& anchor_m) const {
    if (!active()) return Vec3d::Zero();
    // Frames into the free side (negative outside the hold) and beyond the other.
    const double in = of_previous ? frame - begin : end - frame;
    const double beyond = of_previous ? frame - end : begin - frame;
    if (in <= 0.0) return Vec3d::Zero();
    if (beyond > 0.0) return level(place_m - source_m + (anchor_m - source_m) * (cubic_step(beyond / leave) - 1.0));
    return level(place_m - anchor_m) * cubic_step(in / ease);
  }

 private:
};

/// Lets a foot that is in the air where its clip ends go on as it moved, slower and slower: a motion has no velocity
/// outside its frames. Before the first frame the same backward.
struct FootCoast {
  double edge = 0.0;  ///< First or last frame.
  Vec3d speed_m_per_frame = Vec3d::Zero();
  double decay = 1.0;  ///< Frames.

  /// To be added to the anchor; `outside` is how many frames lie between the edge and the time asked for, with sign.
  Vec3d shift_m(double outside) const {
    const double s = std::abs(outside);
    return speed_m_per_frame * std::copysign(decay * (1.0 - std::exp(-s / decay)), outside);
  }
};

}  // namespace shosa::blend
