// What feet find on the ground: how a sole lies, where it is firm, and what a swing must clear.

#include "character/foot_ground.h"

#include "character/footing.h"
#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"

namespace shosa::character {
namespace {

// For a leg of 0.85 m; lengths scale with the leg.
constexpr double kEdge = 0.45;  ///< Steeper than this under a sole is an edge, not a slope.
constexpr double kMostTilt_rad = 0.45;
constexpr double kTip = 0.35;  ///< Length of the toes, of heel to ball.
constexpr double kHalfWidth_m = 0.04;
constexpr double kMostLed_m = 0.36;        ///< A step is shortened by so much for a better foothold …
constexpr double kMostAhead = 0.8;         ///< … and made longer by so much of the foot.
constexpr double kMostRise_m = 0.23;       ///< Of a step, where a shorter one is lower …
constexpr double kLeastStep_m = 0.15;      ///< … and brings the foot so far before the other one.
constexpr double kFlush_m = 0.01;          ///< Ground that rises less is no obstacle.
constexpr double kNearlyDown = 0.9;        ///< Of a swing: from then on the foot comes down, whatever is under it.
constexpr double kPointsFrom = 0.6;        ///< Of a swing: what the heel passes later toes point down for …
constexpr double kMostPointed_rad = 0.45;  ///< … so far …
constexpr double kPointedBy = 0.6;         ///< … over this share of what is left of the swing.

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

Footing::Way Footing::way_over(const feet::GroundView& ground, const FootModel::Foot& model, const Foot& foot,
                               const Vec3d& to, double heading_rad, const Sole& sole, double progress,
                               const std::array<double, 3>& passed) const {
  Way over{.via_m = sole.height_m, .via_s = foot.left_s};
  if (ground.is_level() || foot.left_s <= 0.0) return over;
  const Vec3d ahead = about_y(heading_rad) * Vec3d::UnitZ();
  const Vec3d way = level(to - foot.ball_m);
  // Of what is left of the way over the ground, at a share of what is left of the time.
  const auto gone = [&](double share) {
    const int quarter = std::min(3, static_cast<int>(4.0 * share));
    const double from = quarter > 0 ? passed[quarter - 1] : 0.0, until = quarter < 3 ? passed[quarter] : 1.0;
    return from + (4.0 * share - quarter) * (until - from);
  };
  const auto rises = [&](const Eigen::Vector2d& tilt) { return tilt.y() * ahead.x() - tilt.x() * ahead.z(); };
  const double rises_now = rises(foot.tilt.value), rises_then = rises(sole.tilt);
  // Where the ground lies under heel, ball and tip on the way from here to there.
  constexpr int kSamples = 10;
  const double along_m[] = {-model.sole_m, 0.0, kTip * model.sole_m};
  std::array<std::array<double, 3>, kSamples> under_m;
  int count = 0;
  for (; count + 1 < kSamples; ++count) {
    const double share = static_cast<double>(count + 1) / kSamples, at_m = gone(share);
    if (progress + (1.0 - progress) * share > kNearlyDown) break;
    for (int i = 0; i < 3; ++i) {
      under_m[count][i] = height_m(ground, foot.ball_m + at_m * way + along_m[i] * ahead);
      // Toes point down so far that the heel comes over the edge that it steps down from.
      const double plane_m = sole.height_m + rises_then * (along_m[i] - (1.0 - at_m) * ahead.dot(way));
      if (i == 0 && progress + (1.0 - progress) * share > kPointsFrom)
        over.pointed_rad = std::max(over.pointed_rad, (under_m[count][i] - plane_m) / model.sole_m);
    }
  }
  // An edge between two of these is there from the first of them on.
  for (int i = 0; i + 1 < count; ++i)
    for (int k = 0; k < 3; ++k) under_m[i][k] = std::max(under_m[i][k], under_m[i + 1][k]);
  over.pointed_rad = std::asin(std::min(over.pointed_rad, std::sin(kMostPointed_rad)));
  // A string drawn taut over all that: the first place where it touches, and how it leads over it.
  const double from_m = foot.height.value[0];
  const auto needed_m = [&](int i) {
    if (i >= count) return sole.height_m;
    const double share = static_cast<double>(i + 1) / kSamples;
    const double pointed =
        foot.heel.value[0] + std::min(1.0, share / kPointedBy) * (over.pointed_rad - foot.heel.value[0]);
    const double rise = rises_now + share * (rises_then - rises_now) - std::tan(pointed);
    double most_m = -1e9;
    for (int k = 0; k < 3; ++k) most_m = std::max(most_m, under_m[i][k] - rise * along_m[k]);
    return most_m;
  };
  const auto time_s = [&](int i) { return foot.left_s * (i < count ? static_cast<double>(i + 1) / kSamples : 1.0); };
  const auto touch = [&](int after, double height, double at_s, double& slope) {
    int first = count;
    slope = (needed_m(count) - height) / std::max(time_s(count) - at_s, 1e-6);
    for (int i = after; i < count; ++i) {
      const double steep = (needed_m(i) - height) / (time_s(i) - at_s);
      if (steep > slope) slope = steep, first = i;
    }
    return first;
  };
  const double push_mps2 = kMostPush_mps2 * model_->leg_m / body::kHumanLegLength_m;
  for (int i = 0; i < count; ++i) {
    const double need_m = std::max(under_m[i][1], under_m[i][2]) - from_m, in_s = time_s(i);
    const double rises_m = in_s * (foot.height.rate[0] + in_s * push_mps2 / 5.77);
    over.riser = over.riser || need_m > std::max(kStumbles_m, rises_m);
  }
  double before = 0.0, after = 0.0;
  const int via = touch(0, from_m, 0.0, before);
  if (via == count) return over;
  over.via_m = needed_m(via), over.via_s = time_s(via);
  touch(via + 1, over.via_m, over.via_s, after);
  over.rate_mps = 0.5 * (before + after);
  return over;
}

}  // namespace shosa::character
