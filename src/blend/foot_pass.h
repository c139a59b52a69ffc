#pragma once

#include <algorithm>

#include "blend/foot_hold.h"
#include "blend/rig.h"
#include "blend/transition.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::blend {

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

/// A foot that lands is above its place after this share of its way, and comes straight down. It rises for the share
/// `kLifted` before it travels, where there is time.
inline constexpr double kLanded = 0.9;
inline constexpr double kLifted = 0.06;
/// From this share on a landing foot comes to rest.
inline constexpr double kSettles = 0.26;
/// … and from this one on it is over its place.
inline constexpr double kAtPlace = 0.7;
/// … and turned as it will stand: a heel that comes down while it turns would sweep the ground.
inline constexpr double kTurned = 0.85;

/// How one foot is handed from the previous motion to the next.
struct FootPass {
  PassKind kind = PassKind::stand;
  double begin = 0.0;  ///< Frames between which the next motion takes over.
  double end = 0.0;
  double lifted = 0.0;     ///< swing, land: share of the way that the foot only rises.
  int next_from = 0;       ///< stand: the next motion's stance begins here; it is not looked at earlier.
  int previous_until = 0;  ///< stand: the previous motion's stance lasts until here.
  FootPose next_first;     ///< stand: the next motion's foot at `next_from`, placed.
  FootPose previous_last;  ///< stand: the previous motion's foot at `previous_until`.
  FootHold previous_hold;
  FootHold next_hold;
  FootCoast previous_coast;  ///< Beyond the previous motion's last frame.
  FootCoast next_coast;      ///< Before the next one's first.
  FootOffset offset;         ///< stand: what the next motion's foot is moved by while it is held.
  double turn_begin = 0.0;   ///< stand: frames between which it turns from one motion's foot to the other's.
  double turn_end = 0.0;
  double offset_share = 0.0;          ///< stand: 1 where that is a step of its own, less where it is next to nothing.
  WeightFunction release;             ///< stand: when that goes away again; begin is infinite where it never does.
  Quatd between = Quatd::Identity();  ///< swing: previous^-1 next of the foot's rotations, halfway.
  double previous_ground_m = 0.0;     ///< World, where the foot is handed over …
  double next_ground_m = 0.0;         ///< … and where the next motion has it.
  double lift_m = 0.0;                ///< In the air: added at the top so that the foot clears the ground.
  Vec3d landing_shift_m = Vec3d::Zero();  ///< land
  Quatd landing_turn = Quatd::Identity();

  /// How far the next motion has taken over; C2, so that a foot in the air has no kinks.
  double share(double frame) const {
    return minimum_jerk_step(((frame - begin) / (end - begin) - lifted) / (kLanded - lifted));
  }
  /// land: how far the foot keeps to the next motion's, done after the share `end_share` of its way.
  double settled(double frame, double end_share) const {
    return minimum_jerk_step(((frame - begin) / (end - begin) - kSettles) / (end_share - kSettles));
  }
  /// A step's arc: 0 at both ends with no speed, 1 in the middle.
  double arc(double frame) const {
    const double x = std::clamp((frame - begin) / (end - begin), 0.0, 1.0);
    return 16.0 * x * x * (1.0 - x) * (1.0 - x);
  }
  /// stand: how far its rotation is the next motion's.
  double turned(double frame) const { return minimum_jerk_step((frame - turn_begin) / (turn_end - turn_begin)); }
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

}  // namespace shosa::blend
