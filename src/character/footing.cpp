#include "character/footing.h"

#include <algorithm>
#include <cmath>

#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::character {
namespace {

// For a leg of 0.85 m; lengths scale with the leg.
constexpr double kStepFrom_m = 0.11, kStepFrom_rad = 0.45;  ///< A standing foot this far off steps to its place.
constexpr double kStep_s = 0.38, kHasty_s = 0.27;           ///< A step on the spot, and one that catches a push.
constexpr double kStepLift_m = 0.06;
constexpr double kUnknownSwing_s = 0.25;    ///< Where the clip does not say when a foot lands.
constexpr double kLeastLeft_s = 0.08;       ///< A foot comes down from its arch over at least this long.
constexpr double kSettle_s = 0.12;          ///< Height and tilt of a foot that stands.
constexpr double kOutOf_mps = 1.5;          ///< At which one that came down in the ground comes out of it.
constexpr double kHips_s = 0.35;            ///< Hips take at least this long to another height.
constexpr double kStanceHalf_s = 0.25;      ///< Feet land where they are right half a stance later.
constexpr double kClear_m = 0.025;          ///< Over what lies on the way.
constexpr double kMostPush_mps2 = 60.0;     ///< Of a foot that is led aside on its way …
constexpr double kMostSpin_radps2 = 200.0;  ///< … or turned.
constexpr double kMostBump_m = 0.35;
constexpr double kMostAim = 0.6;   ///< Of the leg's length: a plan's step from the clip's.
constexpr double kFlush_m = 0.01;  ///< Ground that rises less is no obstacle.
/// Of a swing: a foot is at the height of a higher step after so much of it, and leaves that of a higher one when as
/// much of it is left.
constexpr double kRiseEarly = 0.6;
constexpr double kEdge = 0.45;  ///< Steeper than this under a sole is an edge, not a slope.
constexpr double kMostTilt_rad = 0.45;
constexpr double kTip = 0.35;  ///< Length of the toes, of heel to ball.
constexpr double kHalfWidth_m = 0.04;
constexpr double kDown_m = 0.015;    ///< Of the leg's length: a ball lower than this is down.
constexpr double kCrept_m = 0.0003;  ///< A ball that is down moves no farther.

/// 0 at both ends, 1 in the middle and nearly so from a quarter to three of them, smooth to the rate: what sticks out
/// early on the way takes no higher arch than what does in the middle.
double arch(double s) {
  const double from_middle = 2.0 * std::clamp(s, 0.0, 1.0) - 1.0;
  const double square = from_middle * from_middle, flat = 1.0 - square * square;
  return flat * flat;
}

/// What is not finite counts as 0.
double height_m(const feet::GroundView& ground, const Vec3d& at) {
  const double y = ground(at.x(), at.z()).height_m;
  return std::isfinite(y) ? y : 0.0;
}

/// A foot takes at least this long for a way at the speed that it has: what is asked of it too late it does not do
/// before it lands. The smoothest way over T takes accelerations up to 5.77 way / T^2 from rest, 3.94 speed / T to it.
double least_s(double way, double speed, double most_acceleration) {
  return std::max(std::sqrt(5.77 * way / most_acceleration), 3.94 * speed / most_acceleration);
}

}  // namespace

Footing::Footing(std::shared_ptr<const FootModel> model, const Skeleton& skeleton)
    : model_(std::move(model)), skeleton_(&skeleton) {}

Footing::Sole Footing::sole_on(const feet::GroundView& ground, const FootModel::Foot& foot, const Vec3d& ball,
                               double heading_rad) const {
  if (ground.is_level()) return {};
  const Vec3d ahead = about_y(heading_rad) * Vec3d::UnitZ(), aside = about_y(heading_rad) * Vec3d::UnitX();
  const auto at = [&](double forward, double side) {
    const Vec3d p = ball + forward * ahead + side * aside;
    return height_m(ground, p);
  };
  const double middle = at(0.0, 0.0), heel = at(-foot.sole_m, 0.0), tip = at(kTip * foot.sole_m, 0.0);
  const double up = (tip - heel) / ((1.0 + kTip) * foot.sole_m);
  const double across = (at(0.0, kHalfWidth_m) - at(0.0, -kHalfWidth_m)) / (2.0 * kHalfWidth_m);
  Sole sole;
  const double bent = std::abs(middle - (heel + (tip - heel) / (1.0 + kTip)));
  if (std::abs(up) > kEdge || std::abs(across) > kEdge || bent > kEdge * 0.25 * foot.sole_m) {
    // An edge under the sole: it lies on the higher part, level.
    sole.height_m = std::max({middle, heel, tip});
    return sole;
  }
  sole.height_m = middle;
  const Vec3d axis = Vec3d::UnitY().cross(Vec3d(Vec3d::UnitY() - up * ahead - across * aside));
  const Eigen::Vector2d tilt(axis.x(), axis.z());
  const double size = tilt.norm();
  if (size > 1e-9) sole.tilt = tilt / size * std::min(std::atan(size), kMostTilt_rad);
  return sole;
}

double Footing::clearance_m(const feet::GroundView& ground, const FootModel::Foot& model, const Foot& foot,
                            const Vec3d& to, double heading_rad, double target_m, double progress,
                            const std::array<double, 3>& passed) const {
  if (ground.is_level()) return 0.0;
  const Vec3d ahead = about_y(heading_rad) * Vec3d::UnitZ();
  const Vec3d way = level(to - foot.ball_m);
  const double rise_m = target_m - foot.height.value[0];
  // How much of the rest is done at q of the swing, of a smooth way over a part of it that has come as far as it is
  // now.
  const auto done = [&](double q, double from, double until) {
    const auto at = [&](double time) { return minimum_jerk_step((time - from) / (until - from)); };
    const double now = at(progress);
    return now < 1.0 ? (at(q) - now) / (1.0 - now) : 1.0;
  };
  // Of what is left of the way over the ground, at a share of what is left of the time.
  const auto gone = [&](double share) {
    const int quarter = std::min(3, static_cast<int>(4.0 * share));
    const double from = quarter > 0 ? passed[quarter - 1] : 0.0, until = quarter < 3 ? passed[quarter] : 1.0;
    return from + (4.0 * share - quarter) * (until - from);
  };
  double most = 0.0;
  constexpr int kSamples = 10;
  // How far the ground rises over the way that the sole takes from here to there.
  for (int i = 1; i < kSamples; ++i) {
    const double share = static_cast<double>(i) / kSamples, q = progress + (1.0 - progress) * share;
    if (q > 0.9) continue;
    const double risen = rise_m > 0.0 ? done(q, 0.0, kRiseEarly) : done(q, 1.0 - kRiseEarly, 1.0);
    for (const double along : {-model.sole_m, 0.0, kTip * model.sole_m}) {
      const Vec3d p = foot.ball_m + gone(share) * way + along * ahead;
      const double needed = height_m(ground, p) - (foot.height.value[0] + rise_m * risen);
      if (needed > kFlush_m) most = std::max(most, (needed + kClear_m) / std::max(arch(q), 0.4));
    }
  }
  return std::min(most, kMostBump_m);
}

void Footing::hold(Foot& foot, const Vec3d& at, const Vec3d& ball_plane) {
  foot.held.shift_m = level(at - foot.held.turn() * ball_plane);
}

void Footing::stand(Foot& foot, const Input& input, const Vec3d& ball_plane) {
  foot.planted = true;
  foot.stepping = foot.down = false;
  foot.height.value[0] += foot.bump.value[0] * arch(foot.passed);
  foot.bump.rest(MinJerk<1>::Values::Zero());
  foot.held = input.world_from_plane;
  if (foot.over.value.isZero(0.0)) return;
  foot.held.yaw_rad += foot.over.value[2];
  hold(foot, input.world_from_plane * ball_plane + Vec3d(foot.over.value[0], 0.0, foot.over.value[1]), ball_plane);
}

void Footing::begin(const WorldPose& plane, const Input& input, const feet::GroundView& ground) {
  for (std::size_t f = 0; f < model_->feet.size(); ++f) {
    Foot& foot = feet_[f] = Foot{};
    const FootModel::Foot& model = model_->feet[f];
    const Vec3d ball = plane.positions[model.bones.ankle] + plane.rotations[model.bones.ankle] * model.ball_in_foot_m;
    const Vec3d ahead = input.world_from_plane.turn() * (ball - plane.positions[model.bones.ankle]);
    const Sole sole = sole_on(ground, model, input.world_from_plane * ball, heading_of(ahead));
    foot.height.rest(MinJerk<1>::Values(sole.height_m));
    foot.ground_m = sole.height_m;
    foot.tilt.rest(sole.tilt);
    if (input.standing & (1u << f)) stand(foot, input, ball);
    foot.ball_m = input.world_from_plane * ball + sole.height_m * Vec3d::UnitY();
  }
  double mean_m = 0.0;
  for (std::size_t f = 0; f < model_->feet.size(); ++f)
    mean_m += feet_[f].ground_m / static_cast<double>(model_->feet.size());
  rise_.rest(MinJerk<1>::Values(mean_m));
  drop_ = {};
  last_stepper_ = -1;
}

void Footing::begin_step(Foot& foot, double time_s) {
  foot.planted = foot.torn = false, foot.stepping = true;
  foot.passed = 0.0, foot.left_s = time_s;
}

void Footing::decide_steps(const Input& input) {
  const double size = model_->leg_m / body::kHumanLegLength_m;
  int down = 0, farthest = -1;
  double most = 1.0;
  const int count = static_cast<int>(model_->feet.size());
  for (int f = 0; f < count; ++f) {
    Foot& foot = feet_[f];
    if (!foot.planted) continue;
    ++down;
    const double off = std::hypot(foot.over.value[0] - input.ahead_m.x(), foot.over.value[1] - input.ahead_m.z());
    double far = std::max(off / (kStepFrom_m * size), std::abs(foot.over.value[2]) / kStepFrom_rad);
    // Feet take turns unless one is much worse off.
    if (f == last_stepper_) far *= 0.6;
    if (far > most) most = far, farthest = f;
  }
  // What nothing can hold leaves the ground whatever the others do, one at a time.
  const auto torn = std::ranges::find_if(feet_.begin(), feet_.begin() + count,
                                         [](const Foot& foot) { return foot.planted && foot.torn; });
  if (torn != feet_.begin() + count) {
    begin_step(*torn, kHasty_s * std::sqrt(size));
    last_stepper_ = static_cast<int>(torn - feet_.begin());
    return;
  }
  if (farthest < 0 || down < (count > 2 ? 3 : 2)) return;
  begin_step(feet_[farthest], (input.ahead_m.isZero(0.0) ? kStep_s : kHasty_s) * std::sqrt(size));
  last_stepper_ = farthest;
}

void Footing::swing(std::size_t f, const WorldPose& plane, const Input& input, const feet::GroundView& ground,
                    const Vec3d& ball_plane) {
  Foot& foot = feet_[f];
  const FootModel::Foot& model = model_->feet[f];
  const graph::Landing& landing = input.landing[f];
  const double size = model_->leg_m / body::kHumanLegLength_m;
  if (foot.stepping)
    foot.left_s = std::max(0.0, foot.left_s - input.step_s);
  else
    foot.left_s = landing.known ? landing.in_s : kUnknownSwing_s;
  const double left_s = foot.left_s, progress = foot.passed;
  // What is left may change at any time, what has passed may not.
  foot.passed += (1.0 - foot.passed) * input.step_s / std::max(left_s + input.step_s, kLeastLeft_s);

  const bool clip_lands = !foot.stepping && landing.known;
  const Vec3d lead = input.ahead_m + kStanceHalf_s * input.drift_mps;
  Vec3d wanted(lead.x(), lead.z(), kStanceHalf_s * input.turn_radps);
  const Landing& aim = input.aim[f];
  if (aim.on && clip_lands) {
    const Vec3d off = aim.ball_m - (input.world_from_plane * landing.ball_m + left_s * input.drift_mps);
    // A foot goes no farther from where the clip lands than a leg can lead it.
    const double far = std::hypot(off.x(), off.z()), most = kMostAim * model_->leg_m;
    const double share = far > most ? most / far : 1.0;
    wanted = {share * off.x(), share * off.z(), aim.turn_rad};
  }
  const Vec3d off = wanted - foot.over.value, &rate = foot.over.rate;
  const double push_mps2 = kMostPush_mps2 * size;
  foot.over.lead(wanted,
                 std::max({left_s, least_s(std::hypot(off.x(), off.y()), std::hypot(rate.x(), rate.y()), push_mps2),
                           least_s(std::abs(off.z()), std::abs(rate.z()), kMostSpin_radps2)}),
                 input.step_s);

  foot.leg_m.setZero();
  if (clip_lands && !landing.leg_m.isZero(0.0))
    foot.leg_m = input.world_from_plane.turn() * landing.leg_m + Vec3d(wanted[0], 0.0, wanted[1]);
  // Where it comes down, as the body goes on.
  const Vec3d ball_then = input.world_from_plane * (clip_lands ? landing.ball_m : ball_plane);
  Vec3d to = level(ball_then) + Vec3d(wanted[0], 0.0, wanted[1]) + input.drift_mps * left_s;
  const Vec3d sole_dir = input.world_from_plane.turn() * (plane.rotations[model.bones.ankle] * model.ball_in_foot_m);
  const double heading = heading_of(sole_dir) + wanted[2];
  const Sole sole = sole_on(ground, model, to, heading);
  foot.ground_m = sole.height_m;
  const bool up = sole.height_m > foot.height.value[0];
  // What it steps down from lies under its heel for long.
  const double led_m = up || progress > 1.0 - kRiseEarly ? sole.height_m : foot.height.value[0];
  foot.height.lead(MinJerk<1>::Values(led_m),
                   std::max((up ? kRiseEarly : 1.0) * left_s,
                            least_s(std::abs(led_m - foot.height.value[0]), std::abs(foot.height.rate[0]), push_mps2)),
                   input.step_s);
  foot.tilt.lead(
      sole.tilt,
      std::max(left_s, least_s((sole.tilt - foot.tilt.value).norm(), foot.tilt.rate.norm(), kMostSpin_radps2)),
      input.step_s);
  double bump = clearance_m(ground, model, foot, to, heading, sole.height_m, progress, landing.passed);
  if (foot.stepping) bump = std::max(bump, kStepLift_m * size);
  if (bump != foot.bump.value[0] || !foot.bump.is_zero()) {
    // As it leaves the ground the arch is still level, whatever its height.
    if (progress == 0.0)
      foot.bump.rest(MinJerk<1>::Values(bump));
    else
      foot.bump.lead(MinJerk<1>::Values(bump), std::max(0.1, 0.3 * left_s), input.step_s);
  }
}

void Footing::place(Pose& pose, const WorldPose& plane, const Input& input, const feet::GroundView& ground) {
  const std::size_t count = model_->feet.size();
  std::array<Vec3d, kMostFeet> ball;
  for (std::size_t f = 0; f < count; ++f) {
    Foot& foot = feet_[f];
    const FootModel::Foot& model = model_->feet[f];
    ball[f] = plane.positions[model.bones.ankle] + plane.rotations[model.bones.ankle] * model.ball_in_foot_m;
    const bool stands = (input.standing & (1u << f)) != 0;
    if (foot.stepping) {
      if (foot.left_s <= 0.0 && stands) stand(foot, input, ball[f]);
      // The clip lifts the foot itself: its swing goes on from here.
      if (!stands) foot.stepping = false;
    } else if (stands && !foot.planted) {
      stand(foot, input, ball[f]);
    } else if (!stands && foot.planted) {
      foot.planted = false, foot.passed = 0.0;
    }
    if (!foot.planted) continue;
    // What the clip's ball does once it is down is no step.
    const bool down = ball[f].y() < model.rest_m + kDown_m * model_->leg_m;
    if (down && !foot.down) foot.anchor_m = foot.held * ball[f];
    if (const Vec3d crept = level(foot.held * ball[f] - foot.anchor_m); down && crept.norm() > kCrept_m)
      hold(foot, foot.anchor_m + crept * (kCrept_m / crept.norm()), ball[f]);
    foot.down = down;
    const Vec3d off = foot.held * ball[f] - input.world_from_plane * ball[f];
    foot.over.put({off.x(), off.z(), wrap_angle(foot.held.yaw_rad - input.world_from_plane.yaw_rad)}, input.step_s);
  }
  if (!input.planned) decide_steps(input);
  standing_ = 0;
  bool level_ground = ground.is_level();
  bool differs = !drop_.is_zero();
  for (std::size_t f = 0; f < count; ++f) {
    Foot& foot = feet_[f];
    const FootModel::Foot& model = model_->feet[f];
    if (foot.planted) {
      standing_ = static_cast<std::uint8_t>(standing_ | (1u << f));
      if (!level_ground || !foot.height.is_zero() || !foot.tilt.is_zero()) {
        const Vec3d dir = foot.held.turn() * (plane.rotations[model.bones.ankle] * model.ball_in_foot_m);
        const Sole sole = sole_on(ground, model, foot.held * ball[f], heading_of(dir));
        foot.ground_m = sole.height_m;
        // The ground does not give: what is in it comes out at a speed of its own.
        const double out_m = kOutOf_mps * input.step_s;
        if (const double deep_m = sole.height_m - foot.height.value[0]; deep_m > 0.0)
          foot.height.rest(MinJerk<1>::Values(foot.height.value[0] + std::min(deep_m, out_m)));
        else
          foot.height.lead(MinJerk<1>::Values(sole.height_m), kSettle_s, input.step_s);
        foot.tilt.lead(sole.tilt, kSettle_s, input.step_s);
      }
    } else {
      swing(f, plane, input, ground, ball[f]);
    }
    differs = differs || !foot.over.is_zero() || !foot.height.is_zero() || !foot.tilt.is_zero() || !foot.bump.is_zero();
  }
  // Hips take the whole swing for what a foot does early in it.
  double mean_m = 0.0, swing_s = kHips_s;
  for (std::size_t f = 0; f < count; ++f) {
    mean_m += feet_[f].ground_m / static_cast<double>(count);
    if (!feet_[f].planted) swing_s = std::max(swing_s, feet_[f].left_s);
  }
  rise_to_m_ = mean_m;
  if (mean_m != 0.0 || !rise_.is_zero()) rise_.lead(MinJerk<1>::Values(mean_m), swing_s, input.step_s);
  differs = differs || !rise_.is_zero();
  for (std::size_t f = 0; f < count; ++f) {
    const Foot& foot = feet_[f];
    const double lift = foot.planted ? 0.0 : foot.bump.value[0] * arch(foot.passed);
    feet_[f].ball_m =
        input.world_from_plane * ball[f] + Vec3d(foot.over.value[0], foot.height.value[0] + lift, foot.over.value[1]);
  }
  move_posture(input.world_from_plane, pose);
  if (differs) solve_legs(pose, plane, input, input.step_s);
}

void Footing::carry(Pose& pose, const Input& input, const feet::GroundView& ground, const Vec3d& hips_m) {
  standing_ = input.standing;
  const double under_m = height_m(ground, hips_m);
  if (under_m != 0.0 || !rise_.is_zero()) rise_.lead(MinJerk<1>::Values(under_m), kHips_s, input.step_s);
  move_posture(input.world_from_plane, pose);
  pose.set_translation(0, pose.translation(0) + Vec3f(0.0f, static_cast<float>(rise_.value[0]), 0.0f));
}

void Footing::visit_state(StateBytes& bytes) {
  bytes(feet_, rise_, rise_to_m_, drop_, standing_, last_stepper_);
}

bool Footing::stepping() const {
  return std::ranges::any_of(feet_, [](const Foot& foot) { return foot.stepping; });
}

}  // namespace shosa::character
