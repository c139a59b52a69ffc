#pragma once

namespace shosa::blend {

/// What several files of the room need. docs/methods/optimal_blending.md has the reasons.

/// Span of the differences that give velocities and accelerations.
inline constexpr double kDifference_s = 1.0 / 60.0;
/// Span of a body's pace: hips and heading sway within a step.
inline constexpr double kPace_s = 0.1;
/// A human's walking pace.
inline constexpr double kWalk_mps = 1.4;
/// A foot that comes down no further away has not moved.
inline constexpr double kSamePlace_m = 0.06;
/// A foot in the air rises by this share of its step …
inline constexpr double kLiftShare = 0.2;
/// … and no higher than this.
inline constexpr double kLift_m = 0.08;

}  // namespace shosa::blend
