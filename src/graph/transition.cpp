#include "graph/transition.h"

#include <algorithm>
#include <cmath>

#include "shosa/core/rotations.h"
#include "shosa/posing/foot_clearance.h"

namespace shosa::graph {
namespace {

constexpr double kEaseSpeed_mps = 0.8;   ///< What a dying difference may add to the speed of a joint …
constexpr double kEaseTurn_radps = 2.6;  ///< … and to a joint's turning.
constexpr double kRootSpeed_mps = 0.25;  ///< The same for the body as a whole.
constexpr double kLeast_s = 0.2, kMost_s = 2.5;
constexpr double kComfortable_mps2 = 10.0, kLongestRate_s = 0.42;
constexpr double kMostRate_radps = 5.0;
constexpr double kBrokenJoint_rad = 0.1,
                 kBrokenJoint_m = 0.05;  ///< Samples off by more than this were captured wrongly.
constexpr double kMostRate_mps = 4.0;
constexpr double kHeightRate_s = 0.1, kHeightSpeed_mps = 0.35;
constexpr double kSoftFloor_m = 0.02;  ///< `posing::soft_depth`.
constexpr double kRaise = 0.3,
                 kLower = 0.1;      ///< Of a depth that is left, and of a height that is not needed, in a frame.
constexpr double kRelease = 0.05;   ///< By how much of its way more a limb that was held back goes in each frame.
constexpr double kLeaves_s = 0.15;  ///< A stance that ends this soon is over for a foot that does not stand.
constexpr double kFeetBeforeHips_m = 0.12;  ///< How far from its path the body may be put so that its feet stand.

}  // namespace

TransitionPlayer::TransitionPlayer(const MotionSet& set, double frame_time_s, bool keep_feet)
    : set_(&set),
      frame_time_s_(frame_time_s),
      keep_feet_(keep_feet && !set.feet.empty()),
      feet_(set),
      limit_(set, frame_time_s) {
  hips_joint_ = root_joint(set.body_map);
  const int joints = set.skeleton->joint_count();
  turns_.resize(static_cast<std::size_t>(joints));
  shifts_.resize(static_cast<std::size_t>(joints));
  turn_x0_.resize(turns_.size()), turn_v0_ = shift_x0_ = shift_v0_ = turn_x0_;
  // What carries the arms moves first.
  std::vector<bool> lower = lower_body(*set.skeleton, set.body_map);
  limbs_.emplace_back();
  for (const body::Role role : {body::Role::left_upper_arm, body::Role::right_upper_arm, body::Role::left_upper_leg,
                                body::Role::right_upper_leg}) {
    // Legs that reach for kept feet are limited there.
    const bool is_leg = role == body::Role::left_upper_leg || role == body::Role::right_upper_leg;
    if (!set.body_map.has(role) || (is_leg && keep_feet_)) continue;
    const auto limb = joints_below(*set.skeleton, set.body_map.joint(role));
    if (!is_leg) limbs_[0].watched.push_back(limb.front());
    limbs_.push_back({limb, limb});
    for (const JointIndex j : limb) lower[j] = true;
  }
  for (JointIndex j = 1; j < joints; ++j) {
    if (lower[j] || j == hips_joint_) continue;
    limbs_[0].moved.push_back(j), limbs_[0].watched.push_back(j);
  }
  std::vector<bool> of_foot(static_cast<std::size_t>(joints), false);
  for (const body::FootPoints& foot : set.feet) {
    for (const JointIndex j : joints_below(*set.skeleton, foot.joint)) of_foot[j] = true;
  }
  for (JointIndex j = 0; j < joints; ++j) {
    if (!of_foot[j]) above_feet_.push_back(j);
  }
  for (const SetClip& clip : set.clips) {
    double& lowest_m = lowest_m_.emplace_back(1e9);
    for (int f = 0; f < clip.clip().frame_count(); ++f) {
      for (JointIndex j = 0; j < joints; ++j) lowest_m = std::min(lowest_m, clip.positions().joint(f, j).y());
    }
  }
  raw_ = scratch_ = left_ = shown_ = Pose::rest(*set.skeleton);
  played_.fill(raw_), next_.fill(raw_);
  forward_kinematics(*set.skeleton, raw_, world_left_);
  forward_kinematics(*set.skeleton, raw_, world_next_);
  world_shown_ = world_pose_ = world_next_;
}

void TransitionPlayer::begin(int clip, double time_s, const analysis::GroundPlace& place) {
  clip_ = clip_before_ = clip, time_s_ = time_s, frames_ = 0, changed_ = false;
  // The hips' place at that time comes to `place`.
  const Clip& motion = set_->clips[clip].clip();
  sample_beyond(motion, time_s, raw_, scratch_);
  const auto& root = set_->clips[clip].root();
  const double facing = root.places[motion.nearest_frame(time_s)].heading_rad;
  const Vec3d hips = hips_of(raw_);
  world_from_clip_.yaw_rad = place.heading_rad - facing;
  const Vec3d turned = world_from_clip_.turn() * hips;
  world_from_clip_.shift_m = {place.x_m - turned.x(), 0.0, place.z_m - turned.z()};
  hips_ = turned + world_from_clip_.shift_m;
  // As if the clip had been playing before: another one may take over in the first frame.
  for (std::size_t i = 0; i < played_.size(); ++i) {
    sample_beyond(motion, time_s - static_cast<double>(i + 1) * frame_time_s_, played_[i], scratch_);
    move_posture(world_from_clip_, played_[i]);
  }
  const auto& contact = set_->clips[clip].contact;
  if (keep_feet_) feet_.begin(played_, contact[motion.nearest_frame(time_s)]);
}

void TransitionPlayer::change(int clip, double time_s, double pace, double turn_rad, double length_s) {
  if (clip != clip_) clip_before_ = clip_;
  clip_ = clip, time_s_ = time_s, pace_ = pace;
  world_from_clip_.yaw_rad += turn_rad;
  change_length_s_ = changed_ ? std::max(change_length_s_, length_s) : length_s;
  changed_ = true;
}

void TransitionPlayer::start_differences(double length_s) {
  const SetClip& next = set_->clips[clip_];
  for (std::size_t i = 0; i < next_.size(); ++i) {
    sample_beyond(next.clip(), time_s_ - static_cast<double>(i + 1) * pace_ * frame_time_s_, next_[i], scratch_);
    move_posture({.yaw_rad = world_from_clip_.yaw_rad}, next_[i]);
  }
  // The next clip is put where its standing feet are those that stand; in the air its hips come to where the hips are.
  Vec3d shift = hips_of(played_[0]) - hips_of(next_[0]);
  shift.y() = 0.0;
  if (keep_feet_) {
    const auto bits = next.contact[next.clip().nearest_frame(time_s_)];
    shift = feet_.shift_to_feet(next_[0], clip_, time_s_, bits, shift, kFeetBeforeHips_m);
  }
  shift.y() = 0.0;
  world_from_clip_.shift_m = shift;
  for (Pose& pose : next_) move_posture({.shift_m = shift}, pose);
  if (keep_feet_) feet_.change_clip(next_);

  const Skeleton& skeleton = *set_->skeleton;
  left_ = next_[0];
  double most = 0.0;
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    std::array<Vec3d, 3> turn, moved;
    for (std::size_t i = 0; i < turn.size(); ++i) {
      turn[i] = log_rotation(played_[i].rotation(j).cast<double>() * next_[i].rotation(j).cast<double>().conjugate());
      if (i > 0) turn[i] = unwound(turn[i], turn[i - 1]);
      moved[i] = (played_[i].translation(j) - next_[i].translation(j)).cast<double>();
    }
    const Measured turned = measured(turn[0], turn[1], turn[2], frame_time_s_, kBrokenJoint_rad);
    const Measured shifted = measured(moved[0], moved[1], moved[2], frame_time_s_, kBrokenJoint_m);
    turn_x0_[at] = turned.value, shift_x0_[at] = shifted.value;
    turn_v0_[at] = bounded(turned.rate, kMostRate_radps);
    shift_v0_[at] = bounded(shifted.rate, kMostRate_mps);
    const Vec3d left = Decay::left(turn_x0_[at], turn_v0_[at]);
    most = std::max(most, left.norm());
    left_.set_rotation(j, (exp_rotation(left) * left_.rotation(j).cast<double>()).normalized().cast<float>());
  }
  // Differences last as long as their size asks for, all of them equally long: limbs keep their shape.
  forward_kinematics(skeleton, left_, world_left_);
  forward_kinematics(skeleton, next_[0], world_next_);
  double farthest = 0.0;
  for (std::size_t j = 0; j < turns_.size(); ++j) {
    farthest = std::max(farthest, (world_left_.positions[j] - world_next_.positions[j]).norm());
    most = std::max(most, world_left_.rotations[j].angularDistance(world_next_.rotations[j]));
  }
  const double length =
      std::clamp(std::max({length_s, decay_length_s(farthest, kEaseSpeed_mps), decay_length_s(most, kEaseTurn_radps)}),
                 kLeast_s, kMost_s);
  for (std::size_t j = 0; j < turns_.size(); ++j) {
    turns_[j].start(turn_x0_[j], turn_v0_[j], length);
    shifts_[j].start(shift_x0_[j], shift_v0_[j], length);
  }
  shifts_[0].start(Vec3d::Zero(), Vec3d::Zero(), 0.0);
  const Vec3d rise(0.0, shift_x0_[0].y(), 0.0), rise_speed(0.0, shift_v0_[0].y(), 0.0);
  height_.start(
      rise, rise_speed,
      std::max(kLeast_s, decay_length_s(Decay::left(rise, rise_speed, kHeightRate_s).norm(), kHeightSpeed_mps)),
      kHeightRate_s);
  shift_x0_[0].y() = shift_v0_[0].y() = 0.0;
  start_root(shift_x0_[0], shift_v0_[0], length_s);
}

void TransitionPlayer::keep_over_ground(Pose& pose) {
  forward_kinematics(*set_->skeleton, pose, world_pose_);
  const double floor_m = std::min(lowest_m_[clip_], lowest_m_[clip_before_]);
  const auto depth_m = [&](const WorldPose& world) {
    double lowest_m = 1e9;
    for (const JointIndex j : above_feet_) lowest_m = std::min(lowest_m, world.positions[j].y());
    return floor_m - lowest_m;
  };
  // Legs that reach for their feet bend down: what was left of that in the last frame is made up little by little.
  const double left_m = frames_ > 0 ? depth_m(world_shown_) : 0.0;
  raised_m_ =
      left_m > 0.0 ? raised_m_ + kRaise * left_m : std::max(0.0, raised_m_ - kLower * std::min(-left_m, kSoftFloor_m));
  const double lift_m = posing::soft_depth(depth_m(world_pose_), kSoftFloor_m) + raised_m_;
  if (lift_m > 0.0) pose.set_translation(0, pose.translation(0) + Vec3f(0.0f, static_cast<float>(lift_m), 0.0f));
}

void TransitionPlayer::hold_back(Pose& pose) {
  const Skeleton& skeleton = *set_->skeleton;
  forward_kinematics(skeleton, pose, world_pose_);
  const auto holds = [&](const Limb& limb) {
    return limit_.holds(limb.watched, {shown_, world_shown_}, {pose, world_pose_});
  };
  for (Limb& limb : limbs_) {
    const double most = std::min(1.0, limb.share + kRelease);
    if (limb.moved.empty() || (most >= 1.0 && holds(limb))) {
      limb.share = 1.0;
      continue;
    }
    left_ = pose;
    // What carries the limb may jerk: its first bone is held back as the world sees it.
    const JointIndex top = limb.moved.front();
    const auto carrier = world_pose_.rotations[skeleton.parent(top)];
    const Quatd from = world_shown_.rotations[top];
    const Quatd to = world_pose_.rotations[top];
    const auto go = [&](double share) {
      pose.set_rotation(top, (carrier.conjugate() * from.slerp(share, to)).normalized().cast<float>());
      for (const JointIndex j : std::span(limb.moved).subspan(1)) {
        pose.set_rotation(j, shown_.rotation(j).slerp(static_cast<float>(share), left_.rotation(j)));
      }
      forward_kinematics(skeleton, pose, world_pose_);
    };
    go(most);
    limb.share = most;
    if (!holds(limb)) {
      limb.share *= largest_share([&](double share) {
        go(share * most);
        return holds(limb);
      });
      go(limb.share);
    }
    for (const JointIndex j : limb.moved) played_[0].set_rotation(j, pose.rotation(j));
  }
}

void TransitionPlayer::start_root(const Vec3d& x0, const Vec3d& v0, double length_s) {
  // The body's speed changes at a comfortable rate.
  const double rate_s = std::clamp(1.875 * v0.norm() / kComfortable_mps2, Decay::kRate_s, kLongestRate_s);
  const double left_m = Decay::left(x0, v0, rate_s).norm();
  root_.start(x0, v0, std::clamp(decay_length_s(left_m, kRootSpeed_mps), std::max(length_s, kLeast_s), kMost_s),
              rate_s);
}

Landing TransitionPlayer::next_landing(int foot) const {
  const SetClip& playing = set_->clips[clip_];
  const auto bit = static_cast<std::uint8_t>(1u << foot);
  const int now = playing.clip().nearest_frame(time_s_);
  if (standing_ & bit) return {};
  int frame = now;
  // A foot that left a little before the clip's comes down with the clip's next stance, not with this one.
  const int leaves = now + static_cast<int>(kLeaves_s / playing.clip().frame_time_s());
  if (leaves < playing.clip().frame_count() && !(playing.contact[leaves] & bit))
    while (playing.contact[frame] & bit) ++frame;
  while (frame < playing.clip().frame_count() && !(playing.contact[frame] & bit)) ++frame;
  if (frame == playing.clip().frame_count()) return {};
  const body::FootPoints& points = set_->feet[foot];
  const double in_s = std::max(0.0, playing.clip().frame_time_s() * frame - time_s_) / std::max(pace_, 0.1);
  Vec3d ball = world_from_clip_ * playing.positions().point(frame, points.toe >= 0 ? points.toe : points.joint);
  if (keep_feet_) ball += feet_.shift_m(foot, in_s);
  if (points.limb == kNoJoint) return {true, in_s, ball};
  return {true, in_s, ball,
          world_from_clip_.turn() *
              (playing.positions().joint(frame, points.joint) - playing.positions().joint(frame, points.limb))};
}

void TransitionPlayer::visit_state(StateBytes& bytes) {
  bytes(clip_, clip_before_, time_s_, pace_, world_from_clip_.yaw_rad, world_from_clip_.shift_m, frames_, changed_,
        change_length_s_, stride_, veer_rad_, turns_, shifts_, root_, height_, hips_, standing_, played_, feet_,
        raised_m_, limit_, shown_, world_shown_);
  for (Limb& limb : limbs_) bytes(limb.share);
}

void TransitionPlayer::frame(Pose& pose) {
  if (changed_) start_differences(change_length_s_);

  const SetClip& playing = set_->clips[clip_];
  if ((stride_ != 1.0 || veer_rad_ != 0.0) && frames_ > 0) {
    sample_beyond(playing.clip(), time_s_ - pace_ * frame_time_s_, raw_, scratch_);
    const Vec3f before = raw_.translation(0);
    sample_beyond(playing.clip(), time_s_, raw_, scratch_);
    const Vec3d way = world_from_clip_.turn() * (raw_.translation(0) - before).cast<double>();
    Vec3d longer = stride_ * (about_y(veer_rad_) * way) - way;
    longer.y() = 0.0;
    world_from_clip_.shift_m += longer;
    if (keep_feet_) feet_.move_clip(longer);
  }
  sample_beyond(playing.clip(), time_s_, raw_, scratch_);
  const auto bits = playing.contact[playing.clip().nearest_frame(time_s_)];
  pose = raw_;
  move_posture(world_from_clip_, pose);
  if (keep_feet_) feet_.look_at_clip(pose, clip_, time_s_, pace_, world_from_clip_.yaw_rad, bits, frame_time_s_);
  for (JointIndex j = 0; j < pose.joint_count(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    turns_[at].advance(frame_time_s_);
    shifts_[at].advance(frame_time_s_);
    if (!turns_[at].is_over()) {
      pose.set_rotation(
          j, (exp_rotation(turns_[at].value()) * pose.rotation(j).cast<double>()).normalized().cast<float>());
    }
    if (!shifts_[at].is_over()) pose.set_translation(j, pose.translation(j) + shifts_[at].value().cast<float>());
  }
  root_.advance(frame_time_s_);
  height_.advance(frame_time_s_);
  pose.set_translation(0, pose.translation(0) + (root_.value() + height_.value()).cast<float>());
  if (keep_feet_) keep_over_ground(pose);
  std::swap(played_[2], played_[1]);
  std::swap(played_[1], played_[0]);
  played_[0] = pose;
  hips_ = hips_of(pose);
  limit_.play(clip_, clip_before_);
  if (keep_feet_) {
    feet_.keep(pose, root_, height_, limit_, frames_ > 0 ? &shown_ : nullptr, world_shown_, frame_time_s_);
    // No way leads back to where feet stood that have left the ground.
    if (const auto moved = feet_.follow_feet(root_.value())) {
      world_from_clip_.shift_m += Vec3d(moved->x(), 0.0, moved->z());
      start_root(root_.value() - *moved, root_.rate(), kLeast_s);
    }
  }
  if (frames_ > 0) hold_back(pose);
  shown_ = pose;
  forward_kinematics(*set_->skeleton, shown_, world_shown_);
  standing_ = keep_feet_ ? feet_.standing() : bits;
  changed_ = false;
  ++frames_;
}

}  // namespace shosa::graph
