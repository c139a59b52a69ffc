#include "graph/transition.h"

#include <algorithm>
#include <cmath>

namespace shosa::graph {
namespace {

constexpr double kEaseSpeed_mps = 0.25;  ///< What a dying difference may add to the speed of a joint …
constexpr double kEaseTurn_radps = 2.0;  ///< … and to a joint's turning.
constexpr double kLeast_s = 0.2, kMost_s = 2.5;
constexpr double kComfortable_mps2 = 5.0;

}  // namespace

TransitionPlayer::TransitionPlayer(const MotionSet& set, double frame_time_s, bool keep_feet)
    : set_(&set), frame_time_s_(frame_time_s), keep_feet_(keep_feet && !set.feet.empty()), feet_(set) {
  hips_joint_ = root_joint(set.body_map);
  const int joints = set.skeleton->joint_count();
  turns_.resize(static_cast<std::size_t>(joints));
  shifts_.resize(static_cast<std::size_t>(joints));
  turn_x0_.resize(turns_.size()), turn_v0_ = shift_x0_ = shift_v0_ = turn_x0_;
  before_ = last_ = raw_ = scratch_ = now_ = earlier_ = Pose::rest(*set.skeleton);
  forward_kinematics(*set.skeleton, last_, world_last_);
  forward_kinematics(*set.skeleton, last_, world_now_);
}

void TransitionPlayer::begin(int clip, double time_s, const analysis::GroundPlace& place) {
  clip_ = clip, time_s_ = time_s, frames_ = 0, changed_ = false;
  // The hips' place at that time comes to `place`.
  const Clip& motion = set_->clips[static_cast<std::size_t>(clip)].clip;
  sample_beyond(motion, time_s, raw_, scratch_);
  const auto& root = set_->clips[static_cast<std::size_t>(clip)].root;
  const double facing = root.places[static_cast<std::size_t>(motion.nearest_frame(time_s))].heading_rad;
  const Vec3d hips = hips_of(raw_);
  place_.heading_rad = place.heading_rad - facing;
  const Vec3d turned = about_y(place_.heading_rad) * hips;
  place_.x_m = place.x_m - turned.x();
  place_.z_m = place.z_m - turned.z();
}

void TransitionPlayer::change(int clip, double time_s, double turn_rad, double length_s) {
  clip_ = clip, time_s_ = time_s;
  place_.heading_rad += turn_rad;
  change_length_s_ = changed_ ? std::max(change_length_s_, length_s) : length_s;
  changed_ = true;
}

void TransitionPlayer::start_differences(double length_s) {
  const Clip& motion = set_->clips[static_cast<std::size_t>(clip_)].clip;
  sample_beyond(motion, time_s_ - frame_time_s_, now_, scratch_);
  sample_beyond(motion, time_s_ - 2.0 * frame_time_s_, earlier_, scratch_);

  // The hips of the new clip come to where the hips are; their velocity is what remains to be evened out.
  place_.x_m = place_.z_m = 0.0;
  const Quatd turn = about_y(place_.heading_rad);
  const Vec3d shift = hips_of(last_) - turn * hips_of(now_);
  place_.x_m = shift.x(), place_.z_m = shift.z();
  put_at(place_, now_);
  put_at(place_, earlier_);
  const Vec3d velocity = (hips_of(last_) - hips_of(before_)) / frame_time_s_;
  const Vec3d own = (hips_of(now_) - hips_of(earlier_)) / frame_time_s_;
  drift_ = frames_ > 1 ? velocity - own : Vec3d::Zero().eval();
  drift_.y() = 0.0;
  drift_length_s_ = std::clamp(1.5 * drift_.norm() / kComfortable_mps2, std::max(length_s, kLeast_s), kMost_s);
  drift_time_s_ = 0.0;

  // Differences last as long as their size asks for, all of them equally long: limbs keep their shape.
  const Skeleton& skeleton = *set_->skeleton;
  forward_kinematics(skeleton, last_, world_last_);
  forward_kinematics(skeleton, now_, world_now_);
  double farthest = 0.0, most = 0.0;
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    farthest = std::max(farthest, (world_last_.positions[at] - world_now_.positions[at]).norm());
    most = std::max(most, world_last_.rotations[at].angularDistance(world_now_.rotations[at]));
    turn_x0_[at] = rotation_vector(last_.rotation(j).cast<double>() * now_.rotation(j).cast<double>().conjugate());
    shift_x0_[at] = (last_.translation(j) - now_.translation(j)).cast<double>();
    turn_v0_[at] = shift_v0_[at] = Vec3d::Zero();
    if (frames_ > 1) {
      const Vec3d previous =
          unwound(rotation_vector(before_.rotation(j).cast<double>() * earlier_.rotation(j).cast<double>().conjugate()),
                  turn_x0_[at]);
      turn_v0_[at] = (turn_x0_[at] - previous) / frame_time_s_;
      shift_v0_[at] =
          (shift_x0_[at] - (before_.translation(j) - earlier_.translation(j)).cast<double>()) / frame_time_s_;
      if (j == 0) shift_v0_[at].x() = shift_v0_[at].z() = 0.0;  // the drift's part
    }
    most = std::max(most, Decay::left(turn_x0_[at], turn_v0_[at]).norm());
  }
  const double length =
      std::clamp(std::max({length_s, decay_length_s(farthest, kEaseSpeed_mps), decay_length_s(most, kEaseTurn_radps)}),
                 kLeast_s, kMost_s);
  for (std::size_t j = 0; j < turns_.size(); ++j) {
    turns_[j].start(turn_x0_[j], turn_v0_[j], length);
    shifts_[j].start(shift_x0_[j], shift_v0_[j], length);
  }
}

void TransitionPlayer::frame(Pose& pose) {
  if (changed_ && frames_ > 0) start_differences(change_length_s_);

  // What the hips are faster than the clip bends the path for good.
  if (drift_time_s_ < drift_length_s_) {
    const double s = std::min(1.0, (drift_time_s_ + 0.5 * frame_time_s_) / drift_length_s_);
    const Vec3d moved = drift_ * ((1.0 - s) * (1.0 - s) * (1.0 + 2.0 * s) * frame_time_s_);
    place_.x_m += moved.x(), place_.z_m += moved.z();
    drift_time_s_ += frame_time_s_;
  }
  const SetClip& playing = set_->clips[static_cast<std::size_t>(clip_)];
  sample_beyond(playing.clip, time_s_, raw_, scratch_);
  const auto bits = playing.contact[static_cast<std::size_t>(playing.clip.nearest_frame(time_s_))];
  if (keep_feet_) {
    const bool took_over = changed_ && frames_ > 0;
    if (took_over) sample_beyond(playing.clip, time_s_ - frame_time_s_, now_, scratch_);
    feet_.look_at_clip(raw_, took_over ? &now_ : nullptr, bits);
  }
  pose = raw_;
  put_at(place_, pose);
  for (JointIndex j = 0; j < pose.joint_count(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    turns_[at].advance(frame_time_s_);
    shifts_[at].advance(frame_time_s_);
    if (turns_[at].is_over()) continue;
    pose.set_rotation(j,
                      (rotation_of(turns_[at].value()) * pose.rotation(j).cast<double>()).normalized().cast<float>());
    pose.set_translation(j, pose.translation(j) + shifts_[at].value().cast<float>());
  }
  std::swap(before_, last_);
  last_ = pose;
  hips_ = hips_of(pose);
  if (keep_feet_) feet_.keep(pose, frame_time_s_);
  standing_ = keep_feet_ ? feet_.standing() : bits;
  changed_ = false;
  ++frames_;
}

}  // namespace shosa::graph
