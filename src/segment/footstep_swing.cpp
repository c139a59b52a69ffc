#include <algorithm>
#include <cmath>

#include "segment/hump.h"
#include "shosa/segment/footstep_motion.h"

namespace shosa::segment {

FootstepMotion::Foot FootstepMotion::carried_foot(int which, int frame) const {
  const StandingFoot& own = source_->feet_.feet[static_cast<std::size_t>(which)];
  const auto f = static_cast<std::size_t>(frame);
  const int step = source_->step_at_[static_cast<std::size_t>(which)][f];
  if (step >= 0) {
    const Carry& carried = carries_[static_cast<std::size_t>(step)];
    return {carried * own.place_m[f], carried.tilt * carried.turn * own.turn[f]};
  }
  const auto swing = static_cast<std::size_t>(source_->swing_at_[static_cast<std::size_t>(which)][f]);
  Foot out = swing_foot(source_->swings_[swing], which, frame);
  const auto& s = source_->swings_[swing];
  const double x = static_cast<double>(frame - s.first) / std::max(1, s.last - s.first);
  for (std::size_t l = 0; l < kLifts; ++l) {
    const Lift& lift = lifts_[swing * kLifts + l];
    if (lift.height_m > 0.0) out.place_m.y() += lift.height_m * hump(x, lift.at);
  }
  return out;
}

FootstepMotion::Foot FootstepMotion::swing_foot(const FootstepSource::Swing& swing, int which, int frame) const {
  const StandingFoot& own = source_->feet_.feet[static_cast<std::size_t>(which)];
  const auto f = static_cast<std::size_t>(frame);
  // Where a foot has no stance before or after, it goes with the body's first or last.
  const auto first = static_cast<std::size_t>(source_->knots_.front().steps.front()),
             last = static_cast<std::size_t>(source_->knots_.back().steps.back());
  // One that comes down at the clip's very begin has no time to get anywhere.
  const bool at_once = swing.from < 0 && swing.to >= 0 && !source_->steps_[static_cast<std::size_t>(swing.to)].lands;
  const Carry& a = carries_[at_once ? static_cast<std::size_t>(swing.to)
                                    : (swing.from < 0 ? first : static_cast<std::size_t>(swing.from))];
  const Carry& b = carries_[swing.to < 0 ? last : static_cast<std::size_t>(swing.to)];
  const double x = swing.share[static_cast<std::size_t>(frame - swing.first)];
  const Vec3d& p = own.place_m[f];
  // Up a stair a foot rises before it goes forward, down a stair it goes forward before it sinks. Steps that are
  // shorter than the source's give their surplus up early, so that toes do not run into the riser.
  const double step_up = (b.to.y() - b.from.y()) - (a.to.y() - a.from.y());
  const double bend = 1.0 + 2.0 * std::min(1.0, std::abs(step_up) / 0.12);
  const double y = std::clamp(x, 0.0, 1.0);
  const double early = 1.0 - std::pow(1.0 - y, bend), late = std::pow(y, 0.5 + 0.5 * bend);
  const Vec3d pa = a * p, pb = b * p;
  const double level = step_up == 0.0 ? x : early;
  const double rise = step_up == 0.0 ? x : (step_up > 0.0 ? early : late);
  const Vec3d place((1.0 - level) * pa.x() + level * pb.x(), (1.0 - rise) * pa.y() + rise * pb.y(),
                    (1.0 - level) * pa.z() + level * pb.z());
  return {place, (a.tilt * a.turn).slerp(x, b.tilt * b.turn) * own.turn[f]};
}

template <class Check>
void FootstepMotion::sole_points(int which, int frame, const Foot& foot, const Quatd& toes, const Check& check) const {
  const StandingFoot& own = source_->feet_.feet[static_cast<std::size_t>(which)];
  const FootstepSource::Sole& sole = source_->sole_m_[static_cast<std::size_t>(which)];
  const Vec3d ball = foot.place_m + foot.turn * own.ball_in_foot;
  check(Vec3d(foot.place_m + foot.turn * own.heel_in_foot), sole.heel);
  check(ball, sole.ball);
  const Quatd world_from_toes =
      own.toe_local.empty() ? foot.turn : foot.turn * toes * own.toe_local[static_cast<std::size_t>(frame)];
  for (const Vec3d& tip : own.tips_in_toes) {
    check(Vec3d((own.toe_local.empty() ? foot.place_m : ball) + world_from_toes * tip), sole.tip);
  }
}

// Adds humps until no point of the sole is below the ground plus the clearance: that asked for in the middle of the
// swing, less toward its ends, and never more than the source's own foot has over level ground.
void FootstepMotion::lift_swing(std::size_t index, int which, const Terrain& terrain, double clearance_m) {
  constexpr double kMost_m = 0.45;
  const auto& swing = source_->swings_[index];
  const StandingFoot& own = source_->feet_.feet[static_cast<std::size_t>(which)];
  const int frames = swing.last - swing.first;
  if (frames < 3) return;
  const double from_y = source_->steps_[static_cast<std::size_t>(swing.from)].place_m.y(),
               to_y = source_->steps_[static_cast<std::size_t>(swing.to)].place_m.y();
  for (std::size_t l = 0; l < kLifts; ++l) {
    double worst = 0.0, height = 0.0, at = 0.5;
    for (int f = swing.first + 1; f < swing.last; ++f) {
      const double x = static_cast<double>(f - swing.first) / frames;
      const auto i = static_cast<std::size_t>(f);
      double room = clearance_m * std::min(1.0, 5.0 * std::min(x, 1.0 - x));
      sole_points(which, f, {own.place_m[i], own.turn[i]}, Quatd::Identity(), [&](const Vec3d& point, double sole) {
        room = std::min(room, point.y() - sole - ((1.0 - x) * from_y + x * to_y));
      });
      room = std::max(room, 0.0);
      double need = 0.0;
      // Heights are those of joints: each may come as near to the ground as it is when the foot is flat.
      const Pitched now = stand(f).feet[which];
      sole_points(which, f, now.foot, now.toes, [&](const Vec3d& point, double sole) {
        need = std::max(need, terrain.height_m(point.x(), point.z()) + sole + room - point.y());
      });
      // What little a hump can do at the very ends is not asked of it.
      const double weight = hump(x, std::clamp(x, 0.12, 0.88));
      if (weight > 0.3 && need > 1e-4 && need > worst) {
        worst = need;
        height = std::min(need / weight, kMost_m);
        at = std::clamp(x, 0.12, 0.88);
      }
    }
    if (worst <= 0.0) return;
    for (std::size_t k = 0; k < l; ++k) height = std::min(height, kMost_m - lifts_[index * kLifts + k].height_m);
    if (height <= 0.0) return;
    lifts_[index * kLifts + l] = {at, height};
  }
}

}  // namespace shosa::segment
