#include <algorithm>
#include <cmath>

#include "segment/footstep_motion.h"
#include "segment/frames.h"
#include "segment/hump.h"
#include "segment/path_coefficients.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::segment {
namespace {

/// The pitch between `least` and `most` at which `value`, which falls with the pitch from `now` at none, is `wanted`
/// (secant).
template <class Value>
double pitch_for(const Value& value, double now, double wanted, double guess, double least, double most) {
  double a = 0.0, at_a = now, b = std::clamp(guess, least, most);
  for (int i = 0; i < 4 && b != a; ++i) {
    const double at_b = value(b), slope = (at_b - at_a) / (b - a);
    if (!(slope < 0.0)) break;
    a = b;
    at_a = at_b;
    b = std::clamp(b + (wanted - at_b) / slope, least, most);
  }
  return b;
}

constexpr double kMostPitch_rad = 0.6;    // by which a leg's lean changes the roll of its foot
constexpr double kMostHeelUp_rad = 1.1;   // by which a heel rises further for its ankle
constexpr double kMostReach_rad = 0.45;   // by which a heel rises earlier than in the source
constexpr double kAnkleSoft_rad = 0.035;  // over which ankles come to their bound, at most
constexpr double kMostToes_rad = 1.2;     // by which toes are turned out of the ground
constexpr double kMostPull_m = 0.25;      // by which a foot that is let go comes nearer

}  // namespace

// How far the foot rolls with its leg: the leg's lean over it beyond the source's. A foot on its ball or heel may come
// down flat, but not through the ground; in a swing that bound comes and goes smoothly.
double FootstepMotion::lean_rad(int which, int frame, const Track& body, const Foot& carried,
                                const Vec3d& forward) const {
  const auto i = static_cast<std::size_t>(which), f = static_cast<std::size_t>(frame);
  const StandingFoot& own = source_->feet_.feet[i];
  const auto& leg = source_->legs_[i][f];
  const Vec3d before = body.spin * (source_->hips_m_[f] + leg.hip_from_hips - own.place_m[f]);
  const Vec3d now = body.hips + body.spin * leg.hip_from_hips - carried.place_m;
  const double lean =
      std::atan2(now.dot(forward), std::max(now.y(), 0.1)) - std::atan2(before.dot(forward), std::max(before.y(), 0.1));
  double least = -kMostPitch_rad, most = kMostPitch_rad;
  const auto hold = [](double& bound, double heel_up, double weight) {
    const double flat =
        bound < 0.0 ? std::max(bound, -std::max(heel_up, 0.0)) : std::min(bound, std::max(-heel_up, 0.0));
    bound += weight * (flat - bound);
  };
  if (source_->step_at_[i][f] >= 0) {
    if (leg.toes > 0.0) {
      hold(least, leg.heel_up_rad, 1.0);
    } else {
      hold(most, leg.heel_up_rad, 1.0);
    }
  } else {
    const auto& swing = source_->swings_[source_->swing_at_[i][f]];
    const double x = static_cast<double>(frame - swing.first) / std::max(1, swing.last - swing.first);
    if (swing.from >= 0) hold(least, swing.heel_up_from_rad, 1.0 - minimum_jerk_step(3.0 * x));
    if (swing.to >= 0) hold(most, swing.heel_up_to_rad, minimum_jerk_step(3.0 * x - 2.0));
  }
  return leg.roll * std::clamp(lean, least, most);
}

// What the heel must rise beyond `pitch` so that a leg behind the body gets no longer than it may.
double FootstepMotion::reach_rad(int which, int frame, const Vec3d& hip, const Foot& carried, const Vec3d& forward,
                                 double pitch) const {
  const auto& leg = source_->legs_[which][frame];
  if (!(leg.push > 0.0)) return 0.0;
  const Vec3d axis = Vec3d::UnitY().cross(forward);
  const auto length = [&](double more) {
    return (hip - pitched(which, frame, carried, axis, pitch + more).foot.place_m).norm();
  };
  const double behind = minimum_jerk_step((hip - carried.place_m).dot(forward) / (0.25 * leg.most_m));
  const double now = length(0.0), over = past(now - leg.most_m, leg.soft_m), most = leg.push * behind * kMostReach_rad;
  if (!(over > 0.0) || !(most > 1e-6)) return 0.0;
  const double pitch_more = pitch_for(length, now, now - over, over / (0.1 * leg.most_m), 0.0, 1.0);
  return most * std::tanh(pitch_more / most);
}

// What the foot must be pitched beyond `pitch` so that its ankle bends no more than it may.
double FootstepMotion::ankle_pitch_rad(int which, int frame, const Vec3d& hip, const Quatd& spin, const Foot& carried,
                                       const Vec3d& axis, double pitch) const {
  const auto& leg = source_->legs_[which][frame];
  const LimbBones bones{Vec3d::Zero(), spin * leg.knee_from_hip, spin * leg.ankle_from_hip, spin * leg.bend};
  const auto ankle = [&](double more) {
    const Foot foot = pitched(which, frame, carried, axis, pitch + more).foot;
    return source_->ankle_rad(which, foot.turn, bones.middle_of(hip, foot.place_m) - foot.place_m);
  };
  // Nothing where the ankle bends as in the source.
  const auto soft = [&](double room) { return std::clamp(room, 0.0, kAnkleSoft_rad); };
  const double most_soft = soft(leg.ankle_most_rad - leg.ankle_rad),
               least_soft = soft(leg.ankle_rad - leg.ankle_least_rad);
  const double now = ankle(0.0), over = past(now - leg.ankle_most_rad + most_soft, most_soft) -
                                        past(leg.ankle_least_rad + least_soft - now, least_soft);
  if (over == 0.0) return 0.0;
  // A foot that stands comes down to flat at most.
  const bool stands = source_->step_at_[which][frame] >= 0;
  const double least = stands ? -std::max(leg.heel_up_rad + pitch, 0.0) : -0.6;
  return pitch_for(ankle, now, now - over, 0.7 * over, least, kMostHeelUp_rad);
}

// Heel up (positive) about what stands: the heel as long as the toes are up, the ball from flat on. In a swing the ways
// of the stance before and of the stance after are blended, so that the ankle's path has no jump at either.
FootstepMotion::Pitched FootstepMotion::pitched(int which, int frame, const Foot& carried, const Vec3d& axis,
                                                double angle) const {
  Pitched out{carried, Quatd::Identity()};
  if (angle == 0.0) return out;
  const auto i = static_cast<std::size_t>(which), f = static_cast<std::size_t>(frame);
  const StandingFoot& own = source_->feet_.feet[i];
  const auto& leg = source_->legs_[i][f];
  const Vec3d heel = carried.turn * own.heel_in_foot, ball = carried.turn * own.ball_in_foot;
  const auto about = [&](double turn) { return Quatd(Eigen::AngleAxisd(turn, axis)); };
  const Quatd whole = about(angle);
  // The part of the way from heel_up to heel_up + angle on which the heel is up goes about the ball.
  const auto ball_part = [&](double heel_up) { return std::max(heel_up + angle, 0.0) - std::max(heel_up, 0.0); };
  const auto shift = [&](double heel_up) -> Vec3d {
    const double part = ball_part(heel_up);
    if (part == angle) return ball - whole * ball;
    if (part == 0.0) return heel - whole * heel;
    const bool heel_first = heel_up < 0.0;
    const Quatd first = about(heel_first ? angle - part : part);
    const Vec3d &a = heel_first ? heel : ball, &b = heel_first ? ball : heel;
    return a - first * a + first * b - whole * b;
  };
  double toes = leg.toes * angle;
  if (source_->step_at_[i][f] >= 0) {
    out.foot.place_m += shift(leg.heel_up_rad);
    if (leg.toes < 1.0) toes = ball_part(leg.heel_up_rad);
  } else {
    const auto& swing = source_->swings_[source_->swing_at_[i][f]];
    const double x = static_cast<double>(frame - swing.first) / std::max(1, swing.last - swing.first);
    const double s = swing.from < 0 ? 1.0 : swing.to < 0 ? 0.0 : minimum_jerk_step(x);
    if (s < 1.0) out.foot.place_m += (1.0 - s) * shift(swing.heel_up_from_rad);
    if (s > 0.0) out.foot.place_m += s * shift(swing.heel_up_to_rad);
    if (swing.to >= 0) toes += minimum_jerk_step(3.0 * x - 2.0) * (ball_part(swing.heel_up_to_rad) - toes);
  }
  out.foot.turn = whole * carried.turn;
  if (toes != 0.0) out.toes = carried.turn.conjugate() * about(-toes) * carried.turn;
  return out;
}

// A foot about to leave the ground, or in the air, comes along with a leg that would get too long.
void FootstepMotion::let_go(int which, int frame, const Vec3d& hip, Foot& foot) const {
  const auto& leg = source_->legs_[which][frame];
  if (!(leg.free > 0.0)) return;
  const Vec3d way = hip - foot.place_m;
  const double length = way.norm(), over = past(length - leg.most_m, leg.soft_m);
  if (over > 0.0) foot.place_m += leg.free * std::min(over, kMostPull_m) / length * way;
}

// Toes that would be in the ground near a landing or a toe-off, where a swing is not lifted, are turned up.
void FootstepMotion::raise_toes(int which, int frame, const Vec3d& axis, Pitched& foot) const {
  const auto i = static_cast<std::size_t>(which), f = static_cast<std::size_t>(frame);
  const StandingFoot& own = source_->feet_.feet[i];
  if (own.toe_local.empty()) return;
  int step = source_->step_at_[i][f];
  double share = 1.0;
  if (step < 0) {
    const auto& swing = source_->swings_[source_->swing_at_[i][f]];
    step = 2 * frame < swing.first + swing.last ? swing.from : swing.to;
    if (step < 0) return;
    // Amid the swing neither tread is under the foot.
    const double x = static_cast<double>(frame - swing.first) / (swing.last - swing.first);
    share = 1.0 - minimum_jerk_step(4.0 * std::min(x, 1.0 - x) - 0.8);
    if (!(share > 0.0)) return;
  }
  const StepPlace& place = places_[step];
  if (std::abs(place.tilt.w()) < 1.0 - 1e-9) return;
  const Vec3d ball = foot.foot.place_m + foot.foot.turn * own.ball_in_foot;
  const double level = place.place_m.y() + source_->sole_m_[i].tip;
  const Quatd world_from_toes = foot.foot.turn * foot.toes * own.toe_local[f];
  const Vec3d forward = axis.cross(Vec3d::UnitY());
  double up = 0.0;
  for (const Vec3d& tip : own.tips_in_toes) {
    const Vec3d way = world_from_toes * tip;
    const double along = way.dot(forward), length = std::max(std::hypot(along, way.y()), 0.01);
    up = std::max(up, std::asin(std::clamp((level - ball.y()) / length, -1.0, 1.0)) - std::atan2(way.y(), along));
  }
  if (!(up > 0.0)) return;
  const Quatd lift(Eigen::AngleAxisd(-share * std::min(up, kMostToes_rad), axis));
  foot.toes = foot.foot.turn.conjugate() * lift * foot.foot.turn * foot.toes;
}

FootstepMotion::Stand FootstepMotion::stand(int frame, Heels heels) const {
  const Track body = track(frame);
  Stand out;
  out.spin = body.spin;
  out.hips = body.hips + Vec3d(0.0, rise_m_[frame], 0.0);
  const std::size_t count = std::min(kMostFeet, source_->feet_.feet.size());
  for (std::size_t i = 0; i < count; ++i) {
    const int which = static_cast<int>(i);
    const auto& leg = source_->legs_[i][frame];
    const Vec3d hip = out.hips + body.spin * leg.hip_from_hips;
    const Foot carried = carried_foot(which, frame);
    const Vec3d axis = roll_axis(which, body, carried), forward = axis.cross(Vec3d::UnitY());
    const double heel = heels == Heels::planned ? heel_rad_[i][frame] : wanted_heel_rad(which, frame);
    double pitch = lean_rad(which, frame, body, carried, forward) + heel;
    // From flat on a foot that stands comes down to flat at most.
    if (source_->step_at_[i][frame] >= 0 && leg.toes > 0.0) pitch = std::max(pitch, -std::max(leg.heel_up_rad, 0.0));
    out.feet[i] = pitched(which, frame, carried, axis, pitch);
    let_go(which, frame, hip, out.feet[i].foot);
    // On the way down the sole stays over the ground as captured, as far as the ankle bends: its heel is wanted so.
    const double bent = leg.air * (1.0 - down_share(which, frame));
    if (bent > 0.0) {
      const LimbBones bones{Vec3d::Zero(), body.spin * leg.knee_from_hip, body.spin * leg.ankle_from_hip,
                            body.spin * leg.bend};
      Foot& foot = out.feet[i].foot;
      foot.turn = foot.turn.slerp(bent, bones.bent_to(hip, foot.place_m).lower_turn * body.spin * leg.foot_turn);
    }
    raise_toes(which, frame, axis, out.feet[i]);
  }
  return out;
}

// What a heel rises (or comes down) beyond the roll with its leg so that the leg and the ankle can be as they must.
double FootstepMotion::wanted_heel_rad(int which, int frame) const {
  const auto& leg = source_->legs_[which][frame];
  const Track body = track(frame);
  const Vec3d hip = body.hips + Vec3d(0.0, rise_m_[frame], 0.0) + body.spin * leg.hip_from_hips;
  Foot carried = carried_foot(which, frame);
  const Vec3d axis = roll_axis(which, body, carried), forward = axis.cross(Vec3d::UnitY());
  const double lean = lean_rad(which, frame, body, carried, forward);
  const double reach = reach_rad(which, frame, hip, carried, forward, lean);
  const Vec3d before = pitched(which, frame, carried, axis, lean + reach).foot.place_m;
  Foot after{before, carried.turn};
  let_go(which, frame, hip, after);
  carried.place_m += after.place_m - before;
  return reach + ankle_pitch_rad(which, frame, hip, body.spin, carried, axis, lean + reach);
}

// A foot rolls about its own axis, made level.
Vec3d FootstepMotion::roll_axis(int which, const Track& body, const Foot& carried) const {
  const auto i = static_cast<std::size_t>(which);
  const FootstepSource::FootAxes& own = source_->axes_[i];
  Vec3d axis = carried.turn * own.up.cross(own.forward);
  axis.y() = 0.0;
  if (axis.squaredNorm() < 0.01) axis = Vec3d::UnitY().cross(body.spin * source_->feet_.feet[i].forward);
  return axis.normalized();
}

}  // namespace shosa::segment
