#include "shosa/posing/foot_clearance.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace shosa::posing {
namespace {

/// Share of its length that a bone must reach sideways before turning it raises its end well.
constexpr double kSteep = 0.2;

/// The turn about `across` after which the end of `bone` is `rise_m` higher; less, and at last none, the steeper it is.
double turn_for(const Vec3d& bone, const Vec3d& across, double rise_m) {
  // Height of the turned end: c + a cos(angle) + b sin(angle) = c + m cos(angle - highest).
  const double c = across.y() * across.dot(bone), a = bone.y() - c, b = across.cross(bone).y();
  if (b <= 0.0) return 0.0;
  const double wanted = std::clamp((a + rise_m) / std::hypot(a, b), -1.0, 1.0);
  const double angle = std::max(0.0, std::atan2(b, a) - std::acos(wanted));
  return angle * b * b / (b * b + kSteep * kSteep * bone.squaredNorm());
}

/// Grows as `x` at first and comes to `most`.
double saturated(double x, double most) {
  return most > 0.0 ? most * std::tanh(x / most) : 0.0;
}

}  // namespace

double soft_depth(double depth_m, double soft_m) {
  if (depth_m <= 0.0) return 0.0;
  return depth_m < soft_m ? 0.5 * depth_m * depth_m / soft_m : depth_m - 0.5 * soft_m;
}

FootClearance clear_ground(const FootClearanceParams& params) {
  FootClearance result;
  const double ball_m = params.ball_floor_m - params.ball_m.y(), heel_m = params.heel_floor_m - params.heel_m.y();
  result.lift_m = soft_depth(ball_m, params.soft_m);
  result.lift_m += soft_depth(heel_m - result.lift_m, params.soft_m);
  const double tip_m = params.tip_floor_m - params.tip_m.y() - result.lift_m;
  double missing_m = soft_depth(tip_m, params.soft_m);
  if (missing_m == 0.0) return result;
  result.lift_m += params.free * missing_m;
  missing_m *= 1.0 - params.free;

  const Vec3d toes = params.tip_m - params.ball_m;
  const double wanted_rad = turn_for(toes, params.across, missing_m);
  result.toes_rad = saturated(wanted_rad, params.most_toes_rad);
  // Pitching brings the heel down by about its distance from the ball times the angle.
  const Vec3d heel = params.heel_m - params.ball_m;
  const double room_m = std::max(0.0, params.heel_m.y() + result.lift_m - params.heel_floor_m);
  const double room_rad = std::min(params.most_pitch_rad, room_m / std::max(1e-6, heel.norm()));
  result.pitch_rad = saturated(wanted_rad - result.toes_rad, room_rad);
  const double rise_m = (Quatd(Eigen::AngleAxisd(result.toes_rad + result.pitch_rad, params.across)) * toes - toes).y();
  result.lift_m += std::max(0.0, missing_m - rise_m);
  return result;
}

}  // namespace shosa::posing
