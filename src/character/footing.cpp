#include "character/footing.h"

#include <algorithm>
#include <cmath>

#include "character/foot_ground.h"
#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"

namespace shosa::character {
namespace {

// For a leg of 0.85 m; lengths scale with the leg.
constexpr double kStepFrom_m = 0.11, kStepFrom_rad = 0.45;  ///< A standing foot this far off steps to its place.
constexpr double kStep_s = 0.38, kHasty_s = 0.27;           ///< A step on the spot, and one that catches a push.
constexpr double kStepLift_m = 0.06;
constexpr double kUnknownSwing_s = 0.25;  ///< Where the clip does not say when a foot lands.
constexpr double kHalf = 0.5;             ///< Of a swing: no foot comes down before.
constexpr double kLeastLeft_s = 0.08;     ///< A foot comes down from its arch over at least this long.
constexpr double kSettle_s = 0.12;        ///< Height and tilt of a foot that stands.
constexpr double kOutOf_mps = 1.5;        ///< At which one that came down in the ground comes out of it.
constexpr double kStanceHalf_s = 0.25;    ///< Feet land where they are right half a stance later.
constexpr double kMostAim = 0.6;          ///< Of the leg's length: a plan's step from the clip's.
constexpr double kLongestWait = 0.4;      ///< Of a swing: before a riser …
constexpr double kSetOff_m = 0.03;        ///< … by a foot that has gone no farther.
constexpr double kChosen = 0.7;           ///< Of a swing: from then on it keeps to the place that it was led to.
constexpr double kDown_m = 0.015;         ///< Of the leg's length: a ball lower than this is down.
constexpr double kCrept_m = 0.0003;       ///< A ball that is down moves no farther.

}  // namespace

Footing::Footing(std::shared_ptr<const FootModel> model, const Skeleton& skeleton)
    : model_(std::move(model)), skeleton_(&skeleton) {}

void Footing::hold(Foot& foot, const Vec3d& at, const Vec3d& ball_plane) {
  foot.held.shift_m = level(at - foot.held.turn() * ball_plane);
}

void Footing::stand(Foot& foot, const Input& input, const Vec3d& ball_plane) {
  foot.planted = true;
  foot.stepping = foot.down = false;
  foot.stood_s = 0.0;
  foot.pointed_rad = 0.0;
  foot.height.value[0] += foot.bump.value[0] * arch(foot.passed);
  foot.bump.rest(MinJerk<1>::Values::Zero());
  foot.held = input.world_from_plane;
  // It stands where it came down, also where its leg was too short for where it should.
  foot.over.value += Vec3d(foot.pulled_m.x(), foot.pulled_m.z(), 0.0);
  foot.height.value[0] += foot.pulled_m.y();
  foot.ball_m += foot.pulled_m;
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
  rise_to_m_ = lower_ground_m(), rise_left_s_ = 0.0;
  rise_.rest(MinJerk<1>::Values(rise_to_m_));
  longer_ = drop_ = {};
  last_stepper_ = -1;
}

void Footing::begin_step(Foot& foot, double time_s) {
  foot.planted = foot.torn = false, foot.stepping = true;
  foot.passed = 0.0, foot.left_s = time_s, foot.left_m = foot.ball_m;
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
    double far = std::max(off / (kStepFrom_m * size + kStanceHalf_s * input.gait_mps),
                          std::abs(foot.over.value[2]) / kStepFrom_rad);
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
  // A foot that has just left and would be down now: that is the stance it comes from.
  const bool lands = landing.known && (landing.in_s > input.step_s || foot.passed > kHalf);
  if (foot.stepping)
    foot.left_s = std::max(0.0, foot.left_s - input.step_s);
  else
    foot.left_s = lands ? landing.in_s : kUnknownSwing_s;
  const double left_s = foot.left_s, progress = foot.passed;
  // What is left may change at any time, what has passed may not.
  foot.passed += (1.0 - foot.passed) * input.step_s / std::max(left_s + input.step_s, kLeastLeft_s);

  const bool clip_lands = !foot.stepping && lands;
  const Vec3d lead = input.ahead_m + kStanceHalf_s * (input.drift_mps - input.pushed_mps);
  Vec3d wanted(lead.x(), lead.z(), kStanceHalf_s * input.turn_radps);
  const Vec3d sole_dir = input.world_from_plane.turn() * (plane.rotations[model.bones.ankle] * model.ball_in_foot_m);
  const Vec3d clip_to = input.world_from_plane * (clip_lands ? landing.ball_m : ball_plane);
  if (progress == 0.0) foot.led_m = 0.0;
  if (const double heading = heading_of(sole_dir) + wanted[2]; clip_lands && !input.aim[f].on && !ground.is_level()) {
    const Vec3d to = level(clip_to) + lead + input.drift_mps * left_s;
    if (progress < kChosen) foot.led_m = foothold_m(ground, f, to, heading);
    const Vec3d ahead = about_y(heading) * Vec3d::UnitZ();
    wanted += foot.led_m * Vec3d(ahead.x(), ahead.z(), 0.0);
    // The body comes after its foot, as it would under a plan.
    const double off_m = foot.led_m < 0.0 ? ahead.dot(to - clip_to) + foot.led_m : 0.0;
    shortened_mps_ = std::clamp(-off_m / std::max(left_s, kUnknownSwing_s), 0.0, kMostShortened_mps);
  }
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
  const MinJerk<3> stood = foot.over;
  foot.over.lead(wanted,
                 std::max({left_s, least_s(std::hypot(off.x(), off.y()), std::hypot(rate.x(), rate.y()), push_mps2),
                           least_s(std::abs(off.z()), std::abs(rate.z()), kMostSpin_radps2)}),
                 input.step_s);
  foot.leg_m.setZero();
  if (clip_lands && !landing.leg_m.isZero(0.0))
    foot.leg_m = input.world_from_plane.turn() * landing.leg_m + Vec3d(wanted[0], 0.0, wanted[1]);
  // Where it comes down, as the body goes on. Until the clip says so it stays over where it is.
  const bool known = clip_lands || foot.stepping;
  const Vec3d to =
      known ? Vec3d(level(clip_to) + Vec3d(wanted[0], 0.0, wanted[1]) + input.drift_mps * left_s) : foot.ball_m;
  const double heading = heading_of(sole_dir) + wanted[2];
  Sole sole = sole_on(ground, model, to, heading);
  // … and on the level of the foot that stands.
  const std::size_t pair = (f ^ 1u) < model_->feet.size() ? f ^ 1u : f;
  if (!known && feet_[pair].planted) sole.height_m = feet_[pair].ground_m;
  foot.ground_m = sole.height_m;
  const Way over = way_over(ground, model, foot, to, heading, sole, progress, landing.passed);
  foot.pointed_rad = over.pointed_rad;
  // A foot that stood before a riser goes up along it before it goes ahead.
  if (known && over.riser && progress < kLongestWait && level(foot.ball_m - foot.left_m).norm() < kSetOff_m) {
    const Vec3d at = input.world_from_plane * ball_plane;
    const double turned_rad = foot.over.value[2];
    foot.over = stood;
    foot.over.put({foot.ball_m.x() - at.x(), foot.ball_m.z() - at.z(), turned_rad}, input.step_s);
  }
  // No faster over it than a foot that is at rest now comes to be.
  const double most_mps = push_mps2 * over.via_s / 3.94, rate_mps = std::clamp(over.rate_mps, -most_mps, most_mps);
  const double over_s = std::max(over.via_s, least_s(std::abs(over.via_m - foot.height.value[0]),
                                                     std::abs(foot.height.rate[0] - rate_mps), push_mps2));
  foot.height.meet(MinJerk<1>::Values(over.via_m - over_s * rate_mps), MinJerk<1>::Values(rate_mps), over_s,
                   input.step_s);
  foot.tilt.lead(
      sole.tilt,
      std::max(left_s, least_s((sole.tilt - foot.tilt.value).norm(), foot.tilt.rate.norm(), kMostSpin_radps2)),
      input.step_s);
  const double bump = foot.stepping ? kStepLift_m * size : 0.0;
  if (bump != foot.bump.value[0] || !foot.bump.is_zero()) {
    // As it leaves the ground the arch is still level, whatever its height.
    if (progress == 0.0)
      foot.bump.rest(MinJerk<1>::Values(bump));
    else
      foot.bump.lead(MinJerk<1>::Values(bump), std::max(0.1, 0.3 * left_s), input.step_s);
  }
}

Footing::Sole Footing::stop_at_riser(Foot& foot, const FootModel::Foot& model, const Vec3d& sole_plane,
                                     const Vec3d& ball_plane, const feet::GroundView& ground) const {
  const double heading = heading_of(foot.held.turn() * sole_plane);
  const Sole sole = sole_on(ground, model, foot.held * ball_plane, heading);
  const double higher_m = foot.ground_m + kStumbles_m * model_->leg_m / body::kHumanLegLength_m;
  if (!sole.on_edge || sole.height_m <= higher_m) return sole;
  const Sole before = sole_on(ground, model, foot.ball_m, heading);
  if (before.on_edge) return sole;
  hold(foot, foot.ball_m, ball_plane);
  return before;
}

void Footing::place(Pose& pose, const WorldPose& plane, const Input& input, const feet::GroundView& ground) {
  const std::size_t count = model_->feet.size();
  std::array<Vec3d, kMostFeet> ball;
  std::array<Sole, kMostFeet> soles;
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
      foot.planted = false, foot.passed = 0.0, foot.left_m = foot.ball_m;
    }
    if (!foot.planted) continue;
    foot.stood_s += input.step_s;
    soles[f] = stop_at_riser(foot, model, plane.rotations[model.bones.ankle] * model.ball_in_foot_m, ball[f], ground);
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
    if (foot.planted) {
      standing_ = static_cast<std::uint8_t>(standing_ | (1u << f));
      if (!level_ground || !foot.height.is_zero() || !foot.tilt.is_zero()) {
        const Sole& sole = soles[f];
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
  lead_hips(plane, input);
  differs = differs || !rise_.is_zero() || !longer_.is_zero();
  for (std::size_t f = 0; f < count; ++f) {
    const Foot& foot = feet_[f];
    const double lift = foot.planted ? 0.0 : foot.bump.value[0] * arch(foot.passed);
    feet_[f].ball_m =
        input.world_from_plane * ball[f] + Vec3d(foot.over.value[0], foot.height.value[0] + lift, foot.over.value[1]);
  }
  move_posture(input.world_from_plane, pose);
  if (differs) solve_legs(pose, plane, input, input.step_s);
}

void Footing::visit_state(StateBytes& bytes) {
  bytes(feet_, rise_, rise_to_m_, rise_left_s_, longer_, drop_, standing_, last_stepper_, shortened_mps_);
}

bool Footing::stepping() const {
  return std::ranges::any_of(feet_, [](const Foot& foot) { return foot.stepping; });
}

}  // namespace shosa::character
