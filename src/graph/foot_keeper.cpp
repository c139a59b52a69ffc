#include "graph/foot_keeper.h"

#include <algorithm>
#include <cmath>

namespace shosa::graph {
namespace {

using blending::FootPose;

constexpr double kSettle_s = 0.2;        ///< Height and tilt of a foot that came down otherwise than the clip's.
constexpr double kLanding_s = 0.1;       ///< In which a foot comes to rest that lands while it still moves.
constexpr double kSwingSpeed_mps = 0.5;  ///< What a dying difference may add to a foot's speed …
constexpr double kSwingTurn_radps = 1.8;
constexpr double kShortestSwing_s = 0.08, kLongestSwing_s = 0.6, kUnknownSwing_s = 0.3;
constexpr double kMostSpeed_mps = 4.0, kMostTurn_radps = 6.0;
constexpr double kAfterLanding_s = 0.1;   ///< When the body should be over a foot that lands now as the clip has it.
constexpr double kLandingAhead_s = 0.12;  ///< From then on the hips sink for a foot that comes down.
constexpr double kStep_s = 0.4, kStepLift_m = 0.05, kReleaseLift_m = 0.03;
constexpr double kStepFrom_m = 0.10, kStepFrom_rad = 0.6;  ///< A difference that is worth a step.
constexpr double kBroken_m = 0.1, kBroken_rad = 0.2;       ///< Samples off by more than this were captured wrongly.
constexpr double kEaseReach = 0.95, kReach = 0.985, kFullReach = 0.9995;  ///< Of the leg's length.
constexpr double kSinkSpeed_mps = 0.35, kRiseSpeed_mps = 0.12, kMostSink_m = 0.05;

double across_m(const Vec3d& v) {
  return std::hypot(v.x(), v.z());
}

/// The clip that says most about how knees bend: the fastest.
const SetClip& liveliest(const MotionSet& set) {
  return *std::max_element(set.clips.begin(), set.clips.end(), [](const SetClip& a, const SetClip& b) {
    const auto most = [](const SetClip& c) { return *std::max_element(c.speed_mps.begin(), c.speed_mps.end()); };
    return most(a) < most(b);
  });
}

}  // namespace

FootKeeper::FootKeeper(const MotionSet& set) {
  const auto motion = blending::prepare_motion(liveliest(set).clip, set.body_map);
  if (!motion || (*motion)->contacts.feet.size() != set.feet.size()) return;
  Shared shared{blending::Rig(**motion), (*motion)->knee_axes, {}, {}, set.frame_time_s};
  const std::size_t feet = set.feet.size();
  for (const blending::Leg& leg : shared.rig.legs()) shared.legs.push_back(joints_below(*set.skeleton, leg.hip));
  for (const SetClip& clip : set.clips) {
    const auto frames = static_cast<int>(clip.contact.size());
    std::vector<Outlook> outlook(clip.contact.size() * feet);
    for (std::size_t foot = 0; foot < feet; ++foot) {
      double landing = -1.0, lift = -1.0;
      bool after = false;
      for (int f = frames - 1; f >= 0; --f) {
        const bool stands = (clip.contact[static_cast<std::size_t>(f)] >> foot & 1u) != 0;
        if (landing >= 0.0) landing += set.frame_time_s;
        if (lift >= 0.0) lift += set.frame_time_s;
        if (f + 1 < frames && !stands && after) landing = set.frame_time_s;
        if (f + 1 < frames && stands && !after) lift = set.frame_time_s;
        outlook[static_cast<std::size_t>(f) * feet + foot] = {static_cast<float>(landing), static_cast<float>(lift)};
        after = stands;
      }
    }
    shared.outlook.push_back(std::move(outlook));
  }
  world_ = shared.rig.make_world();
  shared_ = std::make_shared<const Shared>(std::move(shared));
  feet_.resize(feet);
  targets_.resize(feet);
}

const FootKeeper::Outlook& FootKeeper::outlook(int clip, double time_s, std::size_t foot) const {
  const auto& list = shared_->outlook[static_cast<std::size_t>(clip)];
  const auto frames = static_cast<double>(list.size() / feet_.size());
  const double frame = std::clamp(std::round(time_s / shared_->frame_time_s), 0.0, frames - 1.0);
  return list[static_cast<std::size_t>(frame) * feet_.size() + foot];
}

void FootKeeper::change_clip(std::span<const Pose, 3> placed) {
  if (!shared_) return;
  changed_ = true;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    shared_->rig.world(placed[i], world_);
    for (std::size_t k = 0; k < feet_.size(); ++k) feet_[k].clip[i] = shared_->rig.foot(placed[i], world_, k);
  }
}

void FootKeeper::look_at_clip(const Pose& placed, int clip, double time_s, double pace, std::uint8_t contact_bits) {
  if (!shared_) return;
  contact_ = contact_bits;
  const blending::Rig& rig = shared_->rig;
  rig.world(placed, world_);
  for (std::size_t k = 0; k < feet_.size(); ++k) {
    Foot& foot = feet_[k];
    std::copy_backward(foot.clip.begin(), foot.clip.end() - 1, foot.clip.end());
    foot.clip[0] = rig.foot(placed, world_, k);
    foot.outlook = outlook(clip, time_s, k);
    foot.outlook.landing_s /= static_cast<float>(pace), foot.outlook.lift_s /= static_cast<float>(pace);
    const blending::Leg& leg = rig.legs()[k];
    if (leg.solvable) {
      foot.leg_m =
          (world_[static_cast<std::size_t>(leg.hip)].position - world_[static_cast<std::size_t>(leg.ankle)].position)
              .norm();
    }
    if (foot.started) continue;
    foot.started = true;
    foot.doing = (contact_ >> k & 1u) != 0 ? Doing::standing : Doing::swinging;
    foot.out.fill(foot.clip[0]), foot.clip.fill(foot.clip[0]);
  }
}

Vec3d FootKeeper::shift_to_feet(const Pose& placed, int clip, double time_s, std::uint8_t contact_bits,
                                const Vec3d& shift, double most_m) {
  if (!shared_) return shift;
  shared_->rig.world(placed, world_);
  Vec3d sum = Vec3d::Zero();
  double weights = 0.0;
  for (std::size_t k = 0; k < feet_.size(); ++k) {
    if (feet_[k].doing != Doing::standing || !feet_[k].started || (contact_bits >> k & 1u) == 0) continue;
    // The foot that will stand longest counts most.
    const double left_s = outlook(clip, time_s, k).lift_s;
    const double weight = left_s < 0.0 ? 0.5 : std::clamp(left_s, 0.02, 0.5);
    sum += weight * (feet_[k].out[0].anchor_m - shared_->rig.foot(placed, world_, k).anchor_m);
    weights += weight;
  }
  if (weights == 0.0) return shift;
  Vec3d moved = sum / weights - shift;
  moved.y() = 0.0;
  return shift + bounded(moved, most_m);
}

FootKeeper::Difference FootKeeper::difference(const Foot& foot, double frame_time_s) {
  std::array<Vec3d, 3> shift, turn;
  for (std::size_t i = 0; i < shift.size(); ++i) {
    shift[i] = foot.out[i].anchor_m - foot.clip[i + 1].anchor_m;
    turn[i] = rotation_vector(foot.out[i].rotation * foot.clip[i + 1].rotation.conjugate());
    if (i > 0) turn[i] = unwound(turn[i], turn[i - 1]);
  }
  const Measured shifted = measured(shift[0], shift[1], shift[2], frame_time_s, kBroken_m);
  const Measured turned = measured(turn[0], turn[1], turn[2], frame_time_s, kBroken_rad);
  return {shifted.value, bounded(shifted.rate, kMostSpeed_mps), turned.value, bounded(turned.rate, kMostTurn_radps)};
}

void FootKeeper::swing(Foot& foot, const Difference& from, double time_s, double lift_m) const {
  const double length_s = std::clamp(time_s, kShortestSwing_s, kLongestSwing_s);
  const double rate_s = std::min(Decay::kRate_s, length_s);
  // What the time does not suffice for is left to the next swing.
  const auto rest = [&](const Vec3d& left, double speed) -> Vec3d {
    return left * std::max(0.0, 1.0 - speed * length_s / (1.875 * std::max(1e-9, left.norm())));
  };
  Vec3d body = root_.value(length_s + kAfterLanding_s);
  body.y() = 0.0;
  Vec3d stays = Decay::left(from.shift, from.shift_speed, rate_s) - body;
  stays.y() = 0.0;
  foot.shift.start(from.shift, from.shift_speed, length_s, rate_s, body + rest(stays, kSwingSpeed_mps));
  foot.turn.start(from.turn, from.turn_speed, length_s, rate_s,
                  rest(Decay::left(from.turn, from.turn_speed, rate_s), kSwingTurn_radps));
  foot.lift_m = lift_m, foot.lift_time_s = 0.0, foot.lift_length_s = length_s;
}

void FootKeeper::stand(Foot& foot, const Difference& from, bool stood) {
  Vec3d speed = from.shift_speed;
  if (stood) speed.x() = speed.z() = 0.0;
  Vec3d place = Decay::left(from.shift, speed, kLanding_s);
  place.y() = 0.0;
  const double settle_s = std::max(kSettle_s, decay_length_s(std::abs(from.shift.y()), kSwingSpeed_mps));
  foot.shift.start(from.shift, speed, settle_s, kLanding_s, place);
  Vec3d turn_speed = from.turn_speed;
  if (stood) turn_speed.y() = 0.0;
  const Vec3d left = Decay::left(from.turn, turn_speed, kLanding_s), yaw(0.0, left.y(), 0.0);
  foot.turn.start(from.turn, turn_speed, std::max(kSettle_s, decay_length_s((left - yaw).norm(), kSwingTurn_radps)),
                  kLanding_s, yaw);
  foot.lift_m = 0.0;
}

void FootKeeper::decide(Foot& foot, bool contact, bool others_stand, double frame_time_s) const {
  const double landing_s = foot.outlook.landing_s > 0.0f ? foot.outlook.landing_s : kUnknownSwing_s;
  const bool step_over = foot.doing == Doing::stepping && foot.lift_time_s >= foot.lift_length_s;
  if (contact) {
    const bool lands = foot.doing == Doing::swinging || step_over;
    if (changed_ || lands || foot.slipped) {
      const bool stood = foot.doing == Doing::standing;
      stand(foot, difference(foot, frame_time_s), stood);
      foot.doing = Doing::standing;
    } else if (foot.doing == Doing::standing && others_stand &&
               (foot.outlook.lift_s < 0.0f || foot.outlook.lift_s > kStep_s + 0.1) && foot.shift.is_over()) {
      const Difference d = difference(foot, frame_time_s);
      if (across_m(d.shift) > kStepFrom_m || std::abs(d.turn.y()) > kStepFrom_rad) {
        swing(foot, d, kStep_s, kStepLift_m);
        foot.doing = Doing::stepping;
      }
    }
  } else {
    if (changed_ || foot.doing == Doing::standing || foot.doing == Doing::stepping) {
      swing(foot, difference(foot, frame_time_s), landing_s, 0.0);
    }
    foot.doing = Doing::swinging;
  }
  foot.slipped = false;
  foot.shift.advance(frame_time_s);
  foot.turn.advance(frame_time_s);
  foot.lift_time_s += frame_time_s;
}

FootPose FootKeeper::aim(const Foot& foot) {
  FootPose target;
  target.anchor_m = foot.clip[0].anchor_m + foot.shift.value();
  target.rotation = (rotation_of(foot.turn.value()) * foot.clip[0].rotation).normalized();
  if (foot.lift_m > 0.0 && foot.lift_time_s < foot.lift_length_s) {
    const double u = foot.lift_time_s / foot.lift_length_s, bell = 4.0 * u * (1.0 - u);
    target.anchor_m.y() += foot.lift_m * bell * bell * bell;
  }
  // The ground is at 0 in every clip of a set.
  target.anchor_m.y() = std::max(target.anchor_m.y(), std::min(0.0, foot.clip[0].anchor_m.y()));
  return target;
}

double FootKeeper::distance_m(std::size_t leg, const FootPose& target, const Pose& pose) const {
  const blending::Rig& rig = shared_->rig;
  return (rig.ankle_of(target, rig.anchor_in_foot(pose, leg)) -
          world_[static_cast<std::size_t>(rig.legs()[leg].hip)].position)
      .norm();
}

double FootKeeper::sink_needed(std::size_t leg, const FootPose& target, const Pose& pose) const {
  const blending::Rig& rig = shared_->rig;
  const double whole = rig.legs()[leg].length_m;
  const double length = std::max(kReach * whole, std::min(feet_[leg].leg_m, kFullReach * whole));
  const Vec3d way = world_[static_cast<std::size_t>(rig.legs()[leg].hip)].position -
                    rig.ankle_of(target, rig.anchor_in_foot(pose, leg));
  const double across = way.x() * way.x() + way.z() * way.z();
  if (way.squaredNorm() <= length * length) return 0.0;
  return across >= length * length ? way.y() : way.y() - std::sqrt(length * length - across);
}

void FootKeeper::move_clip(const Vec3d& by) {
  for (Foot& foot : feet_) {
    for (FootPose& pose : foot.clip) pose.anchor_m += by;
    if (foot.doing == Doing::standing) foot.shift.shift(-by);
  }
}

std::optional<Vec3d> FootKeeper::follow_feet(const Vec3d& root_m) {
  if (!shared_ || standing_ == stood_) return std::nullopt;
  stood_ = standing_;
  Vec3d sum = Vec3d::Zero();
  double weights = 0.0;
  for (const Foot& foot : feet_) {
    if (foot.doing != Doing::standing) continue;
    const double weight = foot.outlook.lift_s < 0.0f ? 0.5 : std::clamp<double>(foot.outlook.lift_s, 0.02, 0.5);
    sum += weight * foot.shift.value(kSettle_s);
    weights += weight;
  }
  Vec3d moved = weights > 0.0 ? Vec3d(sum / weights) : root_m;
  moved.y() = 0.0;
  for (Foot& foot : feet_) {
    for (FootPose& pose : foot.clip) pose.anchor_m += moved;
    foot.shift.shift(-moved);
  }
  return moved;
}

void FootKeeper::reach(std::size_t leg, const SpeedLimit& limit, const Pose* last, const WorldPose& last_world,
                       Pose& pose) {
  const blending::Rig& rig = shared_->rig;
  const blending::Leg& bones = rig.legs()[leg];
  before_ = pose;
  rig.solve_leg(pose, world_, leg, targets_[leg], shared_->knee_axes[leg]);
  if (last == nullptr) return;
  forward_kinematics(rig.skeleton(), pose, reached_);
  if (limit.holds(shared_->legs[leg], last_world, reached_)) return;
  const auto holds = [&] {
    forward_kinematics(rig.skeleton(), pose, reached_);
    return limit.holds(shared_->legs[leg], last_world, reached_);
  };
  if (feet_[leg].doing != Doing::standing) {
    const FootPose wanted = targets_[leg];
    const auto go = [&](double share) {
      for (const JointIndex j : {bones.hip, bones.knee, bones.ankle}) pose.set_rotation(j, before_.rotation(j));
      for (const JointIndex j : bones.below_ankle) {
        pose.set_rotation(j, last->rotation(j).slerp(static_cast<float>(share), before_.rotation(j)));
      }
      targets_[leg] = blending::mixed(feet_[leg].out[0], wanted, share);
      rig.solve_leg(pose, world_, leg, targets_[leg], shared_->knee_axes[leg]);
    };
    go(largest_share([&](double share) {
      go(share);
      return holds();
    }));
    if (holds()) return;
  }
  // The leg comes after, and the foot is where that takes it.
  before_ = pose;
  const auto follow = [&](double share) {
    for (const JointIndex j : {bones.hip, bones.knee, bones.ankle}) {
      pose.set_rotation(j, last->rotation(j).slerp(static_cast<float>(share), before_.rotation(j)));
    }
  };
  follow(largest_share([&](double share) {
    follow(share);
    return holds();
  }));
  rig.world(pose, world_);
  targets_[leg] = rig.foot(pose, world_, leg);
  feet_[leg].slipped = feet_[leg].doing == Doing::standing;
}

void FootKeeper::keep(Pose& pose, const Decay& root, const SpeedLimit& limit, const Pose* last,
                      const WorldPose& last_world, double frame_time_s) {
  if (!shared_) return;
  root_ = root;
  const blending::Rig& rig = shared_->rig;
  rig.world(pose, world_);
  double sink = 0.0;
  const double most_sink = std::min(kMostSink_m, sink_m_ + kSinkSpeed_mps * frame_time_s);
  for (std::size_t k = 0; k < feet_.size(); ++k) {
    Foot& foot = feet_[k];
    const blending::Leg& leg = rig.legs()[k];
    if (!leg.solvable) continue;
    bool others = true;
    for (std::size_t o = 0; o < feet_.size(); ++o) others = others && (o == k || feet_[o].doing == Doing::standing);
    decide(foot, (contact_ >> k & 1u) != 0, others, frame_time_s);
    targets_[k] = aim(foot);
    const bool lands = foot.doing != Doing::standing && foot.outlook.landing_s > 0.0f &&
                       foot.outlook.landing_s < static_cast<float>(kLandingAhead_s);
    if (foot.doing == Doing::standing || lands) {
      sink = std::max(sink, std::min(sink_needed(k, targets_[k], pose), most_sink));
    }
    if (foot.doing != Doing::standing) continue;
    // Out of reach even so: the foot steps, or leaves a little early.
    const Vec3d& hip = world_[static_cast<std::size_t>(leg.hip)].position;
    const Vec3d way = rig.ankle_of(targets_[k], rig.anchor_in_foot(pose, k)) - (hip - Vec3d(0.0, most_sink, 0.0));
    if (way.norm() <= std::max(kFullReach * leg.length_m, foot.leg_m)) continue;
    const bool soon = foot.outlook.lift_s >= 0.0f && foot.outlook.lift_s < 0.25f;
    const double until_s = !soon ? kStep_s : foot.outlook.landing_s > 0.0f ? foot.outlook.landing_s : kUnknownSwing_s;
    swing(foot, difference(foot, frame_time_s), until_s, soon ? kReleaseLift_m : kStepLift_m);
    foot.doing = soon ? Doing::released : Doing::stepping;
    foot.shift.advance(frame_time_s), foot.turn.advance(frame_time_s), foot.lift_time_s += frame_time_s;
    targets_[k] = aim(foot);
  }
  sink_m_ = std::clamp(sink, sink_m_ - kRiseSpeed_mps * frame_time_s, sink_m_ + kSinkSpeed_mps * frame_time_s);
  if (sink_m_ > 0.0) {
    pose.set_translation(0, pose.translation(0) - Vec3f(0.0f, static_cast<float>(sink_m_), 0.0f));
    rig.world(pose, world_);
  }
  standing_ = 0;
  for (std::size_t k = 0; k < feet_.size(); ++k) {
    Foot& foot = feet_[k];
    const blending::Leg& leg = rig.legs()[k];
    if (!leg.solvable) continue;
    if (foot.doing == Doing::standing) standing_ |= static_cast<std::uint8_t>(1u << k);
    // A foot in the air comes along rather than stretch its leg; what the clip's own leg has stays as it is.
    const double distance = distance_m(k, targets_[k], pose);
    const double begin = std::max(foot.leg_m, kEaseReach * leg.length_m);
    if (foot.doing != Doing::standing && distance > begin) {
      const double room = std::max(1e-4, std::max(kReach * leg.length_m, foot.leg_m + 0.005) - begin);
      const double eased = begin + room * (1.0 - std::exp(-(distance - begin) / room));
      const Vec3d& hip = world_[static_cast<std::size_t>(leg.hip)].position;
      const Vec3d ankle = rig.ankle_of(targets_[k], rig.anchor_in_foot(pose, k));
      targets_[k].anchor_m += (hip - ankle) * (1.0 - eased / distance);
    }
    reach(k, limit, last, last_world, pose);
    std::copy_backward(foot.out.begin(), foot.out.end() - 1, foot.out.end());
    foot.out[0] = targets_[k];
  }
  changed_ = false;
}

}  // namespace shosa::graph
