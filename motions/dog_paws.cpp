#include "motions/dog_paws.h"

#include <algorithm>
#include <cmath>

#include "motions/body.h"
#include "motions/relax.h"
#include "scenes/limbs.h"
#include "scenes/plan.h"

namespace shosa::motions {
namespace {

constexpr double kGuideShare = 0.65, kPawShare = 0.5;  ///< How closely leg and paw keep to the way given.
constexpr double kClear_m = 0.015;                     ///< Below the paw in the middle of a swing, at least.

/// Bend of elbow or knee, direction of the leg ahead and aside, wrist or hock.
using LegAngles = Eigen::Matrix<double, 4, 1>;

/// From the lower bone to the line of the leg, forward of it for a front leg, whose elbow points back.
double lower_lead_rad(const DogLegBuild& build, double bend_rad) {
  const double lead =
      std::atan2(build.upper_m * std::sin(bend_rad), build.lower_m + build.upper_m * std::cos(bend_rad));
  return build.front ? lead : -lead;
}

LegAngles angles_of(const DogLegBuild& build, const Paw& paw) {
  const Vec3d leg = paw.point - Quatd(Eigen::AngleAxisd(paw.pitch_rad, kX)) * build.segment - paw.joint_above;
  const double a = build.upper_m, b = build.lower_m;
  LegAngles angles;
  angles << std::acos(std::clamp((leg.squaredNorm() - a * a - b * b) / (2.0 * a * b), -1.0, 1.0)),
      std::atan2(leg.z(), -leg.y()), std::asin(leg.x() / leg.norm()), 0.0;
  angles[3] = paw.pitch_rad + angles[1] + lower_lead_rad(build, angles[0]);
  return angles;
}

void apply(const DogLegBuild& build, const LegAngles& angles, Paw& paw) {
  const double a = build.upper_m, b = build.lower_m;
  const double length = std::sqrt(a * a + b * b + 2.0 * a * b * std::cos(angles[0])), across = std::cos(angles[2]);
  paw.pitch_rad = angles[3] - angles[1] - lower_lead_rad(build, angles[0]);
  paw.point = paw.joint_above + Quatd(Eigen::AngleAxisd(paw.pitch_rad, kX)) * build.segment +
              length * Vec3d(std::sin(angles[2]), -across * std::cos(angles[1]), across * std::sin(angles[1]));
}

Vec3d last_segment(const Skeleton& skeleton, const DogLegNames& leg) {
  if (!leg.front) return skeleton.joint(skeleton.find(leg.toes)).rest_translation_m.cast<double>();
  for (const EndSite& site : skeleton.end_sites()) {
    if (site.name == leg.end + "_end") return site.offset_m.cast<double>();
  }
  return Vec3d::Zero();
}

}  // namespace

DogLegNames dog_leg_names(int leg) {
  const std::string side = leg % 2 == 0 ? "left_" : "right_";
  if (leg >= left_front) return {side + "upper_arm", side + "lower_arm", side + "hand", "", true};
  return {side + "upper_leg", side + "lower_leg", side + "foot", side + "toes", false};
}

Paws::Paws(const Skeleton& skeleton, const DogDescription& description) : description_(description) {
  for (int leg = 0; leg < 4; ++leg) {
    const DogLegNames names = dog_leg_names(leg);
    const auto length = [&](const std::string& joint) {
      return skeleton.joint(skeleton.find(joint)).rest_translation_m.cast<double>().norm();
    };
    DogLegBuild& build = build_[leg];
    build = {.upper_m = length(names.middle), .lower_m = length(names.end), .front = names.front};
    build.segment = last_segment(skeleton, names);
    build.rest = skeleton.rest_positions()[skeleton.find(names.end)] + build.segment;
  }
}

Paw Paws::at(int leg, double time_s, const DogPosture& posture) const {
  return description_.gait ? walking(leg, time_s) : stepping(leg, time_s, posture);
}

std::vector<TimeInterval> Paws::standing(int leg, double end_s) const {
  std::vector<TimeInterval> list;
  const TimeInterval whole{0.0, end_s};
  if (description_.gait) {
    const DogGait& gait = *description_.gait;
    for (int k = -2; (k - 1) * gait.cycle_s < end_s; ++k) {
      const double strike = (k + gait.phase[leg]) * gait.cycle_s;
      scenes::add_clipped(list, {strike, strike + gait.duty * gait.cycle_s}, whole);
    }
    return list;
  }
  double begin_s = -1e9;
  for (const PawStep& step : description_.steps[leg]) {
    scenes::add_clipped(list, {begin_s, step.lift_s}, whole);
    begin_s = step.land_s;
  }
  scenes::add_clipped(list, {begin_s, 1e9}, whole);
  return list;
}

Paw Paws::walking(int leg, double time_s) const {
  const DogGait& gait = *description_.gait;
  const bool front = leg >= left_front;
  const double stance_s = gait.duty * gait.cycle_s, swing_s = gait.cycle_s - stance_s;
  const double phase = gait.phase[leg];
  const double strike_s = (std::floor(time_s / gait.cycle_s - phase + 1e-9) + phase) * gait.cycle_s;
  const double since = time_s - strike_s;
  // Planted so that the body passes over it in the middle of the stance.
  Paw paw{.point = build(leg).rest + gait.speed_mps * (strike_s + 0.5 * stance_s) * kZ};
  const double strike = front ? -0.10 : -0.22, off = front ? 0.85 : 0.58;
  if (since <= stance_s + 1e-9) {
    const double x = since / stance_s;
    paw.pitch_rad = strike + (off - strike) * x * x;
    return paw;
  }
  const double x = (since - stance_s) / swing_s;
  paw.stands = false;
  paw.air = x;
  const Vec3d lift(0, 0.55, 1.1 * gait.speed_mps), land(0, -0.55, 0.8 * gait.speed_mps);
  paw.point = scenes::hermite<Vec3d>(paw.point, lift, paw.point + gait.speed_mps * gait.cycle_s * kZ, land, swing_s, x);
  paw.point.y() += gait.clear_m * 16.0 * x * x * (1 - x) * (1 - x);
  // The paw folds back as it comes forward.
  const double rate = 2.0 * (off - strike) / stance_s;
  paw.pitch_rad = scenes::hermite<double>(off, rate, strike, 0.0, swing_s, x) +
                  (front ? 0.4 : 0.15) * 16.0 * x * x * (1 - x) * (1 - x);
  return paw;
}

Paw Paws::stepping(int leg, double time_s, const DogPosture& posture) const {
  const auto i = static_cast<std::size_t>(leg);
  Paw paw{.point = build(leg).rest + description_.start_z_m[i] * kZ,
          .pitch_rad = radians(leg >= left_front ? posture.wrist : posture.hock)};
  for (const PawStep& step : description_.steps[i]) {
    if (time_s <= step.lift_s) break;
    const Vec3d to = build(leg).rest + Vec3d(step.x_m, 0, step.z_m);
    const double length_s = step.land_s - step.lift_s, x = std::min(1.0, (time_s - step.lift_s) / length_s);
    const Vec3d leave(0, 0.3, 0.3 * (to.z() - paw.point.z()) / length_s), land(0, -0.3, leave.z());
    paw.stands = x >= 1.0;
    paw.air = x;
    const double bump = 16.0 * x * x * (1 - x) * (1 - x);
    paw.point = scenes::hermite<Vec3d>(paw.point, leave, to, land, length_s, x);
    paw.point.y() += step.clear_m * bump;
    paw.pitch_rad += 0.35 * bump;
  }
  return paw;
}

void relax_paws(const DogLegBuild& build, std::vector<Paw>& way) {
  const int count = static_cast<int>(way.size());
  const auto paw = [&](int i) -> Paw& { return way[i]; };
  Eigen::MatrixXd line(count, 4);
  for (int i = 0; i < count; ++i) line.row(i) = angles_of(build, paw(i)).transpose();
  for (int first = 0; first < count; ++first) {
    if (paw(first).stands) continue;
    int last = first;
    while (last + 1 < count && !paw(last + 1).stands) ++last;
    relax(line, first, last, kGuideShare, 0, 3);
    relax(line, first, last, kPawShare, 3, 1);
    for (int i = first; i <= last; ++i) apply(build, line.row(i).transpose(), paw(i));
    raise_clear(
        last - first + 1,
        [&](int i) { return build.rest.y() + kClear_m * clearing(paw(first + i).air) - paw(first + i).point.y(); },
        [&](int i, double height_m) { paw(first + i).point.y() += height_m; });
    first = last;
  }
}

}  // namespace shosa::motions
