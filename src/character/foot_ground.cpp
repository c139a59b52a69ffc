// What feet find on the ground: how a sole lies, where it is firm, and what a swing must clear.

#include "character/foot_ground.h"

#include "character/footing.h"
#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::character {
namespace {

// For a leg of 0.85 m; lengths scale with the leg.
constexpr double kEdge = 0.45;  ///< Steeper than this under a sole is an edge, not a slope.
constexpr double kMostTilt_rad = 0.45;
constexpr double kTip = 0.35;  ///< Length of the toes, of heel to ball.
constexpr double kHalfWidth_m = 0.04;
constexpr double kMostLed_m = 0.36;    ///< A step is shortened by so much for a better foothold …
constexpr double kMostAhead = 0.8;     ///< … and made longer by so much of the foot.
constexpr double kMostRise_m = 0.23;   ///< Of a step, where a shorter one is lower …
constexpr double kLeastStep_m = 0.15;  ///< … and brings the foot so far before the other one.
constexpr double kFlush_m = 0.01;      ///< Ground that rises less is no obstacle.
constexpr double kClear_m = 0.025;     ///< Over what lies on the way.
constexpr double kMostBump_m = 0.35;
constexpr double kLeastArch = 0.4;                     ///< What sticks out where the arch is lower is cleared in part.
constexpr double kFallsFrom[] = {0.4, 0.5, 0.6, 0.7};  ///< Of a swing, for a foot that goes down.

}  // namespace

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
    sole.on_edge = true;
    return sole;
  }
  sole.height_m = middle;
  const Vec3d axis = Vec3d::UnitY().cross(Vec3d(Vec3d::UnitY() - up * ahead - across * aside));
  const Eigen::Vector2d tilt(axis.x(), axis.z());
  const double size = tilt.norm();
  if (size > 1e-9) sole.tilt = tilt / size * std::min(std::atan(size), kMostTilt_rad);
  return sole;
}

double Footing::foothold_m(const feet::GroundView& ground, std::size_t f, const Vec3d& ball, double heading_rad) const {
  if (ground.is_level()) return 0.0;
  const FootModel::Foot& model = model_->feet[f];
  const double size = model_->leg_m / body::kHumanLegLength_m, most_m = kMostLed_m * size;
  const Vec3d ahead = about_y(heading_rad) * Vec3d::UnitZ();
  const Foot* other = nullptr;
  for (std::size_t i = 0; i < model_->feet.size(); ++i)
    if (i != f && feet_[i].planted) other = &feet_[i];
  const auto fits = [&](double led_m, bool low) {
    const Vec3d at = ball + led_m * ahead;
    const Sole sole = sole_on(ground, model, at, heading_rad);
    if (sole.on_edge) return false;
    if (!low || other == nullptr) return true;
    return std::abs(sole.height_m - other->ground_m) < kMostRise_m * size &&
           (led_m >= 0.0 || ahead.dot(at - other->ball_m) > kLeastStep_m * size);
  };
  const double before_m = feet_[f].led_m;
  constexpr int kTries = 12;
  for (const bool low : {true, false}) {
    if (fits(before_m, low)) return before_m;
    for (int i = 0; i <= kTries; ++i) {
      const double way_m = most_m * i / kTries;
      if (fits(-way_m, low)) return -way_m;
      if (way_m < kMostAhead * model.sole_m && fits(way_m, low)) return way_m;
    }
  }
  return before_m;
}

Footing::Arch Footing::arch_over(const feet::GroundView& ground, const FootModel::Foot& model, const Foot& foot,
                                 const Vec3d& to, double heading_rad, double target_m, double progress,
                                 const std::array<double, 3>& passed) const {
  if (ground.is_level()) return {};
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
  // How high the ground is under the sole on its way from here to there.
  constexpr int kSamples = 10;
  std::array<double, kSamples> under_m;
  for (int i = 1; i < kSamples; ++i) {
    const double share = static_cast<double>(i) / kSamples;
    under_m[i] = -1e9;
    for (const double along : {-model.sole_m, 0.0, kTip * model.sole_m})
      under_m[i] = std::max(under_m[i], height_m(ground, foot.ball_m + gone(share) * way + along * ahead));
  }
  const auto clearance = [&](double from, double until) {
    double most = 0.0;
    for (int i = 1; i < kSamples; ++i) {
      const double q = progress + (1.0 - progress) * i / kSamples;
      if (q > 0.9) continue;
      const double needed = under_m[i] - (foot.height.value[0] + rise_m * done(q, from, until));
      if (needed > kFlush_m) most = std::max(most, (needed + kClear_m) / std::max(arch(q), kLeastArch));
    }
    return std::min(most, kMostBump_m);
  };
  if (rise_m >= 0.0) return {clearance(0.0, kRiseEarly), 0.0};
  // A foot that goes down stays up until what it steps down from is behind it.
  Arch lowest{kMostBump_m + 1.0, 0.0};
  for (const double from : kFallsFrom) {
    const double bump_m = clearance(from, 1.0);
    if (bump_m < lowest.height_m - kFlush_m) lowest = {bump_m, from};
  }
  return lowest;
}

}  // namespace shosa::character
