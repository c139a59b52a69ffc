#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>

#include "scenes/limbs.h"
#include "scenes/plan.h"
#include "scenes/scenes.h"
#include "shosa/body/leg_proportions.h"
#include "shosa/core/rotations.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::scenes {
namespace {

constexpr double kAnkleHeight = body::kHeelBelowAnkle_m;
constexpr double kHipHalfWidth = 0.09;
constexpr double kHipDrop = 0.03;  // hips to hip joint
constexpr double kLegLength = 0.84;
const Vec3d kHeelFromAnkle(0.0, -body::kHeelBelowAnkle_m, -body::kHeelBehindAnkle_m);

constexpr double kStrikePitch = -0.30;  // toes up
constexpr double kPushPitch = 0.80;     // heel up

struct FootState {
  Vec3d ankle;
  double pitch = 0.0;      // of the foot, positive with the heel up
  double toe_pitch = 0.0;  // of the toes relative to the foot
  double heading = 0.0;
};

/// Everything about the walk as a function of time. Foot k (even: left) strikes at t = k * step_s.
class Gait {
 public:
  explicit Gait(const WalkParams& p) : p_(p) {
    stance_s_ = p.duty * 2.0 * p.step_s;
    swing_s_ = 2.0 * p.step_s - stance_s_;
    flat_s_ = std::min(0.09, 0.16 * stance_s_);
    heel_off_s_ = (running() ? 0.45 : 0.62) * stance_s_;
    lead_m_ = 0.5 * p.speed_mps * stance_s_ - 0.12;
    hips_height_ = highest_hips();
  }

  bool running() const { return p_.duty < 0.5; }
  double strike_time(int k) const { return k * p_.step_s; }
  TimeInterval heel(int k) const { return {strike_time(k), strike_time(k) + heel_off_s_}; }
  TimeInterval toes(int k) const { return {strike_time(k) + flat_s_, strike_time(k) + stance_s_}; }
  TimeInterval standing(int k) const { return {strike_time(k), strike_time(k) + stance_s_}; }
  /// -1..1, 1 when the left foot strikes.
  double phase_cos(double t) const { return std::cos(std::numbers::pi * t / p_.step_s); }

  double heading(double t) const { return p_.turn_rad_per_m * p_.speed_mps * t; }

  FootState foot(double t, int side) const {
    // The last strike of this side at or before t.
    int k = 2 * static_cast<int>(std::floor((t / p_.step_s - side) / 2.0)) + side;
    const double since = t - strike_time(k);
    const double here = heading_at(k), there = heading_at(k + 2);
    FootState state{.ankle = foothold(k), .heading = here};
    if (since <= flat_s_) {
      state.pitch = kStrikePitch * (1.0 - since / flat_s_);
      state.ankle = rolled_ankle(k, kHeelFromAnkle, state.pitch);
    } else if (since <= heel_off_s_) {
      state.pitch = 0.0;
    } else if (since <= stance_s_) {
      const double x = (since - heel_off_s_) / (stance_s_ - heel_off_s_);
      state.pitch = kPushPitch * (0.7 * x + 0.3 * x * x);
      state.toe_pitch = -state.pitch;
      state.ankle = rolled_ankle(k, kBallFromAnkle, state.pitch);
    } else {
      const double x = (since - stance_s_) / swing_s_;
      const Vec3d lift = about_y(here) * Vec3d(0.0, 0.45, 0.9 * p_.speed_mps);
      const Vec3d land = about_y(there) * Vec3d(0.0, -0.35, 0.6 * p_.speed_mps);
      state.ankle = hermite<Vec3d>(rolled_ankle(k, kBallFromAnkle, kPushPitch), lift,
                                   rolled_ankle(k + 2, kHeelFromAnkle, kStrikePitch), land, swing_s_, x);
      const double bump = 16.0 * x * x * (1.0 - x) * (1.0 - x);
      state.ankle.y() += (p_.foot_clearance_m + 0.5 * std::abs(p_.rise_per_step_m)) * bump;
      state.pitch = hermite<double>(kPushPitch, 1.0, kStrikePitch, 0.0, swing_s_, x);
      state.toe_pitch = -kPushPitch * (1.0 - cubic_step(x / 0.35));
      state.heading = here + (there - here) * cubic_step(x);
    }
    return state;
  }

  Vec3d hips(double t) const { return hips_at_height(t, hips_height_); }

 private:
  Vec3d on_path(double s) const {
    const double k = p_.turn_rad_per_m;
    if (std::abs(k * s) < 1e-9) return {0.0, 0.0, s};
    return {(1.0 - std::cos(k * s)) / k, 0.0, std::sin(k * s) / k};
  }
  double foothold_s(int k) const { return p_.speed_mps * strike_time(k) + lead_m_; }
  double heading_at(int k) const { return p_.turn_rad_per_m * foothold_s(k); }
  /// Place of the ankle of foot k while its heel is down.
  Vec3d foothold(int k) const {
    const double side = k % 2 == 0 ? 1.0 : -1.0;
    const Vec3d left = about_y(heading_at(k)) * Vec3d::UnitX();
    return on_path(foothold_s(k)) + kHipHalfWidth * side * left +
           Vec3d(0.0, kAnkleHeight + k * p_.rise_per_step_m, 0.0);
  }
  /// The ankle while the foot turns over its heel or its ball.
  Vec3d rolled_ankle(int k, const Vec3d& pivot_from_ankle, double pitch) const {
    const Quatd flat = about_y(heading_at(k));
    const Quatd rolled = flat * Quatd(Eigen::AngleAxisd(pitch, Vec3d::UnitX()));
    return foothold(k) + flat * pivot_from_ankle - rolled * pivot_from_ankle;
  }

  Vec3d hips_at_height(double t, double height) const {
    const double sway = 0.02 * std::cos(std::numbers::pi * (t - 0.5 * stance_s_) / p_.step_s);
    Vec3d p = on_path(p_.speed_mps * t) + sway * (about_y(heading(t)) * Vec3d::UnitX());
    p.y() = height + p_.rise_per_step_m * t / p_.step_s + bounce(t);
    return p;
  }
  /// Height of the hips over a step: a cosine over the standing leg when walking, a parabola and its spring when
  /// running.
  double bounce(double t) const {
    if (!running()) return 0.025 * std::cos(2.0 * std::numbers::pi * (t - 0.5 * stance_s_) / p_.step_s);
    const double since = t - p_.step_s * std::floor(t / p_.step_s);
    const double flight_s = p_.step_s - stance_s_;
    const double speed = 0.5 * kGravity_mps2 * flight_s;
    if (since <= stance_s_) return hermite<double>(0.0, -speed, 0.0, speed, stance_s_, since / stance_s_);
    const double u = since - stance_s_;
    return speed * u - 0.5 * kGravity_mps2 * u * u;
  }
  /// The highest steady hips from which no leg has to stretch beyond 98.5 % of its length.
  double highest_hips() const {
    double low = 0.4, high = 0.95;
    for (int i = 0; i < 40; ++i) {
      const double middle = 0.5 * (low + high);
      (reachable(middle) ? low : high) = middle;
    }
    return low;
  }
  bool reachable(double height) const {
    for (int i = 0; i < 200; ++i) {
      const double t = 2.0 * p_.step_s * i / 200.0;
      const Vec3d hips = hips_at_height(t, height);
      for (int side = 0; side < 2; ++side) {
        const Vec3d hip = hips + about_y(heading(t)) * Vec3d(side == 0 ? kHipHalfWidth : -kHipHalfWidth, -kHipDrop, 0);
        if ((foot(t, side).ankle - hip).norm() > 0.985 * kLegLength) return false;
      }
    }
    return true;
  }

  WalkParams p_;
  double stance_s_, swing_s_, flat_s_, heel_off_s_, lead_m_, hips_height_ = 0.95;
};

void write_frame(const Gait& gait, double t, PoseWriter& body) {
  const double swing = gait.phase_cos(t);
  const bool running = gait.running();
  const double lean = running ? 0.16 : 0.04;
  const auto about = [](double angle, const Vec3d& axis) { return Quatd(Eigen::AngleAxisd(angle, axis)); };
  const Vec3d x = Vec3d::UnitX(), y = Vec3d::UnitY(), z = Vec3d::UnitZ();
  const Quatd forward = about_y(gait.heading(t));

  // The hip of the leading leg comes forward, the chest turns against it.
  body.root(gait.hips(t), forward * about(-0.07 * swing, y));
  body.rotate("spine", about(lean, x) * about(0.05 * swing, y));
  body.rotate("chest", about(0.06 * swing, y));
  body.rotate("upper_chest", about(0.05 * swing, y));
  body.rotate("neck", about(-0.07 * swing, y));
  body.rotate("head", about(-0.02 * swing, y) * about(-lean, x));

  // Arms hang and swing against the legs.
  const double reach = running ? 0.75 : 0.38;
  const double bent = running ? 1.5 : 0.35;
  body.rotate("left_upper_arm", about(reach * swing, x) * about(-1.38, z));
  body.rotate("right_upper_arm", about(-reach * swing, x) * about(1.38, z));
  body.rotate("left_lower_arm", about(-(bent - 0.2 * swing), y));
  body.rotate("right_lower_arm", about(bent + 0.2 * swing, y));

  for (int side = 0; side < 2; ++side) {
    const std::string name = side == 0 ? "left" : "right";
    const FootState foot = gait.foot(t, side);
    body.reach(name + "_upper_leg", name + "_lower_leg", name + "_foot", foot.ankle, forward * z);
    body.rotate_world(name + "_foot", about_y(foot.heading) * about(foot.pitch, x));
    body.rotate(name + "_toes", about(foot.toe_pitch, x));
  }
}

}  // namespace

Scene walk(const WalkParams& params) {
  assert(params.duration_s > 0 && params.fps > 0 && params.step_s > 0 && params.duty > 0.1 && params.duty < 0.9);
  const auto skeleton = humanoid();
  const int frames = static_cast<int>(std::lround(params.duration_s * params.fps)) + 1;
  Scene scene{.clip = Clip(skeleton, frames, 1.0 / params.fps), .feet = {}, .flights = {}};
  scene.clip.set_name(params.duty < 0.5 ? "run" : "walk");
  const Gait gait(params);

  Pose pose = Pose::rest(*skeleton);
  for (int frame = 0; frame < frames; ++frame) {
    PoseWriter body(*skeleton, pose);
    write_frame(gait, frame / params.fps, body);
    scene.clip.set_frame(frame, pose);
  }

  const TimeInterval whole{0.0, scene.clip.last_time_s()};
  const int last = static_cast<int>(params.duration_s / params.step_s) + 1;
  for (int side = 0; side < 2; ++side) {
    FootPlan plan{.foot = side == 0 ? "left_foot" : "right_foot", .heel = {}, .toes = {}, .standing = {}};
    for (int k = side - 4; k <= last; k += 2) {
      add_clipped(plan.heel, gait.heel(k), whole);
      add_clipped(plan.toes, gait.toes(k), whole);
      add_clipped(plan.standing, gait.standing(k), whole);
    }
    scene.feet.push_back(plan);
  }
  if (gait.running()) {
    for (int k = -4; k <= last; ++k) {
      add_clipped(scene.flights, {gait.standing(k).end_s, gait.strike_time(k + 1)}, whole);
    }
  }
  return scene;
}

Scene run(WalkParams params) {
  assert(params.duty < 0.5);
  return walk(params);
}

}  // namespace shosa::scenes
