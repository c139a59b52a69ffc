// How legs reach for the feet that `FootKeeper` has decided on.

#include <algorithm>
#include <cmath>

#include "graph/foot_keeper.h"
#include "shosa/body/leg_proportions.h"
#include "shosa/core/rotations.h"

namespace shosa::graph {
namespace {

using blend::FootPose;

constexpr double kLandingAhead_s = 0.12;  ///< From then on the hips sink for a foot that comes down.
constexpr double kPlanting_s = 0.12;      ///< In which a foot that lands gives up being lifted for its toes.
constexpr double kOwnWay_m = 0.03, kOwnWay_s = 0.1, kComesBack_s = 0.25;
/// At which a body is held back by the one leg that carries it, and let go; let down, and raised.
constexpr Follower::Pace kHold{12.0, 1.0, 12.0}, kLetGo{5.0, 0.2, 6.0}, kSink{18.0, 0.35, 8.0}, kRise{8.0, 0.15, 4.0};
constexpr double kMostSink_m = 0.05;
constexpr double kMostRoll_rad = 0.7, kRoll_radps = 5.0;  ///< Over the ball: of a foot that stays behind.
constexpr double kAhead_s = 0.1;  ///< What the body will need then is what it follows: a spring comes late.

}  // namespace

double FootKeeper::distance_m(std::size_t leg, const FootPose& target, const Pose& pose) const {
  const blend::Rig& rig = shared_->rig;
  return (rig.ankle_of(target, rig.anchor_in_foot(pose, leg)) - world_[rig.legs()[leg].hip].position).norm();
}

Vec3d FootKeeper::hip_ahead(Foot& foot) const {
  foot.leg_ahead_m = foot.leg_m;
  if (foot.doing != Doing::standing) return Vec3d::Zero();
  const double ahead_s = foot.outlook.lift_s < 0.0f ? kAhead_s : std::min<double>(foot.outlook.lift_s, kAhead_s);
  const auto leg = static_cast<std::size_t>(&foot - feet_.data());
  const Vec3f &now = outlook(clip_, time_s_, leg).hip_from_ankle_m,
              &then = outlook(clip_, time_s_ + pace_ * ahead_s, leg).hip_from_ankle_m;
  foot.leg_ahead_m = std::max<double>(foot.leg_m, then.norm());
  return about_y(heading_rad_) * (then - now).cast<double>() + root_.value(ahead_s) - root_.value() +
         height_.value(ahead_s) - height_.value();
}

double FootKeeper::sink_needed(std::size_t leg, const FootPose& target, const Pose& pose) {
  const blend::Rig& rig = shared_->rig;
  const double whole = rig.legs()[leg].length_m;
  const Vec3d way = world_[rig.legs()[leg].hip].position + hip_ahead(feet_[leg]) -
                    rig.ankle_of(target, rig.anchor_in_foot(pose, leg));
  const double length = std::max(body::kLedReach * whole, std::min(feet_[leg].leg_ahead_m, body::kReach * whole));
  const double across = way.x() * way.x() + way.z() * way.z();
  if (way.squaredNorm() <= length * length) return 0.0;
  return across >= length * length ? way.y() : way.y() - std::sqrt(length * length - across);
}

void FootKeeper::reach(std::size_t leg, const SpeedLimit& limit, const Pose* last, const WorldPose& last_world,
                       Pose& pose, WorldPose& world) {
  const blend::Rig& rig = shared_->rig;
  const blend::Leg& bones = rig.legs()[leg];
  const JointIndex toes = shared_->toes[leg].joint;
  if (toes != kNoJoint) {
    const Quatd bent = targets_[leg].rotation.conjugate() * targets_[leg].toes;
    pose.set_rotation(toes, bent.normalized().cast<float>());
  }
  before_ = pose;
  rig.solve_leg(pose, world_, leg, targets_[leg], shared_->knee_axes[leg]);
  if (last == nullptr) return update_world(rig.skeleton(), pose, shared_->legs[leg], world);
  const auto holds = [&] {
    update_world(rig.skeleton(), pose, shared_->legs[leg], world);
    return limit.holds(shared_->legs[leg], {*last, last_world}, {pose, world});
  };
  if (holds()) return;
  // A foot in the air stays behind; one that stands turns more slowly, about where it stands.
  const bool stands = feet_[leg].doing == Doing::standing;
  const WholeFoot wanted = targets_[leg];
  const auto go = [&](double share) {
    for (const JointIndex j : {bones.hip, bones.knee, bones.ankle}) pose.set_rotation(j, before_.rotation(j));
    for (const JointIndex j : bones.below_ankle) {
      pose.set_rotation(j, last->rotation(j).slerp(static_cast<float>(share), before_.rotation(j)));
    }
    targets_[leg] = {blend::mixed(feet_[leg].out[0], wanted, share)};
    if (stands) targets_[leg].anchor_m = wanted.anchor_m;
    rig.solve_leg(pose, world_, leg, targets_[leg], shared_->knee_axes[leg]);
  };
  go(largest_share([&](double share) {
    go(share);
    return holds();
  }));
  if (holds()) return;
  if (stands) go(1.0);
  // The leg comes after, and the foot is where that takes it.
  before_ = pose;
  const auto follow = [&](double share) {
    for (const JointIndex j : {bones.hip, bones.knee, bones.ankle, toes}) {
      if (j == kNoJoint) continue;
      pose.set_rotation(j, last->rotation(j).slerp(static_cast<float>(share), before_.rotation(j)));
    }
  };
  follow(largest_share([&](double share) {
    follow(share);
    return holds();
  }));
  update_world(rig.skeleton(), pose, shared_->legs[leg], world);
  look_at(world);
  targets_[leg] = {rig.foot(pose, world_, leg)};
  feet_[leg].slipped = feet_[leg].doing == Doing::standing;
}

void FootKeeper::raise_heel(std::size_t leg, const Pose& pose, double frame_time_s) {
  const blend::Leg& bones = shared_->rig.legs()[leg];
  const Toes& toes = shared_->toes[leg];
  if (toes.joint == kNoJoint) return;
  Foot& foot = feet_[leg];
  const Quatd flat = targets_[leg].rotation;
  const Vec3d across = flat * toes.across_in_foot;
  const auto roll = [&](double angle) {
    targets_[leg].rotation = (Quatd(Eigen::AngleAxisd(-angle, across)) * flat).normalized();
    return distance_m(leg, targets_[leg], pose);
  };
  const double begin = std::max(foot.leg_m, body::kEaseReach * bones.length_m), distance = roll(0.0);
  double needed = 0.0;
  // A foot ahead of the body comes no nearer by it.
  if (foot.doing == Doing::standing && !foot.lingers && distance > begin && roll(0.1 * kMostRoll_rad) < distance) {
    const double room = std::max(1e-3, body::kLedReach * bones.length_m - begin);
    const double eased = begin + room * (1.0 - std::exp(-(distance - begin) / room));
    double low = 0.0;
    needed = kMostRoll_rad;
    for (int i = 0; i < 16; ++i) {
      const double middle = 0.5 * (low + needed);
      (roll(middle) > eased ? low : needed) = middle;
    }
  }
  const double most = kRoll_radps * frame_time_s;
  foot.rolled_rad = std::clamp(needed, foot.rolled_rad - most, foot.rolled_rad + most);
  roll(foot.rolled_rad);
}

void FootKeeper::hold_body(Pose& pose, WorldPose& world, double frame_time_s) {
  const blend::Rig& rig = shared_->rig;
  Vec3d wanted = Vec3d::Zero();
  const auto standing =
      std::count_if(feet_.begin(), feet_.end(), [](const Foot& f) { return f.doing == Doing::standing; });
  for (std::size_t k = 0; k < feet_.size() && standing == 1; ++k) {
    const blend::Leg& leg = rig.legs()[k];
    if (feet_[k].doing != Doing::standing || !leg.solvable) continue;
    const Vec3d way =
        rig.ankle_of(targets_[k], rig.anchor_in_foot(pose, k)) - (world_[leg.hip].position + hip_ahead(feet_[k]));
    const double distance = way.norm(), begin = std::max(feet_[k].leg_ahead_m, body::kEaseReach * leg.length_m);
    if (distance <= begin) continue;
    const double room = std::max(1e-3, body::kReach * leg.length_m - begin);
    const double eased = begin + room * (1.0 - std::exp(-(distance - begin) / room));
    const double across = std::hypot(way.x(), way.z()), left = eased * eased - way.y() * way.y();
    if (across < 1e-6 || left <= 0.0) continue;
    wanted = Vec3d(way.x(), 0.0, way.z()) * (1.0 - std::sqrt(left) / across);
  }
  held_.follow(wanted, wanted.squaredNorm() > held_.value().squaredNorm() ? kHold : kLetGo, frame_time_s);
  if (held_.value().squaredNorm() < 1e-12) return;
  move_root(held_.value(), pose, world);
  look_at(world);
}

void FootKeeper::look_at(const WorldPose& world) {
  const auto look = [&](JointIndex j) {
    if (j != kNoJoint) world_[j] = {world.rotations[j], world.positions[j]};
  };
  for (const blend::Leg& leg : shared_->rig.legs()) {
    look(leg.hip), look(leg.knee), look(leg.ankle);
    if (leg.hip != kNoJoint) look(shared_->rig.skeleton().parent(leg.hip));
  }
}

void FootKeeper::keep(Pose& pose, WorldPose& world, const Decay& root, const Decay& height, const SpeedLimit& limit,
                      const Pose* last, const WorldPose& last_world, double frame_time_s) {
  if (!shared_) return;
  root_ = root, height_ = height;
  const blend::Rig& rig = shared_->rig;
  look_at(world);
  double sink = 0.0;
  const double sink_before = sink_.value().y();
  const double most_sink = std::min(kMostSink_m, sink_before + kSink.most_speed * frame_time_s);
  for (std::size_t k = 0; k < feet_.size(); ++k) {
    Foot& foot = feet_[k];
    const blend::Leg& leg = rig.legs()[k];
    if (!leg.solvable) continue;
    bool others = true;
    for (std::size_t o = 0; o < feet_.size(); ++o) others = others && (o == k || feet_[o].doing == Doing::standing);
    decide(foot, (contact_ >> k & 1u) != 0, others, frame_time_s);
    targets_[k] = aim(foot);
    look_at_floor(k, frame_time_s);
    const double free_step = frame_time_s / kPlanting_s;
    foot.free = std::clamp(foot.doing == Doing::standing ? 0.0 : 1.0, foot.free - free_step, foot.free + free_step);
    bend_toes(k);
    clear(k, pose);
  }
  hold_body(pose, world, frame_time_s);
  for (std::size_t k = 0; k < feet_.size(); ++k) {
    Foot& foot = feet_[k];
    const blend::Leg& leg = rig.legs()[k];
    if (!leg.solvable) continue;
    const bool lands = foot.doing != Doing::standing && foot.outlook.landing_s > 0.0f &&
                       foot.outlook.landing_s < static_cast<float>(kLandingAhead_s);
    if (foot.doing == Doing::standing || lands) {
      sink = std::max(sink, std::min(sink_needed(k, targets_[k], pose), kMostSink_m));
    }
    if (foot.doing != Doing::standing) continue;
    // Out of reach even so: the foot steps, or leaves a little early.
    const Vec3d& hip = world_[leg.hip].position;
    const Vec3d way = rig.ankle_of(targets_[k], rig.anchor_in_foot(pose, k)) - (hip - Vec3d(0.0, most_sink, 0.0));
    // One that leaves anyway does so before its knee is straight, which would snap.
    const bool soon = foot.lingers || leaves_soon(foot);
    const double reach = foot.lingers ? body::kLedReach : soon ? body::kEasyReach : body::kReach;
    if (way.norm() <= std::max(reach * leg.length_m, foot.leg_m)) continue;
    const double until_s = !soon ? kStep_s : foot.outlook.landing_s > 0.0f ? foot.outlook.landing_s : kUnknownSwing_s;
    swing(foot, difference(foot, frame_time_s), until_s, soon ? kReleaseLift_m : kStepLift_m,
          soon ? kSwingSpeed_mps : kStepSpeed_mps);
    foot.doing = foot.lingers ? Doing::swinging : soon ? Doing::released : Doing::stepping;
    foot.lingers = false;
    foot.shift.advance(frame_time_s), foot.height.advance(frame_time_s);
    foot.turn.advance(frame_time_s), foot.toes.advance(frame_time_s);
    foot.lift_time_s += frame_time_s;
    targets_[k] = aim(foot);
    bend_toes(k);
    clear(k, pose);
  }
  sink_.follow(Vec3d(0.0, sink, 0.0), sink > sink_before ? kSink : kRise, frame_time_s);
  if (sink_.value().squaredNorm() > 1e-12) {
    move_root(-sink_.value(), pose, world);
    look_at(world);
  }
  standing_ = 0;
  for (std::size_t k = 0; k < feet_.size(); ++k) {
    Foot& foot = feet_[k];
    const blend::Leg& leg = rig.legs()[k];
    if (!leg.solvable) continue;
    if (foot.doing == Doing::standing) standing_ |= static_cast<std::uint8_t>(1u << k);
    raise_heel(k, pose, frame_time_s);
    // A foot in the air comes along rather than stretch its leg; what the clip's own leg has stays as it is.
    const double distance = distance_m(k, targets_[k], pose);
    // The farther the foot is from the clip's, the less the clip's leg says about how straight this one may be.
    const double far = std::min(1.0, (foot.shift.value() + foot.height.value() - root_.value()).norm() / kOwnWay_m);
    foot.own_way = std::clamp(far, foot.own_way - frame_time_s / kComesBack_s, foot.own_way + frame_time_s / kOwnWay_s);
    const double own = foot.own_way;
    const double clip_m =
        foot.clip_leg_m + own * (std::min(foot.clip_leg_m, body::kEaseReach * leg.length_m) - foot.clip_leg_m);
    const double begin = std::max({clip_m, body::kEaseReach * leg.length_m, foot.stretch_m});
    if ((foot.doing != Doing::standing || foot.lingers) && distance > begin) {
      const double room = std::max(1e-3, std::max(body::kLedReach * leg.length_m, clip_m + 0.001) - begin);
      const double eased = begin + room * (1.0 - std::exp(-(distance - begin) / room));
      const Vec3d& hip = world_[leg.hip].position;
      const Vec3d ankle = rig.ankle_of(targets_[k], rig.anchor_in_foot(pose, k));
      targets_[k].anchor_m += (hip - ankle) * (1.0 - eased / distance);
    }
    foot.stretch_m = foot.doing == Doing::standing ? std::min(distance, leg.length_m)
                                                   : foot.stretch_m - kRelaxSpeed_mps * frame_time_s;
    reach(k, limit, last, last_world, pose, world);
    std::copy_backward(foot.out.begin(), foot.out.end() - 1, foot.out.end());
    foot.out[0] = targets_[k];
    if (const JointIndex toes = shared_->toes[k].joint; toes != kNoJoint) {
      foot.out[0].toes = targets_[k].rotation * pose.rotation(toes).cast<double>();
    }
  }
  changed_ = false;
}

}  // namespace shosa::graph
