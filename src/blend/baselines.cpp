#include "blend/baselines.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "blend/foot_lock.h"
#include "blend/joined_contacts.h"
#include "blend/junction.h"
#include "shosa/analysis/heading.h"
#include "shosa/core/sampling.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::blend {

namespace {

constexpr double kBlend_s = 0.4;   // fixed length of the linear blend and of the cross-fade
constexpr double kDecay_s = 0.15;  // of an extrapolated velocity

using Mat3X = Eigen::Matrix3Xf;

struct Track {
  const Motion* motion = nullptr;
  int at = 0;
  GroundMove place;
  int change = 0;  ///< Frame at which it takes over from the one before.

  void pose(double frame, Pose& out) const {
    motion_pose(*motion, at, frame, out);
    move_posture(place, out);
  }
  double heading(int frame) const {
    return place.yaw_rad + motion->studied.heading_rad(std::clamp(frame - at, 0, motion->frame_count() - 1));
  }
};

Vec3f rotation_vector(const Quatf& from, const Quatf& to) {
  Quatf step = to * from.conjugate();
  if (step.w() < 0.0f) step.coeffs() = -step.coeffs();
  const float s = step.vec().norm();
  return s < 1e-9f ? Vec3f(2.0f * step.vec()) : Vec3f(step.vec() * (2.0f * std::atan2(s, step.w()) / s));
}

Quatf turned(const Vec3f& rotation, const Quatf& q) {
  const float angle = rotation.norm();
  if (angle < 1e-9f) return q;
  return Quatf(Eigen::AngleAxisf(angle, rotation / angle)) * q;
}

// Takes over where the poses are nearest, between the cores; hips over hips, heading on heading.
Track follow(const Track& previous, const Motion& next, int at, bool keep_place, const Rig& rig) {
  Track track{&next, at};
  const int from = previous.at + previous.motion->core.end + 1, to = std::max(at + next.core.begin - 1, from);
  float least = std::numeric_limits<float>::infinity();
  for (int f = from; f <= to; ++f) {
    const float d = PartTrack::distance(previous.motion->upper, f - previous.at, next.upper, f - at) +
                    PartTrack::distance(previous.motion->lower, f - previous.at, next.lower, f - at);
    if (d < least) {
      least = d;
      track.change = f;
    }
  }
  if (keep_place) {
    track.place = previous.place;
    return track;
  }
  Pose pose;
  RigWorld world = rig.make_world();
  previous.pose(track.change, pose);
  rig.world(pose, world);
  const Vec3d before = world[rig.hips()].position;
  track.place.yaw_rad = previous.heading(track.change) - track.heading(track.change);
  track.pose(track.change, pose);
  rig.world(pose, world);
  track.place.shift_m = before - world[rig.hips()].position;
  track.place.shift_m.y() = previous.place.shift_m.y() + previous.motion->floor_m - next.floor_m;
  return track;
}

// What is felt of the motion before: offsets and speeds per joint at the frame before the change.
struct Memory {
  Pose pose;
  Mat3X offset, offset_rate, rate;  ///< Rotation vectors (parent's frame) and per frame; the root's place in `root_`.
  Vec3f root_offset = Vec3f::Zero(), root_offset_rate = Vec3f::Zero(), root_rate = Vec3f::Zero();
};

Memory remember(const Clip& made, int frame, const Track& next) {
  Memory memory{.pose = made.frame(frame)};
  const Pose earlier = made.frame(std::max(frame - 1, 0));
  Pose target, target_earlier;
  next.pose(frame, target);
  next.pose(frame - 1, target_earlier);
  const int joints = made.joint_count();
  memory.offset = memory.offset_rate = memory.rate = Mat3X::Zero(3, joints);
  for (JointIndex j = 0; j < joints; ++j) {
    memory.offset.col(j) = rotation_vector(target.rotation(j), memory.pose.rotation(j));
    memory.rate.col(j) = rotation_vector(earlier.rotation(j), memory.pose.rotation(j));
    memory.offset_rate.col(j) = memory.rate.col(j) - rotation_vector(target_earlier.rotation(j), target.rotation(j));
  }
  memory.root_offset = memory.pose.translation(0) - target.translation(0);
  memory.root_rate = memory.pose.translation(0) - earlier.translation(0);
  memory.root_offset_rate = memory.root_rate - (target.translation(0) - target_earlier.translation(0));
  return memory;
}

// A critically damped spring toward nothing: (x + (v + x y) s) exp(-y s).
void inertial_pose(const Memory& memory, const Track& next, int frame, double since, double dt, Pose& out) {
  next.pose(frame, out);
  const double y = 2.0 * std::log(2.0) * dt / FootLock::kHalfLife_s;
  const auto e = static_cast<float>(std::exp(-y * since));
  const float keep = static_cast<float>(1.0 + y * since) * e, gain = static_cast<float>(since) * e;
  for (JointIndex j = 0; j < out.joint_count(); ++j) {
    out.set_rotation(j, turned(memory.offset.col(j) * keep + memory.offset_rate.col(j) * gain, out.rotation(j)));
  }
  out.set_translation(0, out.translation(0) + memory.root_offset * keep + memory.root_offset_rate * gain);
}

void dead_pose(const Memory& memory, const Track& next, int frame, double since, double dt, Pose& out) {
  const double length = kBlend_s / dt, decay = kDecay_s / dt;
  next.pose(frame, out);
  if (since >= length) return;
  const auto coasted = static_cast<float>(decay * (1.0 - std::exp(-since / decay)));
  Pose dead = memory.pose;
  for (JointIndex j = 0; j < out.joint_count(); ++j) {
    dead.set_rotation(j, turned(memory.rate.col(j) * coasted, dead.rotation(j)));
  }
  dead.set_translation(0, dead.translation(0) + memory.root_rate * coasted);
  const double x = since / length;
  const Pose target = out;
  mix_poses(dead, target, static_cast<float>(cubic_step(x)), out);
}

}  // namespace

analysis::FootContacts compose_baseline(Technique technique, std::span<const TimedMotion> played, Clip& clip) {
  const double dt = clip.frame_time_s();
  const Rig rig(*played.front().motion);
  std::vector<Track> tracks;
  for (const TimedMotion& motion : played) {
    const int at = static_cast<int>(std::lround(motion.at_s / dt));
    if (tracks.empty()) {
      tracks.push_back({motion.motion, at, {}, std::numeric_limits<int>::min()});
    } else {
      tracks.push_back(follow(tracks.back(), *motion.motion, at, motion.keep_place, rig));
    }
  }

  FootLock lock(rig, dt);
  std::vector<Memory> memories(tracks.size());
  const double half = 0.5 * kBlend_s / dt;
  std::size_t now = 0;
  Pose pose, other;
  for (int f = 0; f < clip.frame_count(); ++f) {
    if (technique == Technique::pose) {
      while (now + 1 < tracks.size() && f > tracks[now + 1].change - half) ++now;
      tracks[now].pose(f, pose);
      if (now > 0 && f < tracks[now].change + half) {
        tracks[now - 1].pose(f, other);
        const double weight = (f - (tracks[now].change - half)) / (2.0 * half);
        mix_poses(other, pose, static_cast<float>(std::clamp(weight, 0.0, 1.0)), pose);
      }
      clip.set_frame(f, pose);
      continue;
    }
    while (now + 1 < tracks.size() && f >= tracks[now + 1].change && f > 0) {
      ++now;
      memories[now] = remember(clip, f - 1, tracks[now]);
    }
    const double since = now == 0 ? 0.0 : f - (tracks[now].change - 1);
    if (now == 0) {
      tracks[0].pose(f, pose);
    } else if (technique == Technique::inertial) {
      inertial_pose(memories[now], tracks[now], f, since, dt, pose);
    } else {
      dead_pose(memories[now], tracks[now], f, since, dt, pose);
    }
    lock.apply(*tracks[now].motion, f - tracks[now].at, now > 0, pose);
    clip.set_frame(f, pose);
  }

  std::vector<std::vector<FootPass>> passes(tracks.size());
  std::vector<PlayedMotion> motions;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    FootPass pass;
    pass.begin = pass.end = tracks[i].change;
    passes[i].assign(rig.legs().size(), pass);
    motions.push_back({tracks[i].motion, tracks[i].at, tracks[i].place, i > 0 ? &passes[i] : nullptr});
  }
  return joined_contacts(motions, dt);
}

}  // namespace shosa::blend
