#include "graph/transition.h"

#include <algorithm>
#include <cmath>

#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"
#include "shosa/core/thread_scratch.h"
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
                 kLower = 0.1;        ///< Of a depth that is left, and of a height that is not needed, in a frame.
constexpr double kRelease = 0.05;     ///< By how much of its way more a limb that was held back goes in each frame.
constexpr double kLeastWay_m = 0.05;  ///< On a shorter one it does not matter how a foot goes.
constexpr double kLeaves_s = 0.15;    ///< A stance that ends this soon is over for a foot that does not stand.
constexpr double kFeetBeforeHips_m = 0.12;  ///< How far from its path the body may be put so that its feet stand.

/// What a frame computes and forgets.
struct Scratch {
  explicit Scratch(int joints)
      : size(joints), raw(joints), other(joints), left(joints), turns(static_cast<std::size_t>(joints)) {
    next.fill(raw);
    shifts = turns;
    for (WorldPose* world : {&world_pose, &world_left, &world_next})
      world->positions.resize(turns.size()), world->rotations.resize(turns.size());
  }
  int size;
  Pose raw, other, left;
  std::array<Pose, 3> next;  ///< What the clip that takes over has in the last three frames.
  struct Start {
    Vec3d value, rate;
  };
  std::vector<Start> turns, shifts;  ///< Of the joints' differences.
  WorldPose world_pose, world_left, world_next;
};

}  // namespace

void TransitionPlayer::begin(int clip, double time_s, const analysis::GroundPlace& place) {
  clip_ = clip_before_ = clip, time_s_ = time_s, frames_ = 0, changed_ = false;
  // The hips' place at that time comes to `place`.
  const Clip& motion = set_->clips[clip].clip();
  Scratch& s = thread_scratch<Scratch>(motion.joint_count());
  sample_beyond(motion, time_s, s.raw, s.other);
  const auto& root = set_->clips[clip].root();
  const double facing = root.places[motion.nearest_frame(time_s)].heading_rad;
  const Vec3d hips = hips_of(s.raw);
  world_from_clip_.yaw_rad = place.heading_rad - facing;
  const Vec3d turned = world_from_clip_.turn() * hips;
  world_from_clip_.shift_m = {place.x_m - turned.x(), 0.0, place.z_m - turned.z()};
  hips_ = turned + world_from_clip_.shift_m;
  // As if the clip had been playing before: another one may take over in the first frame.
  for (std::size_t i = 0; i < played_.size(); ++i) {
    sample_beyond(motion, time_s - static_cast<double>(i + 1) * frame_time_s_, played_[i], s.other);
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
  Scratch& s = thread_scratch<Scratch>(next.clip().joint_count());
  for (std::size_t i = 0; i < s.next.size(); ++i) {
    sample_beyond(next.clip(), time_s_ - static_cast<double>(i + 1) * pace_ * frame_time_s_, s.next[i], s.other);
    move_posture({.yaw_rad = world_from_clip_.yaw_rad}, s.next[i]);
  }
  // The next clip is put where its standing feet are those that stand; in the air its hips come to where the hips are.
  Vec3d shift = hips_of(played_[0]) - hips_of(s.next[0]);
  shift.y() = 0.0;
  if (keep_feet_) {
    const auto bits = next.contact[next.clip().nearest_frame(time_s_)];
    shift = feet_.shift_to_feet(s.next[0], clip_, time_s_, bits, shift, kFeetBeforeHips_m);
  }
  shift.y() = 0.0;
  world_from_clip_.shift_m = shift;
  for (Pose& pose : s.next) move_posture({.shift_m = shift}, pose);
  if (keep_feet_) feet_.change_clip(s.next);

  const Skeleton& skeleton = *set_->skeleton;
  s.left = s.next[0];
  double most = 0.0;
  for (JointIndex j = 0; j < skeleton.joint_count(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    std::array<Vec3d, 3> turn, moved;
    for (std::size_t i = 0; i < turn.size(); ++i) {
      turn[i] = log_rotation(played_[i].rotation(j).cast<double>() * s.next[i].rotation(j).cast<double>().conjugate());
      if (i > 0) turn[i] = unwound(turn[i], turn[i - 1]);
      moved[i] = (played_[i].translation(j) - s.next[i].translation(j)).cast<double>();
    }
    const Measured turned = measured(turn[0], turn[1], turn[2], frame_time_s_, kBrokenJoint_rad);
    const Measured shifted = measured(moved[0], moved[1], moved[2], frame_time_s_, kBrokenJoint_m);
    s.turns[at] = {turned.value, bounded(turned.rate, kMostRate_radps)};
    s.shifts[at] = {shifted.value, bounded(shifted.rate, kMostRate_mps)};
    const Vec3d left = Decay::left(s.turns[at].value, s.turns[at].rate);
    most = std::max(most, left.norm());
    s.left.set_rotation(j, (exp_rotation(left) * s.left.rotation(j).cast<double>()).normalized().cast<float>());
  }
  // Differences last as long as their size asks for, all of them equally long: limbs keep their shape.
  forward_kinematics(skeleton, s.left, s.world_left);
  forward_kinematics(skeleton, s.next[0], s.world_next);
  double farthest = 0.0;
  for (std::size_t j = 0; j < turns_.size(); ++j) {
    farthest = std::max(farthest, (s.world_left.positions[j] - s.world_next.positions[j]).norm());
    most = std::max(most, s.world_left.rotations[j].angularDistance(s.world_next.rotations[j]));
  }
  const double length =
      std::clamp(std::max({length_s, decay_length_s(farthest, kEaseSpeed_mps), decay_length_s(most, kEaseTurn_radps)}),
                 kLeast_s, kMost_s);
  for (std::size_t j = 0; j < turns_.size(); ++j) {
    turns_[j].start(s.turns[j].value, s.turns[j].rate, length);
    shifts_[j].start(s.shifts[j].value, s.shifts[j].rate, length);
  }
  shifts_[0].start(Vec3d::Zero(), Vec3d::Zero(), 0.0);
  differs_ = true;
  Scratch::Start& root = s.shifts[0];
  const Vec3d rise(0.0, root.value.y(), 0.0), rise_speed(0.0, root.rate.y(), 0.0);
  height_.start(
      rise, rise_speed,
      std::max(kLeast_s, decay_length_s(Decay::left(rise, rise_speed, kHeightRate_s).norm(), kHeightSpeed_mps)),
      kHeightRate_s);
  root.value.y() = root.rate.y() = 0.0;
  start_root(root.value, root.rate, length_s);
}

void TransitionPlayer::keep_over_ground(Pose& pose, WorldPose& world) {
  const double floor_m = std::min(shared_->lowest_m[clip_], shared_->lowest_m[clip_before_]);
  const auto depth_m = [&](const WorldPose& at) {
    double lowest_m = 1e9;
    for (const JointIndex j : shared_->above_feet) lowest_m = std::min(lowest_m, at.positions[j].y());
    return floor_m - lowest_m;
  };
  // Legs that reach for their feet bend down: what was left of that in the last frame is made up little by little.
  const double left_m = frames_ > 0 ? depth_m(world_shown_) : 0.0;
  raised_m_ =
      left_m > 0.0 ? raised_m_ + kRaise * left_m : std::max(0.0, raised_m_ - kLower * std::min(-left_m, kSoftFloor_m));
  const double lift_m = posing::soft_depth(depth_m(world), kSoftFloor_m) + raised_m_;
  if (lift_m > 0.0) move_root({0.0, lift_m, 0.0}, pose, world);
}

void TransitionPlayer::hold_back(Pose& pose, WorldPose& world) {
  const Skeleton& skeleton = *set_->skeleton;
  Pose& wanted = thread_scratch<Scratch>(skeleton.joint_count()).left;
  const auto holds = [&](const Limb& limb) {
    return limit_.holds(limb.watched, {shown_, world_shown_}, {pose, world});
  };
  for (std::size_t l = 0; l < shares_.size(); ++l) {
    const Limb& limb = shared_->limbs[l];
    const double most = std::min(1.0, shares_[l] + kRelease);
    if (limb.moved.empty() || (most >= 1.0 && holds(limb))) {
      shares_[l] = 1.0;
      continue;
    }
    wanted = pose;
    // What carries the limb may jerk: its first bone is held back as the world sees it.
    const JointIndex top = limb.moved.front();
    const auto carrier = world.rotations[skeleton.parent(top)];
    const Quatd from = world_shown_.rotations[top];
    const Quatd to = world.rotations[top];
    const auto go = [&](double share) {
      pose.set_rotation(top, (carrier.conjugate() * from.slerp(share, to)).normalized().cast<float>());
      for (const JointIndex j : std::span(limb.moved).subspan(1)) {
        pose.set_rotation(j, shown_.rotation(j).slerp(static_cast<float>(share), wanted.rotation(j)));
      }
      update_world(skeleton, pose, limb.carried, world);
    };
    go(most);
    shares_[l] = most;
    if (!holds(limb)) {
      shares_[l] *= largest_share([&](double share) {
        go(share * most);
        return holds(limb);
      });
      go(shares_[l]);
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
  const std::optional<double> step_s = keep_feet_ ? feet_.step_left_s(foot) : std::nullopt;
  if (!step_s && leaves < playing.clip().frame_count() && !(playing.contact[leaves] & bit))
    while (playing.contact[frame] & bit) ++frame;
  while (frame < playing.clip().frame_count() && !(playing.contact[frame] & bit)) ++frame;
  if (frame == playing.clip().frame_count()) return {};
  const body::FootPoints& points = set_->feet[foot];
  const int ball = points.toe >= 0 ? points.toe : points.joint;
  Landing landing{
      .known = true,
      .in_s = std::max(step_s.value_or(0.0), (playing.clip().frame_time_s() * frame - time_s_) / std::max(pace_, 0.1)),
      .ball_m = world_from_clip_ * playing.positions().point(frame, ball)};
  if (keep_feet_) landing.ball_m += feet_.shift_m(foot, landing.in_s);
  const Vec3d from = playing.positions().point(now, ball), way = level(playing.positions().point(frame, ball) - from);
  if (way.norm() > kLeastWay_m) {
    for (std::size_t i = 0; i < landing.passed.size(); ++i) {
      const int at = now + (frame - now) * (static_cast<int>(i) + 1) / 4;
      landing.passed[i] =
          std::clamp((playing.positions().point(at, ball) - from).dot(way) / way.squaredNorm(), 0.0, 1.0);
    }
  }
  if (points.limb != kNoJoint) {
    landing.leg_m = world_from_clip_.turn() *
                    (playing.positions().joint(frame, points.joint) - playing.positions().joint(frame, points.limb));
  }
  return landing;
}

void TransitionPlayer::visit_state(StateBytes& bytes) {
  bytes(clip_, clip_before_, time_s_, pace_, world_from_clip_.yaw_rad, world_from_clip_.shift_m, frames_, changed_,
        change_length_s_, stride_, veer_rad_, turns_, shifts_, root_, height_, differs_, hips_, standing_, played_,
        feet_, raised_m_, limit_, shown_, world_shown_, shares_);
}

void TransitionPlayer::lay_out(Pose& pose) {
  const Clip& clip = set_->clips[clip_].clip();
  Scratch& s = thread_scratch<Scratch>(clip.joint_count());
  sample_beyond(clip, time_s_, pose, s.other);
  if ((stride_ != 1.0 || veer_rad_ != 0.0) && frames_ > 0) {
    sample_beyond(clip, time_s_ - pace_ * frame_time_s_, s.raw, s.other);
    const Vec3d way = world_from_clip_.turn() * (pose.translation(0) - s.raw.translation(0)).cast<double>();
    Vec3d longer = stride_ * (about_y(veer_rad_) * way) - way;
    longer.y() = 0.0;
    world_from_clip_.shift_m += longer;
    if (keep_feet_) feet_.move_clip(longer);
  }
  move_posture(world_from_clip_, pose);
}

void TransitionPlayer::frame(Pose& pose) {
  if (changed_) start_differences(change_length_s_);
  lay_out(pose);
  const SetClip& playing = set_->clips[clip_];
  const auto bits = playing.contact[playing.clip().nearest_frame(time_s_)];
  if (keep_feet_) feet_.look_at_clip(pose, clip_, time_s_, pace_, world_from_clip_.yaw_rad, bits, frame_time_s_);
  if (differs_) add_differences(pose);
  root_.advance(frame_time_s_);
  height_.advance(frame_time_s_);
  pose.set_translation(0, pose.translation(0) + (root_.value() + height_.value()).cast<float>());

  // From here on `world` is where the joints of `pose` are: what changes the pose keeps it so.
  WorldPose& world = thread_scratch<Scratch>(pose.joint_count()).world_pose;
  forward_kinematics(*set_->skeleton, pose, world);
  if (keep_feet_) keep_over_ground(pose, world);
  std::swap(played_[2], played_[1]);
  std::swap(played_[1], played_[0]);
  played_[0] = pose;
  hips_ = world.positions[shared_->hips];
  limit_.play(clip_, clip_before_);
  if (keep_feet_) {
    feet_.keep(pose, world, root_, height_, limit_, frames_ > 0 ? &shown_ : nullptr, world_shown_, frame_time_s_);
    // No way leads back to where feet stood that have left the ground.
    if (const auto moved = feet_.follow_feet(root_.value())) {
      world_from_clip_.shift_m += Vec3d(moved->x(), 0.0, moved->z());
      start_root(root_.value() - *moved, root_.rate(), kLeast_s);
    }
  }
  if (frames_ > 0) hold_back(pose, world);
  shown_ = pose;
  std::swap(world_shown_, world);
  standing_ = keep_feet_ ? feet_.standing() : bits;
  changed_ = false;
  ++frames_;
}

void TransitionPlayer::add_differences(Pose& pose) {
  differs_ = false;
  for (JointIndex j = 0; j < pose.joint_count(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    turns_[at].advance(frame_time_s_);
    shifts_[at].advance(frame_time_s_);
    if (!turns_[at].is_over()) {
      pose.set_rotation(
          j, (exp_rotation(turns_[at].value()) * pose.rotation(j).cast<double>()).normalized().cast<float>());
    }
    if (!shifts_[at].is_over()) pose.set_translation(j, pose.translation(j) + shifts_[at].value().cast<float>());
    differs_ = differs_ || !turns_[at].is_over() || !shifts_[at].is_over();
  }
}

}  // namespace shosa::graph
