#include "graph/linear_player.h"

#include <algorithm>
#include <cmath>

#include "shosa/core/rotations.h"

namespace shosa::graph {

LinearPlayer::LinearPlayer(const MotionSet& set)
    : set_(&set), hips_joint_(root_joint(set.body_map)), from_(Pose::rest(*set.skeleton)), to_(from_), shown_(from_) {}

void LinearPlayer::begin(int clip, double time_s, const analysis::GroundPlace& place) {
  const SetClip& playing = set_->clips[clip];
  clip_ = clip, time_s_ = time_s;
  sample(playing.clip(), time_s, to_);
  const auto frame = static_cast<std::size_t>(playing.clip().nearest_frame(time_s));
  world_from_clip_.yaw_rad = place.heading_rad - playing.root().places[frame].heading_rad;
  const Vec3d turned = world_from_clip_.turn() * hips_of(to_);
  world_from_clip_.shift_m = {place.x_m - turned.x(), 0.0, place.z_m - turned.z()};
  move_posture(world_from_clip_, to_);
  from_ = shown_ = to_;
  hips_ = hips_of(to_);
}

Vec3d LinearPlayer::hips_velocity(int clip, double time_s) const {
  const auto& root = set_->clips[clip].root();
  const int frames = static_cast<int>(root.places.size());
  const int at = set_->clips[clip].clip().nearest_frame(time_s);
  const int before = std::max(0, at - 2), after = std::min(frames - 1, at + 2);
  if (after == before) return Vec3d::Zero();
  const auto &p = root.places[before], &q = root.places[after];
  return Vec3d(q.x_m - p.x_m, 0.0, q.z_m - p.z_m) / ((after - before) * root.frame_time_s);
}

void LinearPlayer::next(int clip, double time_s, bool same_clip, double turn_rad, double length_s) {
  std::swap(from_, to_);
  const Vec3d velocity = world_from_clip_.turn() * hips_velocity(clip_, time_s_);
  sample(set_->clips[clip].clip(), time_s, to_);
  if (!same_clip) {
    world_from_clip_.yaw_rad += turn_rad;
    const Quatd turn = world_from_clip_.turn();
    const Vec3d wanted = hips_of(from_) + 0.5 * length_s * (velocity + turn * hips_velocity(clip, time_s));
    const Vec3d turned = turn * hips_of(to_);
    world_from_clip_.shift_m = {wanted.x() - turned.x(), 0.0, wanted.z() - turned.z()};
  }
  move_posture(world_from_clip_, to_);
  clip_ = clip, time_s_ = time_s;
}

void LinearPlayer::frame(double share, Pose& pose) {
  mix_poses(from_, to_, static_cast<float>(std::clamp(share, 0.0, 1.0)), pose);
  hips_ = hips_of(pose);
  shown_ = pose;
}

}  // namespace shosa::graph
