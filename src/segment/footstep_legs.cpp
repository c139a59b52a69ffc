#include <algorithm>
#include <cmath>

#include "segment/footstep_motion.h"
#include "segment/frames.h"
#include "segment/path_coefficients.h"
#include "shosa/body/leg_proportions.h"
#include "shosa/core/angles.h"
#include "shosa/core/smooth_steps.h"
#include "shosa/posing/human_ranges.h"

namespace shosa::segment {
namespace {

// Over which legs come to their bound, at most.
constexpr double kLegSoft_m = 0.008;
// What an ankle keeps free of its range, and how far sideways it may come to be off the source.
constexpr double kAnkleMargin_rad = 0.03;
constexpr double kAnkleAside_rad = 0.11;

// Half the time over which the bounds of an ankle are averaged.
constexpr double kSmooth_s = 0.04;

/// A field of a list, averaged over `half` entries to both sides.
template <class T>
void smooth(std::vector<T>& list, double T::*field, int half) {
  const int count = static_cast<int>(list.size());
  std::vector<double> sums(list.size() + 1, 0.0);
  for (std::size_t i = 0; i < list.size(); ++i) sums[i + 1] = sums[i] + list[i].*field;
  for (int i = 0; i < count; ++i) {
    const int reach = std::min({half, i, count - 1 - i});
    const double sum = sums[i + reach + 1] - sums[i - reach];
    list[i].*field = sum / (2 * reach + 1);
  }
}

/// How far the foot may be turned about `axis` (of its own) before it is farther outside its range than it is now, also
/// when it is a little aside.
double room_rad(const posing::JointRange& range, const Quatd& parent_from_foot, const Vec3d& axis, const Vec3d& up) {
  constexpr double kNone_rad = 1e-3;
  double most = 1.5;
  for (const double aside : {-kAnkleAside_rad, 0.0, kAnkleAside_rad}) {
    const auto outside = [&](double turn) {
      const Quatd turned =
          parent_from_foot * Quatd(Eigen::AngleAxisd(aside, up)) * Quatd(Eigen::AngleAxisd(turn, axis));
      return range.nearest(turned.normalized()).correction_rad.norm();
    };
    const double allowed = outside(0.0) + kNone_rad;
    if (outside(most) <= allowed) continue;
    double low = 0.0, high = most;
    for (int i = 0; i < 10; ++i) {
      const double middle = 0.5 * (low + high);
      (outside(middle) <= allowed ? low : high) = middle;
    }
    most = low;
  }
  return most;
}

}  // namespace

// Dorsiflexion: how far the shank leans forward over the flat sole.
double FootstepSource::ankle_rad(int foot, const Quatd& world_from_foot, const Vec3d& ankle_to_knee) const {
  const FootAxes& axes = axes_[foot];
  const Vec3d shank = world_from_foot.conjugate() * ankle_to_knee;
  return std::atan2(shank.dot(axes.forward), shank.dot(axes.up));
}

void FootstepSource::find_legs() {
  const Skeleton& skeleton = clip().skeleton();
  Pose pose;
  WorldPose world;
  legs_.assign(feet_.feet.size(), std::vector<Leg>(static_cast<std::size_t>(clip().frame_count())));
  for (const StandingFoot& foot : feet_.feet) {
    FootAxes axes;
    int longest = -1;
    for (const StillStance& stance : foot.stances) {
      if (stance.flat_last - stance.flat_first <= longest) continue;
      longest = stance.flat_last - stance.flat_first;
      axes.up = stance.turn.conjugate() * Vec3d::UnitY();
      axes.forward = stance.turn.conjugate() * toward(stance.heading_rad);
    }
    axes_.push_back(axes);
  }
  for (int f = 0; f < clip().frame_count(); ++f) {
    clip().get_frame(f, pose);
    forward_kinematics(skeleton, pose, world);
    const auto at = [&](JointIndex j) { return world.positions[j]; };
    for (std::size_t i = 0; i < feet_.feet.size(); ++i) {
      const Limb& limb = *feet_.feet[i].limb;
      const double whole = (at(limb.middle) - at(limb.upper)).norm() + (at(limb.end) - at(limb.middle)).norm();
      Leg& leg = legs_[i][f];
      leg.hip_from_hips = at(limb.upper) - at(body_->hips);
      leg.knee_from_hip = at(limb.middle) - at(limb.upper);
      leg.ankle_from_hip = at(limb.end) - at(limb.upper);
      leg.bend = bend_side(at(limb.upper), at(limb.middle), at(limb.end), world.rotations[limb.upper] * limb.bend);
      leg.foot_turn = world.rotations[limb.end];
      // A leg that stands may get as long as in the source, or as far as legs are led.
      leg.most_m = std::max(std::min(leg.ankle_from_hip.norm(), body::kReach * whole), body::kLedReach * whole);
      leg.soft_m = std::min(kLegSoft_m, 0.5 * (whole - leg.most_m));
      // Until then the source's own bend; `find_ankle_limits` adds the room there is.
      leg.ankle_rad = leg.ankle_least_rad = leg.ankle_most_rad =
          ankle_rad(static_cast<int>(i), world.rotations[limb.end], -(leg.ankle_from_hip - leg.knee_from_hip));
      find_phase(i, f, leg);
    }
  }
  for (Swing& swing : swings_) {
    const int step = swing.to >= 0 ? swing.to : swing.from;
    if (step < 0) continue;
    const auto& legs = legs_[steps_[step].foot];
    if (swing.from >= 0) swing.heel_up_from_rad = legs[swing.first].heel_up_rad;
    if (swing.to >= 0) swing.heel_up_to_rad = legs[swing.last].heel_up_rad;
  }
}

// What the foot does in a frame: weights that come and go smoothly with its stances.
void FootstepSource::find_phase(std::size_t foot, int frame, Leg& leg) const {
  const StandingFoot& own = feet_.feet[foot];
  const auto f = static_cast<std::size_t>(frame);
  const int step = step_at_[foot][f];
  if (step < 0) {
    const Swing& swing = swings_[swing_at_[foot][f]];
    leg.roll = 1.0;
    const double x = static_cast<double>(frame - swing.first) / std::max(1, swing.last - swing.first);
    leg.air =
        (swing.from < 0 ? 1.0 : minimum_jerk_step(x / 0.4)) * (swing.to < 0 ? 1.0 : minimum_jerk_step((1.0 - x) / 0.4));
    leg.free = swing.to < 0 ? 1.0 : minimum_jerk_step((1.0 - x) / 0.4);
    if (swing.from < 0) return;
    leg.toes = 1.0 - minimum_jerk_step(x / 0.3);
    return;
  }
  const StillStance& stance = own.stances[steps_[step].stance];
  const Vec3d sole = own.ball_in_foot - own.heel_in_foot;
  const double length = std::max(sole.norm(), 1e-6);
  const auto rise = [&](const Quatd& turn) { return std::asin(std::clamp((turn * sole).y() / length, -1.0, 1.0)); };
  leg.heel_up_rad = rise(stance.turn) - rise(own.turn[f]);
  // Loads come and go over a third of a stance; stances cut by the clip's ends do not end there.
  int longest = 3;
  for (const StillStance& other : own.stances) longest = std::max(longest, other.last - other.first);
  const double ramp = longest / 3.0;
  const double since = stance.first == 0 ? 1.0 : (frame - stance.first) / ramp;
  const double until = stance.last == clip().frame_count() - 1 ? 1.0 : (stance.last - frame) / ramp;
  leg.load = minimum_jerk_step(std::min(since, until));
  // The roll goes with what the sole itself does between flat and the stance's end.
  const auto roll = [&](int end, int flat) {
    const double whole = rise(stance.turn) - rise(own.turn[end]);
    const double time = static_cast<double>(frame - flat) / (end - flat);
    return std::abs(whole) > 0.05 ? std::clamp(leg.heel_up_rad / whole, 0.0, 1.0) : minimum_jerk_step(time);
  };
  if (frame > stance.flat_last && stance.ball_last == stance.last) {
    leg.roll = roll(stance.last, stance.flat_last);
    const double x = static_cast<double>(frame - stance.flat_last) / (stance.last - stance.flat_last);
    if (stance.last < clip().frame_count() - 1) leg.free = minimum_jerk_step(3.0 * x - 2.0);
  } else if (frame < stance.flat_first && stance.heel_first == stance.first) {
    leg.roll = roll(stance.first, stance.flat_first);
  }
  if (frame >= stance.flat_first) {
    leg.toes = 1.0;
    leg.push = 1.0 - leg.roll;
  }
}

// Ankles may bend as far as their human range goes beyond the source's bend in the same frame: sideways and in twist
// the foot is where the source has it. Bodies without such ranges: as far as the clip shows.
void FootstepSource::find_ankle_limits() {
  const auto ranges = posing::human_ranges(studied_.skeleton(), studied_.map());
  for (std::size_t i = 0; i < feet_.feet.size(); ++i) {
    const JointIndex joint = feet_.feet[i].limb->end;
    const posing::JointRange* range = nullptr;
    if (ranges) {
      const auto found = std::ranges::find(*ranges, joint, &posing::HumanRange::joint);
      if (found != ranges->end()) range = &found->range;
    }
    if (range == nullptr) {
      double least = 10.0, most = -10.0;
      for (const Leg& leg : legs_[i]) {
        least = std::min(least, leg.ankle_least_rad);
        most = std::max(most, leg.ankle_most_rad);
      }
      for (Leg& leg : legs_[i]) {
        leg.ankle_least_rad = least;
        leg.ankle_most_rad = most;
      }
      continue;
    }
    // Toes up turns the foot about its axis to the right.
    const Vec3d axis = axes_[i].forward.cross(axes_[i].up);
    for (int f = 0; f < clip().frame_count(); ++f) {
      const Quatd own = clip().rotation(f, joint).cast<double>();
      Leg& leg = legs_[i][f];
      const auto kept = [](double room) { return std::max(room - kAnkleMargin_rad, 0.5 * room); };
      leg.ankle_most_rad += kept(room_rad(*range, own, axis, axes_[i].up));
      leg.ankle_least_rad -= kept(room_rad(*range, own, -axis, axes_[i].up));
    }
    // Captured feet tremble sideways, and with them what is left for their bend.
    smooth(legs_[i], &Leg::ankle_most_rad, static_cast<int>(kSmooth_s / clip().frame_time_s()));
    smooth(legs_[i], &Leg::ankle_least_rad, static_cast<int>(kSmooth_s / clip().frame_time_s()));
    for (Leg& leg : legs_[i]) {
      leg.ankle_most_rad = std::max(leg.ankle_most_rad, leg.ankle_rad);
      leg.ankle_least_rad = std::min(leg.ankle_least_rad, leg.ankle_rad);
    }
  }
}

}  // namespace shosa::segment
