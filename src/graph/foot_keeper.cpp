#include "graph/foot_keeper.h"

#include <algorithm>
#include <cmath>

namespace shosa::graph {
namespace {

using blending::FootPose;

constexpr double kSettle_s = 0.2;   ///< Height and tilt of a foot that came down otherwise than the clip's.
constexpr double kLanding_s = 0.1;  ///< In which a foot comes to rest that lands while it still moves.
constexpr double kSwingTurn_radps = 1.8;
constexpr double kToesTurn_radps = 4.0;  ///< Toes turn quickly in every gait.
constexpr double kStop_s = 0.05;         ///< … and over the ground.
constexpr double kShortestSwing_s = 0.08, kLongestSwing_s = 0.6;
constexpr double kMostSpeed_mps = 4.0, kMostTurn_radps = 6.0;
constexpr double kAfterLanding_s = 0.1;  ///< When the body should be over a foot that lands now as the clip has it.
constexpr double kStepFrom_m = 0.10, kStepFrom_rad = 0.6;                      ///< A difference that is worth a step.
constexpr double kInTheAir_m = 0.05, kComeDown_s = 0.12, kComeDown_mps = 1.0;  ///< A foot that must not stand yet.
constexpr double kBroken_m = 0.1, kBroken_rad = 0.2;  ///< Samples off by more than this were captured wrongly.

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
  Shared shared{blending::Rig(**motion), (*motion)->knee_axes, {}, {}, {}, {}, set.frame_time_s};
  const std::size_t feet = set.feet.size();
  for (const blending::Leg& leg : shared.rig.legs()) shared.legs.push_back(joints_below(*set.skeleton, leg.hip));
  for (const analysis::FootPoints& points : set.feet) shared.toes.push_back(find_toes(*set.skeleton, points));
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
    auto& heights = shared.heights.emplace_back();
    for (std::size_t foot = 0; foot < feet; ++foot) heights.push_back(find_heights(clip, set.feet[foot], foot));
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

FootKeeper::WholeFoot FootKeeper::whole_foot(const Pose& pose, std::size_t leg) const {
  WholeFoot foot{shared_->rig.foot(pose, world_, leg)};
  foot.ankle_m = world_[static_cast<std::size_t>(shared_->rig.legs()[leg].ankle)].position.y();
  if (const Toes& toes = shared_->toes[leg]; toes.joint != kNoJoint) {
    foot.toes = foot.rotation * pose.rotation(toes.joint).cast<double>();
    foot.tip_m = (foot.anchor_m + foot.toes * toes.tip_in_toes_m).y();
  }
  return foot;
}

void FootKeeper::begin(std::span<const Pose, 3> placed, std::uint8_t contact_bits) {
  if (!shared_) return;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    shared_->rig.world(placed[i], world_);
    for (std::size_t k = 0; k < feet_.size(); ++k) feet_[k].clip[i] = feet_[k].out[i] = whole_foot(placed[i], k);
  }
  for (std::size_t k = 0; k < feet_.size(); ++k) {
    feet_[k].doing = (contact_bits >> k & 1u) != 0 ? Doing::standing : Doing::swinging;
  }
}

void FootKeeper::change_clip(std::span<const Pose, 3> placed) {
  if (!shared_) return;
  changed_ = true;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    shared_->rig.world(placed[i], world_);
    for (std::size_t k = 0; k < feet_.size(); ++k) feet_[k].clip[i] = whole_foot(placed[i], k);
  }
}

void FootKeeper::look_at_clip(const Pose& placed, int clip, double time_s, double pace, std::uint8_t contact_bits) {
  if (!shared_) return;
  contact_ = contact_bits;
  clip_ = clip, time_s_ = time_s, pace_ = pace;
  const blending::Rig& rig = shared_->rig;
  rig.world(placed, world_);
  for (std::size_t k = 0; k < feet_.size(); ++k) {
    Foot& foot = feet_[k];
    std::copy_backward(foot.clip.begin(), foot.clip.end() - 1, foot.clip.end());
    foot.clip[0] = whole_foot(placed, k);
    foot.outlook = outlook(clip, time_s, k);
    foot.outlook.landing_s /= static_cast<float>(pace), foot.outlook.lift_s /= static_cast<float>(pace);
    const blending::Leg& leg = rig.legs()[k];
    if (leg.solvable) {
      foot.leg_m =
          (world_[static_cast<std::size_t>(leg.hip)].position - world_[static_cast<std::size_t>(leg.ankle)].position)
              .norm();
    }
  }
}

Vec3d FootKeeper::shift_to_feet(const Pose& placed, int clip, double time_s, std::uint8_t contact_bits,
                                const Vec3d& shift, double most_m) {
  if (!shared_) return shift;
  shared_->rig.world(placed, world_);
  Vec3d sum = Vec3d::Zero();
  double weights = 0.0;
  for (std::size_t k = 0; k < feet_.size(); ++k) {
    if (feet_[k].doing != Doing::standing || (contact_bits >> k & 1u) == 0) continue;
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
  std::array<Vec3d, 3> shift, turn, toes;
  for (std::size_t i = 0; i < shift.size(); ++i) {
    shift[i] = foot.out[i].anchor_m - foot.clip[i + 1].anchor_m;
    turn[i] = rotation_vector(foot.out[i].rotation * foot.clip[i + 1].rotation.conjugate());
    toes[i] = rotation_vector(foot.out[i].toes * foot.clip[i + 1].toes.conjugate());
    if (i > 0) turn[i] = unwound(turn[i], turn[i - 1]), toes[i] = unwound(toes[i], toes[i - 1]);
  }
  const Measured shifted = measured(shift[0], shift[1], shift[2], frame_time_s, kBroken_m);
  const Measured turned = measured(turn[0], turn[1], turn[2], frame_time_s, kBroken_rad);
  const Measured bent = measured(toes[0], toes[1], toes[2], frame_time_s, kBroken_rad);
  return {shifted.value, bounded(shifted.rate, kMostSpeed_mps), turned.value, bounded(turned.rate, kMostTurn_radps),
          bent.value,    bounded(bent.rate, kMostTurn_radps)};
}

void FootKeeper::swing(Foot& foot, const Difference& from, double time_s, double lift_m, double speed_mps) const {
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
  const Vec3d height(0.0, from.shift.y(), 0.0), height_speed(0.0, from.shift_speed.y(), 0.0);
  foot.shift.start(from.shift - height, from.shift_speed - height_speed, length_s, rate_s,
                   body + rest(stays, speed_mps));
  const double height_s = lift_m > 0.0 ? length_s : height_length_s(foot, height, height_speed, length_s);
  foot.height.start(height, height_speed, height_s, std::min(rate_s, height_s));
  foot.turn.start(from.turn, from.turn_speed, length_s, rate_s,
                  rest(Decay::left(from.turn, from.turn_speed, rate_s), kSwingTurn_radps));
  // Toes come down as the clip has them, as far as the time suffices.
  const Vec3d toes = rest(Decay::left(from.toes, from.toes_speed, rate_s), kToesTurn_radps);
  foot.toes.start(from.toes, from.toes_speed, length_s, rate_s, toes);
  foot.lift_m = lift_m, foot.lift_time_s = 0.0, foot.lift_length_s = length_s;
}

void FootKeeper::stand(Foot& foot, const Difference& from, bool stood) {
  Vec3d speed = from.shift_speed;
  if (stood) speed.x() = speed.z() = 0.0;
  const Vec3d height(0.0, from.shift.y(), 0.0), height_speed(0.0, speed.y(), 0.0);
  const Vec3d across = from.shift - height, across_speed = speed - height_speed;
  foot.shift.start(across, across_speed, kSettle_s, kStop_s, Decay::left(across, across_speed, kStop_s));
  foot.height.start(height, height_speed,
                    std::max(kSettle_s, decay_length_s(std::abs(from.shift.y()), kSwingSpeed_mps)), kLanding_s);
  Vec3d turn_speed = from.turn_speed;
  if (stood) turn_speed.y() = 0.0;
  const Vec3d left = Decay::left(from.turn, turn_speed, kLanding_s), yaw(0.0, left.y(), 0.0);
  foot.turn.start(from.turn, turn_speed, std::max(kSettle_s, decay_length_s((left - yaw).norm(), kSwingTurn_radps)),
                  kLanding_s, yaw);
  Vec3d toes_speed = from.toes_speed;
  if (stood) toes_speed.y() = 0.0;
  const Vec3d toes_left = Decay::left(from.toes, toes_speed, kLanding_s);
  foot.toes.start(from.toes, toes_speed,
                  std::max(kLanding_s, decay_length_s((toes_left - yaw).norm(), kToesTurn_radps)), kLanding_s, yaw);
  foot.lift_m = 0.0;
}

void FootKeeper::decide(Foot& foot, bool contact, bool others_stand, double frame_time_s) const {
  const double landing_s = foot.outlook.landing_s > 0.0f ? foot.outlook.landing_s : kUnknownSwing_s;
  const bool step_over = foot.doing == Doing::stepping && foot.lift_time_s >= foot.lift_length_s;
  if (contact) {
    const bool lands = foot.doing == Doing::swinging || step_over;
    if (changed_ || lands || foot.slipped) {
      const bool stood = foot.doing == Doing::standing;
      const Difference d = difference(foot, frame_time_s);
      if (d.shift.y() > kInTheAir_m) {
        // The clip's foot stands, this one has yet to come down.
        swing(foot, d, std::max(kComeDown_s, decay_length_s(d.shift.y(), kComeDown_mps)), 0.0, kStepSpeed_mps);
        foot.doing = Doing::stepping;
      } else {
        stand(foot, d, stood);
        foot.doing = Doing::standing;
      }
    } else if (foot.doing == Doing::standing && others_stand &&
               (foot.outlook.lift_s < 0.0f || foot.outlook.lift_s > kStep_s + 0.1) && foot.shift.is_over()) {
      const Difference d = difference(foot, frame_time_s);
      if (across_m(d.shift) > kStepFrom_m || std::abs(d.turn.y()) > kStepFrom_rad) {
        swing(foot, d, kStep_s, kStepLift_m, kStepSpeed_mps);
        foot.doing = Doing::stepping;
      }
    }
  } else {
    if (changed_ || foot.doing == Doing::standing || foot.doing == Doing::stepping) {
      swing(foot, difference(foot, frame_time_s), landing_s, 0.0, kSwingSpeed_mps);
    }
    foot.doing = Doing::swinging;
  }
  foot.slipped = false;
  if (contact && foot.doing == Doing::standing && holds_still(foot)) {
    const WholeFoot &now = foot.out[0], &clip = foot.clip[0];
    stand(foot,
          {.shift = now.anchor_m - clip.anchor_m,
           .shift_speed = Vec3d::Zero(),
           .turn = rotation_vector(now.rotation * clip.rotation.conjugate()),
           .turn_speed = Vec3d::Zero(),
           .toes = rotation_vector(now.toes * clip.toes.conjugate()),
           .toes_speed = Vec3d::Zero()},
          true);
    return;
  }
  foot.shift.advance(frame_time_s);
  foot.height.advance(frame_time_s);
  foot.turn.advance(frame_time_s);
  foot.toes.advance(frame_time_s);
  foot.lift_time_s += frame_time_s;
}

FootKeeper::WholeFoot FootKeeper::aim(const Foot& foot) {
  WholeFoot target;
  target.anchor_m = foot.clip[0].anchor_m + foot.shift.value() + foot.height.value();
  target.rotation = (rotation_of(foot.turn.value()) * foot.clip[0].rotation).normalized();
  target.toes = (rotation_of(foot.toes.value()) * foot.clip[0].toes).normalized();
  if (foot.lift_m > 0.0 && foot.lift_time_s < foot.lift_length_s) {
    const double u = foot.lift_time_s / foot.lift_length_s, bell = 4.0 * u * (1.0 - u);
    target.anchor_m.y() += foot.lift_m * bell * bell * bell;
  }
  return target;
}

void FootKeeper::move_clip(const Vec3d& by) {
  for (Foot& foot : feet_) {
    for (WholeFoot& pose : foot.clip) pose.anchor_m += by;
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
    for (WholeFoot& pose : foot.clip) pose.anchor_m += moved;
    foot.shift.shift(-moved);
  }
  return moved;
}

}  // namespace shosa::graph
