// What the feet of `FootKeeper` do: stand, swing, step, linger.

#include <algorithm>
#include <cmath>

#include "graph/foot_keeper.h"
#include "shosa/body/leg_proportions.h"
#include "shosa/core/rotations.h"

namespace shosa::graph {
namespace {

constexpr double kLanding_s = 0.1;         ///< In which a foot comes to rest that lands while it still moves.
constexpr double kSwingTurn_radps = 10.0;  ///< What a dying difference may add to a foot's turning.
constexpr double kToesTurn_radps = 4.0;    ///< Toes turn quickly in every gait.
constexpr double kLeave_s = 0.05;          ///< In which a foot that leaves the ground is as fast as the clip's.
constexpr double kStop_s = 0.05;           ///< In which a foot that comes to stand gives up its speed.
constexpr double kShortestSwing_s = 0.08, kLongestSwing_s = 0.6;
constexpr double kStepShare = 0.5;  ///< Of the body's speed: what a dying difference may add to that of its feet.
constexpr double kMostSpeed_mps = 4.0, kMostTurn_radps = 10.0;
constexpr double kStillHeld = 0.6;       ///< What is left when a foot lands of how far the body is held back.
constexpr double kAfterLanding_s = 0.1;  ///< When the body should be over a foot that lands now as the clip has it.
constexpr double kStepFrom_m = 0.10, kStepFrom_rad = 0.6;                      ///< A difference that is worth a step.
constexpr double kInTheAir_m = 0.05, kComeDown_s = 0.12, kComeDown_mps = 1.0;  ///< A foot that must not stand yet.
constexpr double kDown_m = 0.015, kLow_m = 0.025;  ///< Over its lowest place: a ball that is down, or leaves.
/// Over the ground: a clip's foot that has come to rest, and one that has left. A played foot stays behind that much.
constexpr double kRests_mps = 0.3, kCreep_mps = 0.5, kMostCreep_m = 0.06;
constexpr double kAboutToLeave_s = 0.05;
constexpr double kLingers_s = 0.01;                   ///< By which a flight may be longer than in the clip.
constexpr double kBroken_m = 0.1, kBroken_rad = 0.2;  ///< Samples off by more than this were captured wrongly.

double across_m(const Vec3d& v) {
  return std::hypot(v.x(), v.z());
}

}  // namespace

FootKeeper::Difference FootKeeper::difference(const Foot& foot, double frame_time_s) {
  std::array<Vec3d, 3> shift, turn, toes;
  for (std::size_t i = 0; i < shift.size(); ++i) {
    shift[i] = foot.out[i].anchor_m - foot.clip[i + 1].anchor_m;
    turn[i] = log_rotation(foot.out[i].rotation * foot.clip[i + 1].rotation.conjugate());
    toes[i] = log_rotation(foot.out[i].toes * foot.clip[i + 1].toes.conjugate());
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
  // Off the ground a foot is soon as fast as the clip's: one that creeps away from it slides.
  const double rate_s = std::min(foot.doing == Doing::standing ? kLeave_s : Decay::kRate_s, length_s);
  // A step of a fast body may become longer or shorter by more.
  speed_mps = std::max(speed_mps, kStepShare * body_speed_mps());
  // What the time does not suffice for is left to the next swing.
  const auto rest = [&](const Vec3d& left, double speed) -> Vec3d {
    return left * std::max(0.0, 1.0 - speed * length_s / (1.875 * std::max(1e-9, left.norm())));
  };
  Vec3d body = root_.value(length_s + kAfterLanding_s) + kStillHeld * held_.value();
  body.y() = 0.0;
  Vec3d stays = Decay::left(from.shift, from.shift_speed, rate_s) - body;
  stays.y() = 0.0;
  const Vec3d height(0.0, from.shift.y(), 0.0), height_speed(0.0, from.shift_speed.y(), 0.0);
  // … as far as the leg reaches where it lands.
  Vec3d left = rest(stays, speed_mps);
  const auto index = static_cast<std::size_t>(&foot - feet_.data());
  const Vec3d hip =
      about_y(heading_rad_) * outlook(clip_, time_s_ + pace_ * length_s, index).hip_from_ankle_m.cast<double>();
  const double most_m = std::max(hip.norm(), body::kEasyReach * shared_->rig.legs()[index].length_m);
  if ((hip - left).norm() > most_m) {
    left *= largest_share([&](double share) { return (hip - share * left).norm() <= most_m; });
  }
  foot.shift.start(from.shift - height, from.shift_speed - height_speed, length_s, rate_s, body + left);
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
  const double turn_s = std::max(kSettle_s, decay_length_s((left - yaw).norm(), kSwingTurn_radps));
  foot.turn.start(from.turn, turn_speed, turn_s, kLanding_s, yaw);
  Vec3d toes_speed = from.toes_speed;
  if (stood) toes_speed.y() = 0.0;
  const Vec3d toes_left = Decay::left(from.toes, toes_speed, kLanding_s);
  // Toes that are turned with their foot come back with it; only what they are bent beside it is slow.
  const double bend_s = decay_length_s((toes_left - left).norm(), kToesTurn_radps);
  const double toes_s = std::min(decay_length_s((toes_left - yaw).norm(), kToesTurn_radps), std::max(turn_s, bend_s));
  foot.toes.start(from.toes, toes_speed, std::max(kLanding_s, toes_s), kLanding_s, yaw);
  foot.lift_m = 0.0;
}

void FootKeeper::decide(Foot& foot, bool contact, bool others_stand, double frame_time_s) const {
  const double landing_s = foot.outlook.landing_s > 0.0f ? foot.outlook.landing_s : kUnknownSwing_s;
  const bool step_over = foot.doing == Doing::stepping && foot.lift_time_s >= foot.lift_length_s;
  const bool lingered = lingers(foot, contact);
  if (lingered) {
    // Its toe joint stays where it is, not below the ground; it rolls on as the clip's does.
    if (changed_) stand(foot, difference(foot, frame_time_s), true);
    Vec3d held = foot.out[0].anchor_m - foot.clip[0].anchor_m;
    held.y() = std::max(foot.out[0].anchor_m.y(), foot.floor.ball_m) - foot.clip[0].anchor_m.y();
    const Vec3d height(0.0, held.y(), 0.0), still = Vec3d::Zero();
    foot.shift.start(held - height, still, kSettle_s, kStop_s, held - height);
    foot.height.start(height, still, kSettle_s, kStop_s, height);
    foot.lingers = foot.planted = true;
  } else if (contact) {
    foot.lingers = false;
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
  } else if (!changed_ && is_planted(foot, false, frame_time_s)) {
    foot.lingers = true;
  } else {
    foot.lingers = false;
    if (changed_ || foot.aims_anew || foot.doing == Doing::standing || foot.doing == Doing::stepping) {
      swing(foot, difference(foot, frame_time_s), landing_s, 0.0, kSwingSpeed_mps);
    }
    foot.doing = Doing::swinging;
  }
  if (!lingered) plant(foot, contact, frame_time_s);
  foot.slipped = foot.aims_anew = false;
  foot.held = contact && foot.doing == Doing::standing && !leaves_soon(foot) && holds_still(foot);
  if (foot.held) {
    const WholeFoot &now = foot.out[0], &clip = foot.clip[0];
    stand(foot,
          {.shift = now.anchor_m - clip.anchor_m,
           .shift_speed = Vec3d::Zero(),
           .turn = log_rotation(now.rotation * clip.rotation.conjugate()),
           .turn_speed = Vec3d::Zero(),
           .toes = log_rotation(now.toes * clip.toes.conjugate()),
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

bool FootKeeper::is_planted(const Foot& foot, bool contact, double frame_time_s) const {
  if (foot.doing != Doing::standing) return false;
  const auto index = static_cast<std::size_t>(&foot - feet_.data());
  const double over_m = foot.clip[0].anchor_m.y() - shared_->heights[clip_][index].lowest.ball_m;
  return over_m < (contact ? kDown_m : kLow_m) && foot.crept_m < kMostCreep_m &&
         across_m(foot.clip[0].anchor_m - foot.clip[1].anchor_m) <
             (foot.planted ? kCreep_mps : kRests_mps) * frame_time_s;
}

void FootKeeper::plant(Foot& foot, bool contact, double frame_time_s) const {
  const bool planted = is_planted(foot, contact, frame_time_s);
  if (planted) {
    if (!foot.planted) foot.crept_m = 0.0;
    Vec3d crept = foot.clip[0].anchor_m - foot.clip[1].anchor_m;
    crept.y() = 0.0;
    foot.shift.shift(-crept);
    foot.crept_m += crept.norm();
  } else {
    if (foot.planted && foot.doing == Doing::standing) stand(foot, difference(foot, frame_time_s), false);
    if (foot.doing != Doing::standing) foot.crept_m = 0.0;
  }
  foot.planted = planted;
}

bool FootKeeper::lingers(const Foot& foot, bool contact) const {
  if (foot.doing != Doing::standing || foot.outlook.flight_s <= 0.0f) return false;
  // A foot that rolls over its toes is about to leave.
  if (contact && !(foot.outlook.lift_s >= 0.0f && foot.outlook.lift_s < kAboutToLeave_s)) return false;
  double landing_s = 1e9;
  for (const Foot& other : feet_) {
    if (&other != &foot && other.doing == Doing::standing) return false;
    if (other.outlook.landing_s > 0.0f) landing_s = std::min<double>(landing_s, other.outlook.landing_s);
  }
  const double left_s = contact ? foot.outlook.lift_s : 0.0;
  return landing_s < kLongestSwing_s && landing_s - left_s > foot.outlook.flight_s + kLingers_s;
}

FootKeeper::WholeFoot FootKeeper::aim(const Foot& foot) {
  WholeFoot target;
  target.anchor_m = foot.clip[0].anchor_m + foot.shift.value() + foot.height.value();
  target.rotation = (exp_rotation(foot.turn.value()) * foot.clip[0].rotation).normalized();
  target.toes = (exp_rotation(foot.toes.value()) * foot.clip[0].toes).normalized();
  if (foot.lift_m > 0.0 && foot.lift_time_s < foot.lift_length_s) {
    const double u = foot.lift_time_s / foot.lift_length_s, bell = 4.0 * u * (1.0 - u);
    target.anchor_m.y() += foot.lift_m * bell * bell * bell;
  }
  return target;
}

}  // namespace shosa::graph
