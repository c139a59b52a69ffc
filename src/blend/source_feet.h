#pragma once

#include "blend/junction.h"

namespace shosa::blend {

/// The feet of both motions of a junction while it is set up. Frames are those of the common grid.
class SourceFeet {
 public:
  SourceFeet(const JunctionInput& input, const Junction& junction);

  const JunctionInput& input() const { return in_; }
  const MotionTimes& next_times() const { return times_; }
  double frame_time_s() const { return dt_; }

  /// In the world. The frame is the previous motion's own: warped times must be given.
  FootPose previous(double frame, std::size_t foot);
  /// Not yet placed.
  FootPose next(double frame, std::size_t foot);
  /// Where the junction puts it.
  FootPose next_placed(double frame, std::size_t foot);
  Vec3d previous_hips_m(double frame);
  Vec3d next_hips_m(double frame);
  /// The anchor seen from the ankle, as the pose has it that was asked for last.
  Vec3d anchor_in_foot_m(std::size_t foot) const { return in_.rig.anchor_in_foot(pose_, foot); }
  /// World y.
  double previous_ground_m(double frame, std::size_t foot) const;
  /// Not yet placed.
  double next_ground_m(double frame, std::size_t foot) const;
  /// The same as levels: what is near the motion's floor is the floor. Captured floors are uneven by some centimetres,
  /// which must not add up from motion to motion; stairs stay.
  double previous_level_m(double frame, std::size_t foot) const;
  double next_level_m(double frame, std::size_t foot) const;
  double previous_heading_rad(double frame) const;
  /// Not yet placed.
  double next_heading_rad(int frame) const;
  /// Whether the anchor is what the foot stands on.
  bool previous_anchor_stands(double frame, std::size_t foot) const;
  bool next_anchor_stands(double frame, std::size_t foot) const;

 private:
  const JunctionInput& in_;
  const Junction& j_;
  double dt_;
  MotionTimes times_;
  RigWorld world_;
  Pose pose_;
};

}  // namespace shosa::blend
