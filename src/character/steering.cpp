#include "character/steering.h"

#include <algorithm>
#include <cmath>

#include "shosa/core/rotations.h"

namespace shosa::character {
namespace {

constexpr double kSideways_mps2 = 3.0;   ///< Of a body in a bend.
constexpr double kMostTurn_radps = 1.4;  ///< A stance of 0.5 s twists by 40 degrees.
constexpr double kGain_per_s = 2.5;      ///< Heading errors die out at this rate …
constexpr double kChange_s = 0.3;        ///< … and the turn changes over this long.
constexpr double kGravity_mps2 = 9.81;
constexpr double kAnkle_m = 0.05;    ///< How far ahead of the ankle a standing foot can push.
constexpr double kStill_mps = 0.02;  ///< A push this small is over.
constexpr double kSame_rad = 1e-3;

}  // namespace

void Steering::begin(const analysis::GroundPlace& place) {
  *this = Steering{};
  world_from_plane_.yaw_rad = place.heading_rad;
  world_from_plane_.shift_m = {place.x_m, 0.0, place.z_m};
}

double Steering::most_turn_radps(double speed_mps) {
  return std::min(kMostTurn_radps, kSideways_mps2 / std::max(speed_mps, 0.1));
}

void Steering::step(const Wish& wish, const Vec3d& pivot_m, double facing_rad, double speed_mps, double step_s) {
  double wanted = 0.0;
  if (wish.heading_rad) {
    const double error = wrap_angle(*wish.heading_rad - facing_rad);
    const double most = most_turn_radps(speed_mps);
    if (std::abs(error) > kSame_rad) wanted = std::clamp(kGain_per_s * error, -most, most);
  }
  if (wanted != 0.0 || !turn_.is_zero()) {
    turn_.lead(MinJerk<1>::Values(wanted), kChange_s, step_s);
    if (wanted == 0.0 && std::abs(turn_.value[0]) < 1e-6) turn_.rest(MinJerk<1>::Values::Zero());
  }
  const MinJerk<2>::Values drift(wish.drift_mps.x(), wish.drift_mps.z());
  if (!drift.isZero(0.0) || !drift_.is_zero()) {
    drift_.lead(drift, kChange_s, step_s);
    if (drift.isZero(0.0) && drift_.value.norm() < 1e-6) drift_.rest(MinJerk<2>::Values::Zero());
  }
  if (idle()) return;
  const double turned = turn_.value[0] * step_s;
  if (turned != 0.0) {
    const Vec3d pivot(pivot_m.x(), 0.0, pivot_m.z());
    world_from_plane_.shift_m = about_y(turned) * (world_from_plane_.shift_m - pivot) + pivot;
    world_from_plane_.yaw_rad = wrap_angle(world_from_plane_.yaw_rad + turned);
  }
  world_from_plane_.shift_m += drift_mps() * step_s;
}

Vec3d Steering::capture_m(double longest_m, double pendulum_m) const {
  const Vec3d capture_m = pushed_mps_ * std::sqrt(pendulum_m / kGravity_mps2);
  return capture_m * std::min(1.0, longest_m / std::max(capture_m.norm(), 1e-9));
}

bool Steering::limit_push(double longest_m, int steps, double pendulum_m) {
  const double speed_mps = pushed_mps_.norm(), most_mps = longest_m * std::sqrt(steps * kGravity_mps2 / pendulum_m);
  if (speed_mps <= most_mps) return true;
  pushed_mps_ *= most_mps / speed_mps;
  return false;
}

void Steering::fall(double offset_m, double pendulum_m, double step_s) {
  const double speed = pushed_mps_.norm();
  if (speed == 0.0) return;
  // A pendulum upside down, seen from where it would stand: x'' = g / h (x - p). The foot left behind pushes back
  // enough that the body falls no faster while the other one is on its way.
  const double braking = kGravity_mps2 / pendulum_m * std::max(0.0, offset_m + kAnkle_m);
  const double left = speed - braking * step_s;
  if (left < kStill_mps)
    pushed_mps_.setZero();
  else
    pushed_mps_ *= left / speed;
}

}  // namespace shosa::character
