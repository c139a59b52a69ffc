#include <algorithm>
#include <cmath>

#include "segment/footstep_motion.h"
#include "segment/hump.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::segment {
namespace {

// A step this high is taken as one of a flight of stairs in full.
constexpr double kFullStep_m = 0.12;
// How far a foot's way over the ground runs ahead of time (down) or behind it (up).
constexpr double kEarly = 4.0, kLate = 5.0;
// The part of a swing in which its foot rises, or sinks.
constexpr double kUpAndDown = 0.7;
// Over which a leg that would be folded more than in the source begins to keep its foot down.
constexpr double kFoldSoft_m = 0.02;

/// Between samples, by the cubic through their neighbours.
Vec3d path_at_frame(const std::vector<Vec3d>& path, double frame) {
  const int last = static_cast<int>(path.size()) - 1, f = std::clamp(static_cast<int>(frame), 0, last);
  const double x = frame - f;
  const auto at = [&](int i) -> const Vec3d& { return path[std::clamp(i, 0, last)]; };
  const Vec3d m0 = 0.5 * (at(f + 1) - at(f - 1)), m1 = 0.5 * (at(f + 2) - at(f));
  const double x2 = x * x, x3 = x2 * x;
  return (2.0 * x3 - 3.0 * x2 + 1.0) * at(f) + (x3 - 2.0 * x2 + x) * m0 + (3.0 * x2 - 2.0 * x3) * at(f + 1) +
         (x3 - x2) * m1;
}

double share_at(const std::vector<double>& share, double at) {
  const auto i = std::min(static_cast<std::size_t>(at), share.size() - 1), j = std::min(i + 1, share.size() - 1);
  return share[i] + (at - static_cast<double>(i)) * (share[j] - share[i]);
}

}  // namespace

FootstepMotion::Foot FootstepMotion::carried_foot(int which, int frame) const {
  const StandingFoot& own = source_->feet_.feet[which];
  const auto f = static_cast<std::size_t>(frame);
  const int step = source_->step_at_[which][f];
  if (step >= 0) {
    const Carry& carried = carries_[step];
    return {carried * own.place_m[f], carried.tilt * carried.turn * own.turn[f]};
  }
  const auto swing = static_cast<std::size_t>(source_->swing_at_[which][f]);
  Foot out = swing_foot(source_->swings_[swing], which, frame);
  const auto& s = source_->swings_[swing];
  const double x = s.passed(frame);
  for (std::size_t l = 0; l < kLifts; ++l) {
    const Lift& lift = lifts_[swing * kLifts + l];
    if (lift.height_m > 0.0) out.place_m.y() += lift.height_m * hump(x, lift.at);
  }
  return out;
}

FootstepMotion::StepUp FootstepMotion::step_up(const FootstepSource::Swing& swing) const {
  // Where a foot has no stance before or after, it goes with the body's first or last.
  const int first = source_->knots_.front().steps.front(), last = source_->knots_.back().steps.back();
  // One that comes down at the clip's very begin has no time to get anywhere.
  const bool at_once = swing.from < 0 && swing.to >= 0 && !source_->steps_[swing.to].lands;
  const Carry& a = carries_[at_once ? swing.to : (swing.from < 0 ? first : swing.from)];
  const Carry& b = carries_[swing.to < 0 ? last : swing.to];
  StepUp out{&a, &b, (b.to.y() - b.from.y()) - (a.to.y() - a.from.y()), 0.0};
  // A slope has no edge to be cleared.
  const auto level_ground = [](const Quatd& tilt) { return std::abs(tilt.w()) > 1.0 - 1e-9; };
  if (level_ground(a.tilt) && level_ground(b.tilt)) out.much = std::min(1.0, std::abs(out.height_m) / kFullStep_m);
  return out;
}

double FootstepMotion::down_share(int which, int frame) const {
  const int index = source_->swing_at_[which][frame];
  if (index < 0 || source_->swings_[index].to < 0) return 0.0;
  const StepUp step = step_up(source_->swings_[index]);
  return step.height_m < 0.0 ? step.much : 0.0;
}

FootstepMotion::Foot FootstepMotion::swing_foot(const FootstepSource::Swing& swing, int which, int frame) const {
  const StandingFoot& own = source_->feet_.feet[which];
  const auto f = static_cast<std::size_t>(frame);
  const StepUp step = step_up(swing);
  const Carry &a = *step.from, &b = *step.to;
  const double x = swing.share[frame - swing.first];
  const Vec3d& p = own.place_m[f];
  const Quatd turn = (a.tilt * a.turn).slerp(x, b.tilt * b.turn) * own.turn[f];
  if (step.much == 0.0) return {(1.0 - x) * (a * p) + x * (b * p), turn};
  // Up a stair a foot rises before it goes forward, down a stair it goes forward before it sinks: the way over the
  // ground runs late or early against time, by no speed at either end.
  const double much = step.much;
  const double time = static_cast<double>(frame - swing.first) / std::max(1, swing.last - swing.first);
  const double bend = time * time * (1.0 - time) * (1.0 - time);
  const double ground_time = time + (step.height_m < 0.0 ? kEarly : -kLate) * much * bend;
  const double at = ground_time * (swing.last - swing.first);
  const Vec3d q = path_at_frame(own.place_m, swing.first + at);
  const double level = (1.0 - much) * share_at(swing.share, at) + much * minimum_jerk_step(ground_time);
  const double rise =
      (1.0 - much) * x + much * (step.height_m > 0.0 ? minimum_jerk_step(time / kUpAndDown)
                                                     : minimum_jerk_step(1.0 - (1.0 - time) / kUpAndDown));
  const Vec3d qa = a * Vec3d(q.x(), p.y(), q.z()), qb = b * Vec3d(q.x(), p.y(), q.z());
  Foot out{Vec3d((1.0 - level) * qa.x() + level * qb.x(), (1.0 - rise) * qa.y() + rise * qb.y(),
                 (1.0 - level) * qa.z() + level * qb.z()),
           turn};
  if (step.height_m > 0.0 || swing.to < 0) return out;
  // The body sinks ahead of the foot: of what the source lifts it, no more is kept than the source's leg is folded.
  const SourceStep& lands = source_->steps_[swing.to];
  const double flat_m = own.stances[lands.stance].place_m.y() - lands.place_m.y();
  const double tread_m = (1.0 - rise) * a.to.y() + rise * b.to.y();
  const auto& leg = source_->legs_[which][f];
  const Track body = track(frame);
  const Vec3d way = body.hips + body.spin * leg.hip_from_hips - out.place_m;
  const double aside = way.x() * way.x() + way.z() * way.z(), square = leg.ankle_from_hip.squaredNorm();
  const double folded = std::sqrt(std::max(square - aside, kFolded * kFolded * square)) - way.y();
  out.place_m.y() -=
      leg.air * much * std::min(past(folded, kFoldSoft_m), std::max(0.0, out.place_m.y() - tread_m - flat_m));
  return out;
}

template <class Check>
void FootstepMotion::sole_points(int which, int frame, const Foot& foot, const Quatd& toes, const Check& check) const {
  const StandingFoot& own = source_->feet_.feet[which];
  const FootstepSource::Sole& sole = source_->sole_m_[which];
  const Vec3d ball = foot.place_m + foot.turn * own.ball_in_foot;
  check(Vec3d(foot.place_m + foot.turn * own.heel_in_foot), sole.heel);
  check(ball, sole.ball);
  const Quatd world_from_toes = own.toe_local.empty() ? foot.turn : foot.turn * toes * own.toe_local[frame];
  for (const Vec3d& tip : own.tips_in_toes) {
    check(Vec3d((own.toe_local.empty() ? foot.place_m : ball) + world_from_toes * tip), sole.tip);
  }
}

// Adds humps until no point of the sole is below the ground plus the clearance: that asked for in the middle of the
// swing, less toward its ends, and never more than the source's own foot has over level ground.
void FootstepMotion::lift_swing(std::size_t index, int which, const feet::GroundView& terrain, double clearance_m) {
  constexpr double kMost_m = 0.45;
  // Humps rise over no less of the swing than this, so that no foot is torn from the ground.
  constexpr double kHumpFrom = 0.22;
  const auto& swing = source_->swings_[index];
  const StandingFoot& own = source_->feet_.feet[which];
  const int frames = swing.last - swing.first;
  if (frames < 3) return;
  const int lands = swing.to < 0 ? swing.from : swing.to, leaves = swing.from < 0 ? lands : swing.from;
  const double to_y = source_->steps_[lands].place_m.y(), from_y = source_->steps_[leaves].place_m.y();
  for (std::size_t l = 0; l < kLifts; ++l) {
    double worst = 0.0, height = 0.0, at = 0.5;
    for (int f = swing.first + 1; f < swing.last + (swing.to < 0 ? 1 : 0); ++f) {
      const double x = swing.passed(f);
      const auto i = static_cast<std::size_t>(f);
      double room = clearance_m * std::min(1.0, 5.0 * std::min(x, 1.0 - x));
      sole_points(which, f, {own.place_m[i], own.turn[i]}, Quatd::Identity(), [&](const Vec3d& point, double sole) {
        room = std::min(room, point.y() - sole - ((1.0 - x) * from_y + x * to_y));
      });
      room = std::max(room, 0.0);
      double need = 0.0;
      // Heights are those of joints: each may come as near to the ground as it is when the foot is flat.
      const Pitched now = stand(f, Heels::as_wanted).feet[which];
      sole_points(which, f, now.foot, now.toes, [&](const Vec3d& point, double sole) {
        need = std::max(need, terrain(point.x(), point.z()).height_m + sole + room - point.y());
      });
      // What little a hump can do at the very ends is not asked of it.
      const double weight = hump(x, std::clamp(x, kHumpFrom, 1.0 - kHumpFrom));
      if (weight > 0.3 && need > 1e-4 && need > worst) {
        worst = need;
        height = std::min(need / weight, kMost_m);
        at = std::clamp(x, kHumpFrom, 1.0 - kHumpFrom);
      }
    }
    if (worst <= 0.0) return;
    for (std::size_t k = 0; k < l; ++k) height = std::min(height, kMost_m - lifts_[index * kLifts + k].height_m);
    if (height <= 0.0) return;
    lifts_[index * kLifts + l] = {at, height};
  }
}

}  // namespace shosa::segment
