#include "shosa/analysis/body_motion.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/signals.h"
#include "shosa/analysis/free_fall.h"
#include "shosa/body/foot_points.h"
#include "shosa/core/angles.h"

namespace shosa::analysis {
namespace {

using body::Role;

// Two bones that are straighter have no plane to speak of.
constexpr double kHasPlane_rad = 0.26;  // 15 degrees

/// Central differences over one frame on each side; one-sided at the ends.
std::vector<Vec3d> rate(const std::vector<Vec3d>& values, double dt) {
  std::vector<Vec3d> out(values.size(), Vec3d::Zero());
  const int last = static_cast<int>(values.size()) - 1;
  for (int f = 0; f <= last && last > 0; ++f) {
    const int a = std::max(f - 1, 0), b = std::min(f + 1, last);
    out[f] = (values[b] - values[a]) / ((b - a) * dt);
  }
  return out;
}

HingeMotion observe_hinge(const StudiedClip& studied, std::string name, bool is_knee, Role upper, Role middle,
                          Role end) {
  const ClipPositions& positions = studied.positions();
  const body::BodyMap& map = studied.map();
  const int frames = positions.frame_count();
  HingeMotion hinge{.name = std::move(name), .is_knee = is_knee, .bend_rad = {}, .kink_rad = {}, .flips = {}};
  hinge.flips.assign(static_cast<std::size_t>(frames), 0);
  Vec3d before = Vec3d::Zero();
  for (int f = 0; f < frames; ++f) {
    const Vec3d joint = positions.joint(f, map.joint(middle));
    const Vec3d first = joint - positions.joint(f, map.joint(upper)),
                second = positions.joint(f, map.joint(end)) - joint;
    const Vec3d across = first.cross(second);
    hinge.bend_rad.push_back(angle_between(first, second));
    const bool bent = hinge.bend_rad.back() > kHasPlane_rad;
    hinge.flips[f] = bent && !before.isZero() && before.dot(across) < 0.0;
    before = bent ? across : Vec3d(Vec3d::Zero());
  }
  const int h = std::max(1, whole_frames(std::round(kKink_s / studied.clip().frame_time_s())));
  hinge.kink_rad.assign(static_cast<std::size_t>(frames), 0.0);
  for (int f = h; f + h < frames; ++f) {
    hinge.kink_rad[f] = std::abs(hinge.bend_rad[f + h] - 2.0 * hinge.bend_rad[f] + hinge.bend_rad[f - h]);
  }
  return hinge;
}

std::vector<double> observe_ball(const StudiedClip& studied) {
  const ClipPositions& positions = studied.positions();
  std::vector<double> most(static_cast<std::size_t>(positions.frame_count()), 0.0);
  for (const body::FootPoints& foot : body::find_foot_points(studied.skeleton(), studied.map())) {
    if (foot.joint == kNoJoint || foot.toe < 0 || foot.tip < 0) continue;
    std::vector<double> bend;
    for (int f = 0; f < positions.frame_count(); ++f) {
      const Vec3d ball = positions.point(f, foot.toe);
      bend.push_back(angle_between(ball - positions.joint(f, foot.joint), positions.point(f, foot.tip) - ball));
    }
    const double flat = percentile(bend, 0.5);
    for (std::size_t f = 0; f < bend.size(); ++f) most[f] = std::max(most[f], std::abs(bend[f] - flat));
  }
  return most;
}

}  // namespace

BodyMotion observe_body(const StudiedClip& studied) {
  const double dt = studied.clip().frame_time_s();
  BodyMotion motion;
  motion.frame_time_s = dt;
  // A four-legged body is weighed as a human on all fours.
  motion.com_velocity_mps = rate(low_pass(center_of_mass(studied), kComSmoothing_s / dt), dt);
  motion.com_acceleration_mps2 = rate(motion.com_velocity_mps, dt);
  const auto add = [&](const char* name, bool is_knee, Role upper, Role middle, Role end) {
    const body::BodyMap& map = studied.map();
    if (!map.has(upper) || !map.has(middle) || !map.has(end)) return;
    motion.hinges.push_back(observe_hinge(studied, name, is_knee, upper, middle, end));
  };
  add("left knee", true, Role::left_upper_leg, Role::left_lower_leg, Role::left_foot);
  add("right knee", true, Role::right_upper_leg, Role::right_lower_leg, Role::right_foot);
  add("left elbow", false, Role::left_upper_arm, Role::left_lower_arm, Role::left_hand);
  add("right elbow", false, Role::right_upper_arm, Role::right_lower_arm, Role::right_hand);
  motion.ball_bend_rad = observe_ball(studied);
  return motion;
}

BodyFigures measure_body(const BodyMotion& motion, int first, int last) {
  BodyFigures figures;
  const int frames = static_cast<int>(motion.com_acceleration_mps2.size());
  const int edge = whole_frames(std::ceil(3.0 * kComSmoothing_s / motion.frame_time_s));
  first = std::max(first, 0);
  last = std::min(last, frames - 1);
  for (int f = std::max(first, edge); f <= std::min(last, frames - 1 - edge); ++f) {
    const Vec3d &velocity = motion.com_velocity_mps[f], &acceleration = motion.com_acceleration_mps2[f];
    figures.com_speed_mps = std::max(figures.com_speed_mps, std::hypot(velocity.x(), velocity.z()));
    figures.com_acceleration_mps2 =
        std::max(figures.com_acceleration_mps2, std::hypot(acceleration.x(), acceleration.z()));
    figures.com_fall_mps2 = std::max(figures.com_fall_mps2, -acceleration.y());
  }
  double bend = 0.0;
  int bends = 0;
  for (const HingeMotion& hinge : motion.hinges) {
    double& kink = hinge.is_knee ? figures.knee_kink_rad : figures.elbow_kink_rad;
    for (int f = first; f <= last; ++f) {
      kink = std::max(kink, hinge.kink_rad[f]);
      figures.plane_flips += hinge.flips[f];
      if (!hinge.is_knee) continue;
      bend += hinge.bend_rad[f];
      ++bends;
    }
  }
  figures.mean_knee_bend_rad = bends > 0 ? bend / bends : 0.0;
  for (int f = first; f <= last; ++f) figures.ball_bend_rad = std::max(figures.ball_bend_rad, motion.ball_bend_rad[f]);
  return figures;
}

BodyFigures measure_body(const StudiedClip& studied) {
  return measure_body(observe_body(studied), 0, studied.clip().frame_count() - 1);
}

Result<BodyChange> compare_bodies(const BodyMotion& result, const BodyMotion& source) {
  const std::size_t frames = source.com_velocity_mps.size();
  if (result.com_velocity_mps.size() != frames) {
    return fail(ErrorCode::not_possible, "compare_bodies: {} frames, the source has {}; cut or resample first",
                result.com_velocity_mps.size(), frames);
  }
  BodyChange change;
  int bends = 0;
  for (const HingeMotion& hinge : result.hinges) {
    const auto own = std::ranges::find(source.hinges, hinge.name, &HingeMotion::name);
    if (own == source.hinges.end()) continue;
    double& kink = hinge.is_knee ? change.knee_kink_rad : change.elbow_kink_rad;
    for (std::size_t f = 0; f < frames; ++f) {
      kink = std::max(kink, hinge.kink_rad[f] - own->kink_rad[f]);
      if (!hinge.is_knee) continue;
      const double more = hinge.bend_rad[f] - own->bend_rad[f];
      change.knee_change_rad = std::max(change.knee_change_rad, std::abs(more));
      change.mean_knee_change_rad += more;
      ++bends;
    }
  }
  if (bends > 0) change.mean_knee_change_rad /= bends;
  return change;
}

}  // namespace shosa::analysis
