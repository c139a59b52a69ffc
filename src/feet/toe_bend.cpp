#include "feet/toe_bend.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "shosa/body/leg_proportions.h"
#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"

namespace shosa::feet {

namespace {

// Where a bend moves the tip mostly sideways, it is not asked to lift it.
constexpr double kLifts = 0.1;
// Toes lie where they are nearer to level than 45 degrees: what hangs has no side.
constexpr double kLies = 0.7;

/// The height of the tip over the ball at a bend b: middle + reach cos(b - top).
struct HeightWave {
  double middle_m, reach_m, top_rad;
  bool lifts;

  HeightWave(const ToeBend& toes, const Vec3d& up)
      : middle_m(toes.bone_m.dot(toes.axis) * toes.axis.dot(up)), reach_m(0.0), top_rad(0.0), lifts(false) {
    const double ahead = toes.axis.cross(toes.bone_m).dot(up), height = toes.bone_m.dot(up) - middle_m;
    reach_m = std::hypot(ahead, height);
    top_rad = std::atan2(ahead, height);
    lifts = reach_m > kLifts * toes.bone_m.norm();
  }
  /// Half the width of the bends that are at least so high.
  double half_rad(double height_m) const { return std::acos(std::clamp((height_m - middle_m) / reach_m, -1.0, 1.0)); }
};

constexpr std::array kTurns = {0.0, -2.0 * std::numbers::pi, 2.0 * std::numbers::pi};

}  // namespace

Vec3d ToeBend::bent_m(double rad) const {
  return Eigen::AngleAxisd(rad, axis) * bone_m;
}

double ToeBend::highest_rad(const Vec3d& up) const {
  const HeightWave wave(*this, up);
  double best = 0.0, off = std::numeric_limits<double>::infinity();
  for (const double turn : kTurns) {
    const double bend = range.nearest_rad(wave.top_rad + turn), now = std::abs(wave.top_rad + turn - bend);
    if (now < off) best = bend, off = now;
  }
  return best;
}

BendRange ToeBend::over(double height_m, double near_rad) const {
  const HeightWave wave(*this, Vec3d::UnitY());
  if (!wave.lifts || height_m <= wave.middle_m - wave.reach_m) return range;
  std::optional<BendRange> best;
  const double half = wave.half_rad(height_m);
  const auto off = [&](const BendRange& bends) { return std::abs(bends.nearest_rad(near_rad) - near_rad); };
  for (const double turn : kTurns) {
    const BendRange bends{std::max(range.first_rad, wave.top_rad + turn - half),
                          std::min(range.last_rad, wave.top_rad + turn + half)};
    if (bends.first_rad <= bends.last_rad && (!best || off(bends) < off(*best))) best = bends;
  }
  if (best) return *best;
  const double highest = highest_rad(Vec3d::UnitY());
  return {highest, highest};
}

double ToeBend::level_rad(double height_m) const {
  const HeightWave wave(*this, Vec3d::UnitY());
  if (!wave.lifts) return 0.0;
  const double half = wave.half_rad(height_m);
  const double one = wrap_angle(wave.top_rad + half), other = wrap_angle(wave.top_rad - half);
  return std::abs(one) < std::abs(other) ? one : other;
}

ToeBend Toes::seen(const Skeleton& skeleton, const WorldPose& world, std::size_t frame) const {
  return {.bone_m = world.end_site(tip) - world.positions[static_cast<std::size_t>(joint)],
          .axis = world.rotations[static_cast<std::size_t>(skeleton.parent(joint))] * axis_in_parent,
          .range = range[frame]};
}

std::vector<ToeBend> every_bend(const Clip& clip, const Toes& toes) {
  std::vector<ToeBend> out;
  Pose pose;
  WorldPose world;
  for (int f = 0; f < clip.frame_count(); ++f) {
    clip.get_frame(f, pose);
    forward_kinematics(clip.skeleton(), pose, world);
    out.push_back(toes.seen(clip.skeleton(), world, static_cast<std::size_t>(f)));
  }
  return out;
}

std::optional<Toes> observe_toes(const Clip& clip, const FootPlan& plan) {
  const body::FootPoints& points = plan.points;
  if (points.tip < clip.joint_count() || points.toe < 0 || points.toe >= clip.joint_count()) return {};
  const Skeleton& skeleton = clip.skeleton();
  Toes toes{.joint = points.toe, .tip = skeleton.end_sites()[points.tip - clip.joint_count()]};
  if (toes.tip.parent != toes.joint) return {};

  // Up is toward the knee, also in a foot that lies on its instep, and the sole says how much it is to the side.
  const auto count = static_cast<std::size_t>(clip.frame_count());
  std::vector<Vec3d> bone(count);
  Vec3d sum = Vec3d::Zero();
  Pose pose;
  WorldPose world;
  for (std::size_t f = 0; f < count; ++f) {
    clip.get_frame(static_cast<int>(f), pose);
    forward_kinematics(skeleton, pose, world);
    const Vec3d ball = world.positions[toes.joint], knee = world.positions[points.knee] - world.positions[points.joint];
    const Quatd parent = world.rotations[skeleton.parent(toes.joint)].conjugate();
    const Vec3d along = world.end_site(toes.tip) - ball, axis = along.cross(Vec3d::UnitY());
    bone[f] = parent * along;
    if (axis.norm() < kLies * along.norm()) continue;
    const double side = axis.dot(along.cross(knee)) < 0.0 ? -1.0 : 1.0;
    sum += parent * (side * axis.normalized());
  }
  if (sum.norm() < 1e-6) return {};
  toes.axis_in_parent = sum.normalized();

  // How far they are bent from the first frame's, and what that is while the foot is flat.
  std::vector<double> bend(count), lying;
  const auto across = [&](const Vec3d& of) { return Vec3d(of - of.dot(toes.axis_in_parent) * toes.axis_in_parent); };
  for (std::size_t f = 0; f < count; ++f) {
    const Vec3d from = across(bone.front()), to = across(bone[f]);
    bend[f] = std::atan2(from.cross(to).dot(toes.axis_in_parent), from.dot(to));
  }
  for (const Stance& stance : plan.stances) {
    if (stance.rotation) lying.insert(lying.end(), bend.begin() + stance.first, bend.begin() + stance.last + 1);
  }
  if (lying.empty()) lying = bend;
  const auto middle = lying.begin() + static_cast<std::ptrdiff_t>(lying.size() / 2);
  std::nth_element(lying.begin(), middle, lying.end());
  const auto [least, most] = std::minmax_element(bend.begin(), bend.end());
  const double down = std::min(*least, *middle - body::kToeFlexion_deg * kRadPerDeg),
               up = std::max(*most, *middle + body::kToeExtension_deg * kRadPerDeg);
  for (const double now : bend) toes.range.push_back({down - now, up - now});
  return toes;
}

}  // namespace shosa::feet
