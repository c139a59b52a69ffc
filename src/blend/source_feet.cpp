#include "blend/source_feet.h"

#include <algorithm>
#include <cmath>

#include "shosa/analysis/intervals.h"
#include "shosa/analysis/local_ground.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::blend {

namespace {

bool anchor_stands(const Motion& motion, int at, double frame, std::size_t foot) {
  const analysis::FootContactTrack& track = motion.contacts().feet[foot];
  return analysis::find_interval(track.points.toe >= 0 ? track.toe : track.heel,
                                 (frame - at) * motion.clip().frame_time_s()) >= 0;
}

double ground_of(const Motion& motion, std::size_t foot, double time_s) {
  return analysis::local_ground_m(motion.contacts().feet[foot], time_s, motion.contacts().ground_m);
}

double level_of(const Motion& motion, double ground_m) {
  constexpr double kUneven_m = 0.06, kStair_m = 0.10;
  const double above_m = ground_m - motion.floor_m;
  return motion.floor_m + above_m * minimum_jerk_step((std::abs(above_m) - kUneven_m) / (kStair_m - kUneven_m));
}

}  // namespace

SourceFeet::SourceFeet(const JunctionInput& input, const Junction& junction)
    : in_(input),
      j_(junction),
      dt_(input.next.clip().frame_time_s()),
      times_(times_at(input.next, junction.plan.at)),
      world_(input.rig.make_world()) {}

FootPose SourceFeet::previous(double frame, std::size_t foot) {
  in_.previous_pose(frame, pose_);
  in_.rig.world(pose_, world_);
  FootPose pose = in_.rig.foot(pose_, world_, foot);
  const FootCoast& coast = j_.feet[foot].previous_coast;
  if (frame > coast.edge) pose.anchor_m += coast.shift_m(frame - coast.edge);
  return pose;
}

FootPose SourceFeet::next(double frame, std::size_t foot) {
  motion_pose(in_.next, j_.plan.at, frame, pose_);
  in_.rig.world(pose_, world_);
  return in_.rig.foot(pose_, world_, foot);
}

FootPose SourceFeet::next_placed(double frame, std::size_t foot) {
  motion_pose(in_.next, j_.plan.at, frame, pose_);
  move_posture(j_.place, pose_);
  in_.rig.world(pose_, world_);
  FootPose pose = in_.rig.foot(pose_, world_, foot);
  const FootCoast& coast = j_.feet[foot].next_coast;
  if (frame < coast.edge) pose.anchor_m += coast.shift_m(frame - coast.edge);
  return pose;
}

Vec3d SourceFeet::previous_hips_m(double frame) {
  in_.previous_pose(frame, pose_);
  in_.rig.world(pose_, world_);
  return world_[in_.rig.hips()].position;
}

Vec3d SourceFeet::next_hips_m(double frame) {
  motion_pose(in_.next, j_.plan.at, frame, pose_);
  in_.rig.world(pose_, world_);
  return world_[in_.rig.hips()].position;
}

double SourceFeet::previous_ground_m(double frame, std::size_t foot) const {
  return in_.previous_place.shift_m.y() + ground_of(*in_.previous.motion, foot, (frame - in_.previous.at) * dt_);
}

double SourceFeet::next_ground_m(double frame, std::size_t foot) const {
  return ground_of(in_.next, foot, (frame - j_.plan.at) * dt_);
}

double SourceFeet::previous_level_m(double frame, std::size_t foot) const {
  const double place_m = in_.previous_place.shift_m.y();
  return place_m + level_of(*in_.previous.motion, previous_ground_m(frame, foot) - place_m);
}

double SourceFeet::next_level_m(double frame, std::size_t foot) const {
  return level_of(in_.next, next_ground_m(frame, foot));
}

double SourceFeet::previous_heading_rad(double frame) const {
  const Motion& motion = *in_.previous.motion;
  const int f = std::clamp(static_cast<int>(std::lround(frame)) - in_.previous.at, 0, motion.frame_count() - 1);
  return in_.previous_place.yaw_rad + motion.studied.heading_rad(f);
}

double SourceFeet::next_heading_rad(int frame) const {
  const int f = std::clamp(frame - j_.plan.at, 0, in_.next.frame_count() - 1);
  return in_.next.studied.heading_rad(f);
}

bool SourceFeet::previous_anchor_stands(double frame, std::size_t foot) const {
  // What plays before may be a blend itself: the foot must stand in it as well.
  return stance_at(in_.previous.times.feet[foot], static_cast<int>(std::lround(frame))) != nullptr &&
         anchor_stands(*in_.previous.motion, in_.previous.at, frame, foot);
}

bool SourceFeet::next_anchor_stands(double frame, std::size_t foot) const {
  return anchor_stands(in_.next, j_.plan.at, frame, foot);
}

}  // namespace shosa::blend
