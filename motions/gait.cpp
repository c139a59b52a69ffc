#include "motions/gait.h"

#include <algorithm>
#include <cmath>

#include "scenes/limbs.h"
#include "shosa/solve/minimum_jerk.h"

namespace shosa::motions {
namespace {

constexpr double kStandingBehind_m = 0.045;
constexpr double kHighestEarly = 0.04;  ///< Share of the cycle.

/// Integral of the minimum-jerk step from its begin.
double step_integral(double time_s, double begin_s, double end_s) {
  if (time_s <= begin_s) return 0.0;
  const double length = end_s - begin_s;
  const double x = std::min(1.0, (time_s - begin_s) / length);
  const double inside = length * (x * x * x * x * (x * x - 3.0 * x + 2.5));
  return inside + std::max(0.0, time_s - end_s);
}

}  // namespace

GaitMotion::GaitMotion(const Gait& gait, const Posture& posture, double duration_s) : gait_(gait), posture_(posture) {
  const bool endless = gait.strikes == 0;
  first_ = endless ? -4 : 0;
  last_ = endless ? static_cast<int>((duration_s - gait.first_s) / gait.step_s) + 4 : gait.strikes - 1;
  const double toe_out = radians(gait.toe_out_deg);
  for (int s = 0; s < 2; ++s) {
    feet_[s].start = {
        .ground_m = Vec3d((gait.half_width_m + (endless ? 0.0 : 0.02)) * sign_of(s), 0, way(0.0) - kStandingBehind_m),
        .yaw_rad = sign_of(s) * toe_out};
  }
  // How high the floor has risen under foot k.
  for (int k = first_; k <= last_; ++k) {
    const int s = side(k);
    const double middle = strike_s(k) + 0.5 * stance_s();
    const double share = std::clamp(speed(middle) / gait.top_mps, 0.0, 1.0);
    const double behind = kStandingBehind_m + (gait.behind_m - kStandingBehind_m) * share;
    const bool closes = !endless && k == last_;
    double floor = k * gait.rise_m;
    if (!endless) floor = (closes ? k : k + 1) * gait.rise_m;
    Step step;
    step.lift_s = strike_s(k) - swing_s();
    step.land_s = strike_s(k);
    step.to = {.ground_m = Vec3d((gait.half_width_m + (endless ? 0.0 : 0.02 * (1 - share))) * sign_of(s), floor,
                                 way(middle) - behind),
               .yaw_rad = sign_of(s) * toe_out};
    const double strength = std::clamp(speed(strike_s(k)) / gait.top_mps, 0.25, 1.0);
    const double pushing = std::clamp(speed(step.lift_s + 0.3 * gait.step_s) / gait.top_mps, 0.6, 1.0);
    step.strike_rad = -radians(gait.strike_deg) * strength;
    step.flat_s = gait.flat * stance_s();
    step.push_rad = radians(gait.push_deg) * pushing;
    step.push_s = (1.0 - gait.heel_off) * stance_s();
    step.clear_m = gait.clear_m + 0.35 * std::abs(gait.rise_m);
    step.land_speed = gait.land_share;
    step.smooth = running() ? 0.57 : 0.51;
    step.above = 1.0;
    step.push_late = gait.push_late;
    if (running()) step.via = run_swing(step);
    feet_[s].steps.push_back(step);
  }
}

std::vector<Via> GaitMotion::run_swing(const Step& step) const {
  // The heel kicks up behind, passes below the hips and reaches out, all as seen from the hips.
  const struct {
    double share, ahead_m, height_m, pitch_deg;
  } points[] = {{0.33, -0.36, gait_.kick_m, 60.0 + 90.0 * gait_.kick_m},
                {0.62, 0.02 + 0.1 * gait_.knee_m, gait_.knee_m, 50.0},
                {0.84, 0.12 + 0.42 * gait_.knee_m, 0.1 + 0.46 * gait_.knee_m, 3.0}};
  std::vector<Via> list;
  for (const auto& point : points) {
    const double t = step.lift_s + point.share * (step.land_s - step.lift_s);
    list.push_back({t, Vec3d(step.to.ground_m.x(), point.height_m, way(t) + point.ahead_m), radians(point.pitch_deg),
                    step.to.yaw_rad});
  }
  return list;
}

double GaitMotion::speed(double time_s) const {
  double value = 0.0, before = 0.0;
  for (const Knot& knot : gait_.speed) {
    value += (knot.value - before) * solve::minimum_jerk_value(time_s, knot.begin_s, knot.end_s);
    before = knot.value;
  }
  return value;
}

double GaitMotion::way(double time_s) const {
  double value = 0.0, before = 0.0;
  for (const Knot& knot : gait_.speed) {
    value += (knot.value - before) *
             (step_integral(time_s, knot.begin_s, knot.end_s) - step_integral(0.0, knot.begin_s, knot.end_s));
    before = knot.value;
  }
  return value;
}

double GaitMotion::stepping(double time_s) const {
  if (gait_.strikes == 0) return 1.0;
  const double lift = strike_s(0) - swing_s();
  return solve::minimum_jerk_value(time_s, lift - 0.45, lift + 0.05) *
         (1.0 - solve::minimum_jerk_value(time_s, strike_s(last_) - 0.1, strike_s(last_) + 0.5));
}

double GaitMotion::bounce(double time_s) const {
  const double since = time_s - gait_.first_s;
  if (!running()) {
    // Lowest while both stand, highest a little before the middle of the stance: so the knee of the standing leg bends
    // by 20 degrees under the load and is nearly straight again when the heel rises.
    const double middle = 0.5 * stance_s() - 2.0 * kHighestEarly * gait_.step_s;
    const double share = std::clamp(speed(time_s) / gait_.top_mps, 0.0, 1.0);
    return 0.5 * gait_.bounce_m * share * std::cos(2.0 * M_PI * (since - middle) / gait_.step_s);
  }
  const double phase = since - gait_.step_s * std::floor(since / gait_.step_s);
  const double up = 0.5 * scenes::kGravity_mps2 * (gait_.step_s - stance_s());
  if (phase <= stance_s()) {
    // The ground's force is F (sin a + k sin 3a), a = pi t / stance: it begins and ends at 0 and carries the weight of
    // the whole step (half a sine wave, k = 0, gives a vertical excursion somewhat above that of people).
    const double turn = M_PI / stance_s();
    const double sines =
        (std::sin(turn * phase) + gait_.force_k / 9.0 * std::sin(3.0 * turn * phase)) / (1.0 + gait_.force_k / 3.0);
    return (0.5 * scenes::kGravity_mps2 * gait_.step_s - up) * phase - 0.5 * scenes::kGravity_mps2 * phase * phase -
           0.5 * scenes::kGravity_mps2 * gait_.step_s / turn * sines;
  }
  const double flown = phase - stance_s();
  return up * flown - 0.5 * scenes::kGravity_mps2 * flown * flown;
}

UpperBody GaitMotion::at(const Skeleton& skeleton, double time_s) const {
  const double step = M_PI / gait_.step_s;
  const double lead = gait_.first_side == left ? 1.0 : -1.0;
  const double share = std::clamp(speed(time_s) / gait_.top_mps, 0.0, 1.0);
  // 1 when the left foot strikes; the arms come a little later than the legs, the elbows later still.
  const auto wave = [&](double late_s) { return lead * std::cos(step * (time_s - gait_.first_s - late_s)); };
  // A runner's foot is furthest ahead well before it strikes, and the arms go with that.
  const double late_s = running() ? -0.17 * gait_.step_s : 0.02;
  const double swing = share * wave(0.0), arms = share * wave(late_s), elbows = share * wave(late_s + 0.05);
  // Most to the left in the middle of the left foot's single stance.
  const double over = stepping(time_s) * wave(0.5 * stance_s());

  Posture now = posture_;
  now.pelvis += Vec3d(-gait_.pelvis_yaw_deg * swing, 0.0, 0.0);
  // The side of the swinging leg drops in the first half of the stance.
  now.pelvis[2] -= gait_.pelvis_list_deg * share * wave(0.30 * stance_s());
  now.spine += Vec3d(0.0, 0.7 * gait_.pelvis_list_deg * share * wave(0.30 * stance_s()), gait_.twist_deg * swing);
  now.head += Vec3d(-0.6 * posture_.spine[0] - posture_.pelvis[1],
                    0.3 * gait_.pelvis_list_deg * share * wave(0.30 * stance_s()),
                    -(gait_.twist_deg - gait_.pelvis_yaw_deg) * swing);
  for (int s = 0; s < 2; ++s) {
    Arm& arm = now.arms[s];
    arm.raise += -sign_of(s) * gait_.arm_deg * arms - gait_.arm_back_deg * share;
    arm.bend += gait_.elbow_deg * (share - sign_of(s) * elbows);
  }
  UpperBody body = upper_body(skeleton, now);
  body.hips_m = Vec3d(gait_.sway_m * over, bounce(time_s), way(time_s));
  return body;
}

}  // namespace shosa::motions
