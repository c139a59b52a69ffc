// Where the hips go over the ground.

#include <algorithm>
#include <cmath>

#include "character/foot_ground.h"
#include "character/footing.h"
#include "shosa/body/leg_proportions.h"

namespace shosa::character {
namespace {

// For a leg of 0.85 m; lengths scale with the leg.
constexpr double kHips_s = 0.35;                        ///< Hips take at least this long to another height …
constexpr double kRises_mps2 = 7.0, kSinks_mps2 = 4.0;  ///< … and are pushed up or fall by no more than this.
constexpr double kChanged_m = 0.01;                     ///< For less than this they take no time of their own.
constexpr double kLonger_s = 0.1;                       ///< To where the leg that bears them has its length.
constexpr double kBothDown_s = 0.12;                    ///< From a landing to where the other foot leaves.
constexpr double kLeast_s = 0.12;  ///< What is left of a way is never hurried more than over this long.

/// How long hips take for a way up or down.
double hips_take_s(double way_m, double size) {
  return std::max(kHips_s, std::sqrt(5.77 * std::abs(way_m) / ((way_m > 0.0 ? kRises_mps2 : kSinks_mps2) * size)));
}

}  // namespace

double Footing::lower_ground_m() const {
  const std::size_t count = model_->feet.size();
  double sum_m = 0.0;
  for (std::size_t f = 0; f < count; ++f)
    sum_m += std::min(feet_[f].ground_m, feet_[(f ^ 1u) < count ? f ^ 1u : f].ground_m);
  return sum_m / static_cast<double>(count);
}

Footing::Bearing Footing::bearing(const WorldPose& plane, const Input& input) const {
  const std::size_t count = model_->feet.size();
  const double size = model_->leg_m / body::kHumanLegLength_m;
  const double goes = std::min(1.0, input.gait_mps / (kGoes_mps * size));
  const auto longer_m = [&](std::size_t f) {
    const Foot& foot = feet_[f];
    if (!foot.planted || foot.over.value.isZero(0.0)) return 0.0;
    const body::TwoBones& bones = model_->feet[f].bones;
    const Vec3d leg = input.world_from_plane.turn() * (plane.positions[bones.ankle] - plane.positions[bones.hip]);
    const Vec3d now(leg.x() + foot.over.value[0], 0.0, leg.z() + foot.over.value[1]);
    return std::max(0.0, std::sqrt(std::max(0.0, leg.squaredNorm() - now.squaredNorm())) - std::abs(leg.y()));
  };
  // The leg of a foot that comes down lower is not stretched as it lands.
  const auto lands_longer_m = [&](std::size_t f) {
    const Vec3d& leg = feet_[f].leg_m;
    const double length_m = std::min(input.landing[f].leg_m.norm(), body::kEaseReach * model_->feet[f].length_m);
    const double height_m = std::sqrt(std::max(0.0, length_m * length_m - level(leg).squaredNorm()));
    return leg.isZero(0.0) ? 0.0 : height_m - std::abs(leg.y());
  };
  Bearing out;
  for (std::size_t f = 0; f < count; ++f) {
    const std::size_t pair = (f ^ 1u) < count ? f ^ 1u : f;
    const Foot &one = feet_[f], &other = feet_[pair];
    if (one.planted && other.planted) {
      // Who goes on is on the way onto the foot that came down last.
      const std::size_t last = one.stood_s < other.stood_s ? f : pair;
      const double low_m = std::min(one.ground_m, other.ground_m);
      out.ground_m += low_m + goes * (feet_[last].ground_m - low_m);
      out.longer_m += goes * longer_m(last);
    } else if (!one.planted && !other.planted) {
      out.ground_m += one.left_s < other.left_s ? one.ground_m : other.ground_m;
    } else {
      const Foot &stands = one.planted ? one : other, &swings = one.planted ? other : one;
      const double down_m = stands.ground_m - swings.ground_m, off_s = swings.left_s + kBothDown_s;
      const bool sinks = down_m > 0.0 && off_s < hips_take_s(-down_m, size);
      if (sinks) out.in_s = std::min(out.in_s, off_s);
      out.ground_m += sinks ? swings.ground_m : stands.ground_m;
      const std::size_t stood = one.planted ? f : pair, swung = one.planted ? pair : f;
      const double stood_longer_m = goes * longer_m(stood);
      out.longer_m += stood_longer_m;
      if (sinks) out.ground_m += std::min(0.0, lands_longer_m(swung) - stood_longer_m);
    }
  }
  out.ground_m /= static_cast<double>(count), out.longer_m /= static_cast<double>(count);
  return out;
}

void Footing::lead_hips(const WorldPose& plane, const Input& input) {
  const double size = model_->leg_m / body::kHumanLegLength_m;
  const Bearing to = bearing(plane, input);
  const double changed_m = to.ground_m - rise_to_m_;
  rise_to_m_ = to.ground_m;
  const double least_s =
      std::min(1.0, std::abs(changed_m) / (kChanged_m * size)) * hips_take_s(to.ground_m - rise_.value[0], size);
  rise_left_s_ = std::max({std::min(rise_left_s_ - input.step_s, to.in_s), least_s, kLeast_s});
  if (to.ground_m != 0.0 || !rise_.is_zero()) rise_.lead(MinJerk<1>::Values(to.ground_m), rise_left_s_, input.step_s);
  if (to.longer_m != 0.0 || !longer_.is_zero()) longer_.lead(MinJerk<1>::Values(to.longer_m), kLonger_s, input.step_s);
}

double Footing::drop_ahead_m(double hips_rise_m, double& in_s) const {
  double most_m = 0.0;
  for (std::size_t f = 0; f < model_->feet.size(); ++f) {
    const Foot& foot = feet_[f];
    if (foot.planted || foot.leg_m.isZero(0.0)) continue;
    const double length_m = model_->feet[f].length_m;
    const double pointed_m = model_->feet[f].ball_in_foot_m.norm() * std::sin(foot.pointed_rad);
    const Vec3d leg = foot.leg_m + (foot.ground_m + pointed_m - hips_rise_m) * Vec3d::UnitY();
    const double longest_m = std::max(body::kEasyReach * length_m, foot.leg_m.norm());
    const double lack = short_of(leg.norm(), longest_m, kSoftEnd * length_m) -
                        short_of(foot.leg_m.norm(), longest_m, kSoftEnd * length_m);
    const double drop_m = lack * leg.norm() / std::max(0.3 * leg.norm(), -leg.y());
    if (drop_m > most_m) most_m = drop_m, in_s = foot.left_s;
  }
  return most_m;
}

void Footing::carry(Pose& pose, const Input& input, const feet::GroundView& ground, const Vec3d& hips_m) {
  standing_ = input.standing;
  const double under_m = height_m(ground, hips_m);
  if (under_m != 0.0 || !rise_.is_zero()) rise_.lead(MinJerk<1>::Values(under_m), kHips_s, input.step_s);
  move_posture(input.world_from_plane, pose);
  pose.set_translation(0, pose.translation(0) + Vec3f(0.0f, static_cast<float>(rise_.value[0]), 0.0f));
}

}  // namespace shosa::character
