#pragma once

#include <algorithm>

#include "blend/rig.h"
#include "shosa/blend/transition.h"

namespace shosa::blending {

/// The time of the previous motion while its move is stretched or shortened: slope 1 at the begin, `end_value` at the
/// end, and its own speed again from there on.
struct TimeWarp {
  double begin = 0.0;
  double end = 0.0;
  double end_value = 0.0;
  bool identity = true;

  double at(double frame) const;
};

enum class PassKind {
  stand,  ///< Stands in both: held where the previous motion put it, until the next one moves it.
  swing,  ///< Is in the air and changes over from one path to the other.
  land    ///< Goes on along the previous motion's path, bent so that it lands in the next one's stance.
};

/// How one foot is handed from the previous motion to the next.
struct FootPass {
  PassKind kind = PassKind::stand;
  double begin = 0.0;  ///< Frames between which the next motion takes over.
  double end = 0.0;
  int next_from = 0;       ///< stand: the next motion's stance begins here; it is not looked at earlier.
  int previous_until = 0;  ///< stand: the previous motion's stance lasts until here.
  FootPose next_first;     ///< stand: the next motion's foot at `next_from`, placed.
  Vec3d lock_m = Vec3d::Zero();
  FootPose previous_last;   ///< stand: the previous motion's foot at `previous_until`.
  double lock_begin = 0.0;  ///< stand: between these frames the anchor does not move at all; equal where it follows
  double lock_end = 0.0;    ///< its sources.
  FootOffset offset;        ///< stand: what the next motion's foot is moved by while it is held.
  WeightFunction release;   ///< stand: when that goes away again; begin is infinite where it never does.
  Vec3d landing_shift_m = Vec3d::Zero();  ///< land
  Quatd landing_turn = Quatd::Identity();

  bool locked(double frame) const { return frame > lock_begin && frame < lock_end; }
  /// stand: when the next motion's stance takes over.
  double change() const { return std::clamp<double>(next_from, begin, end); }
  FootOffset offset_at(double frame) const { return offset.scaled(1.0 - release.at(frame)); }
};

/// Windows and kinds of all feet; offsets and landings follow when the next motion has its place. A foot in the air
/// moves for `min_move` frames at least, and for `swing_length` where nothing else says when it lands.
std::vector<FootPass> plan_feet(const TransitionPlan& plan, const MotionTimes& previous, const MotionTimes& next,
                                const TimeWarp& warp, int min_move, int swing_length);

/// When the feet of the joined motion stand: the previous one's stances up to the change, the next one's from there.
std::vector<FootTimes> joined_times(const std::vector<FootPass>& passes, const MotionTimes& previous,
                                    const MotionTimes& next);

/// The interval that contains the frame, or null.
const FrameInterval* stance_at(const FootTimes& foot, int frame);

}  // namespace shosa::blending
