#include <algorithm>
#include <cmath>
#include <limits>

#include "segment/footstep_motion.h"
#include "segment/hump.h"
#include "segment/path_coefficients.h"
#include "shosa/core/smooth_steps.h"
#include "shosa/solve/smooth_below.h"

namespace shosa::segment {
namespace {

// Over which the hips go down before a leg needs it, and up again; and over which they come up over short steps.
constexpr double kEase_s = 0.16;
constexpr double kFollow_s = 0.05;
// Over which a heel begins to rise early, and stops.
constexpr double kHeel_s = 0.05;
constexpr double kHeelSoft_rad = 0.005;
// A heel that the path counts on to rise under a leg behind the body, of what it can rise at most.
constexpr double kHeelHelps_rad = 0.25;
// A leg may be asked to get longer by this where its foot is let go for the rest.
constexpr double kLetGo_m = 0.004;
constexpr double kHipsSoft_m = 0.008;

}  // namespace

// Where the legs would have the hips over their track. Wish: legs that stand get no shorter than in the source because
// a step is shorter (the mean by load). Most: no leg gets longer than it may.
FootstepMotion::HipsBounds FootstepMotion::hips_bounds(int frame) const {
  HipsBounds out{0.0, 0.02, std::numeric_limits<double>::infinity()};
  const auto f = static_cast<std::size_t>(frame);
  const Track body = track(frame);
  double sum = 0.0;
  for (std::size_t i = 0; i < std::min(kMostFeet, source_->legs_.size()); ++i) {
    const int which = static_cast<int>(i);
    const auto& leg = source_->legs_[i][f];
    const Vec3d hip = body.hips + body.spin * leg.hip_from_hips;
    const Foot carried = carried_foot(which, frame);
    if (leg.load > 0.0) {
      const Vec3d own = source_->hips_m_[f] + leg.hip_from_hips - source_->feet_.feet[i].place_m[f];
      const Vec3d now = hip - carried.place_m;
      const double level = now.x() * now.x() + now.z() * now.z(), square = own.squaredNorm();
      sum += leg.load * past(std::sqrt(std::max(square - level, kFolded * kFolded * square)) - own.y(), kHipsSoft_m);
      out.load += leg.load;
    }
    if (leg.free >= 1.0) continue;
    const Vec3d axis = roll_axis(which, body, carried), forward = axis.cross(Vec3d::UnitY());
    const double behind = minimum_jerk_step((hip - carried.place_m).dot(forward) / (0.25 * leg.most_m));
    const double pitch = lean_rad(which, frame, body, carried, forward) + leg.push * behind * kHeelHelps_rad;
    const Vec3d way = hip - pitched(which, frame, carried, axis, pitch).foot.place_m;
    const double level = way.x() * way.x() + way.z() * way.z(), square = leg.most_m * leg.most_m;
    const double height = std::sqrt(std::max(square - level, 0.09 * square));
    out.most_m = std::min(out.most_m, height - way.y() + kLetGo_m * leg.free / (1.0 - leg.free));
  }
  out.wish_m = sum / out.load;
  return out;
}

// The hips' height over the track: what the wish comes to smoothly, and on top of it the smoothest way down that no leg
// is too short for. The first `kept` frames stay; the rest goes on from their place and speed.
void FootstepMotion::plan_hips(int kept) {
  const auto count = rise_m_.size();
  std::vector<double> weight(count), target(count), most(count), path(count);
  for (std::size_t f = 0; f < count; ++f) {
    const HipsBounds bounds = hips_bounds(static_cast<int>(f));
    weight[f] = bounds.load;
    target[f] = bounds.wish_m;
    most[f] = bounds.most_m;
    path[f] = rise_m_[f] - wish_m_[f];
  }
  const double frames_per_s = 1.0 / source_->clip().frame_time_s();
  solve::smooth_below({weight, target, {}, std::pow(kFollow_s * frames_per_s, 4), kept}, wish_m_);
  for (std::size_t f = 0; f < count; ++f) {
    weight[f] = 1.0;
    target[f] = 0.0;
    most[f] -= wish_m_[f];
  }
  solve::smooth_below({weight, target, most, std::pow(kEase_s * frames_per_s, 4), kept}, path);
  for (auto f = static_cast<std::size_t>(kept); f < count; ++f) rise_m_[f] = wish_m_[f] + path[f];
}

// Heels rise (or come down) at least as far as they must, and smoothly; re-planned as the hips are.
void FootstepMotion::plan_heels(int kept) {
  const auto count = rise_m_.size();
  const double stiffness = std::pow(kHeel_s / source_->clip().frame_time_s(), 4);
  std::vector<double> weight(count, 1.0), target(count), wanted(count);
  for (std::size_t i = 0; i < std::min(kMostFeet, heel_rad_.size()); ++i) {
    for (std::size_t f = 0; f < count; ++f) wanted[f] = wanted_heel_rad(static_cast<int>(i), static_cast<int>(f));
    // Up and down each by itself, as what `smooth_below` bounds from above.
    for (const double way : {1.0, -1.0}) {
      for (std::size_t f = 0; f < count; ++f) {
        const double wish = std::max(way * wanted[f], 0.0);
        target[f] = -wish - std::min(wish, kHeelSoft_rad);
      }
      solve::smooth_below({weight, target, target, stiffness, kept, 0.2 * kHeelSoft_rad},
                          heel_paths_rad_[2 * i + (way > 0.0 ? 0 : 1)]);
    }
    for (auto f = static_cast<std::size_t>(kept); f < count; ++f) {
      heel_rad_[i][f] =
          past(-heel_paths_rad_[2 * i][f], kHeelSoft_rad) - past(-heel_paths_rad_[2 * i + 1][f], kHeelSoft_rad);
    }
  }
}

}  // namespace shosa::segment
