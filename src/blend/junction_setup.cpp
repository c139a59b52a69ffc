#include <algorithm>
#include <cmath>
#include <limits>

#include "blend/junction.h"
#include "shosa/analysis/heading.h"
#include "shosa/analysis/intervals.h"
#include "shosa/analysis/local_ground.h"
#include "shosa/core/sampling.h"

namespace shosa::blending {

namespace {

constexpr double kCoast_s = 0.35;           // how long what is left of a velocity may be felt
constexpr double kVelocity_s = 1.0 / 60.0;  // span of a velocity's difference
constexpr double kStanceSearch_s = 0.1;     // around the begin and end of a blend, for a foot at its stillest
constexpr double kMaxFootTurn_rad = 0.6;    // a standing foot is turned no further against its leg; then the body is
constexpr double kMaxBodyTurn_rad = 1.6;    // and the body is turned no further to follow a foot that carries it
constexpr double kLevel_m = 0.03;           // feet stand at the same level when they differ by no more
constexpr double kSwing_s = 0.35;           // of a step whose landing neither motion shows
constexpr int kStanceSamples = 7;

int frames_of(double time_s, double dt) {
  return std::max(1, static_cast<int>(std::lround(time_s / dt)));
}

// A foot of both motions where they can be compared.
struct FootMeeting {
  FootPose previous, next;  ///< The previous one in the world, the next one not yet placed.
  double previous_ground_m = 0.0, next_ground_m = 0.0;
  Vec3d anchor_in_foot_m = Vec3d::Zero();
};

class Setup {
 public:
  Setup(const JunctionInput& input, const TransitionPlan& plan, int min_move)
      : in_(input),
        dt_(input.next.clip.frame_time_s()),
        times_(times_at(input.next, plan.at)),
        world_(input.rig.make_world()) {
    j_.plan = plan;
    const FrameInterval s0 = plan.lower.frames;
    if (plan.choice.method == Method::connection) {
      j_.warp = {static_cast<double>(s0.begin), static_cast<double>(s0.end),
                 static_cast<double>(std::max(plan.choice.previous_move.end, s0.begin + 1)), false};
      if (j_.warp.end_value == j_.warp.end) j_.warp.identity = true;
    }
    j_.feet = plan_feet(plan, in_.previous.times, times_, j_.warp, min_move, frames_of(kSwing_s, dt_));
  }

  Junction make() {
    place();
    finish_feet();
    make_parts();
    set_bounds();
    return std::move(j_);
  }

 private:
  FrameInterval s0() const { return j_.plan.lower.frames; }
  bool adapts() const { return j_.plan.hold.has_value(); }

  FootPose previous_foot(double frame, std::size_t k) {
    in_.previous_pose(frame, pose_);
    in_.rig.world(pose_, world_);
    return in_.rig.foot(pose_, world_, k);
  }
  FootPose next_foot(double frame, std::size_t k, bool placed) {
    motion_pose(in_.next, j_.plan.at, frame, pose_);
    if (placed) blending::place(j_.place, pose_);
    in_.rig.world(pose_, world_);
    return in_.rig.foot(pose_, world_, k);
  }

  template <class FootAt>
  int stillest(FrameInterval window, const FootAt& foot_at) {
    int best = window.begin;
    double least = std::numeric_limits<double>::infinity();
    const int samples = std::min(kStanceSamples, window.length() + 1);
    for (int i = 0; i < samples; ++i) {
      const int f = window.begin + (samples > 1 ? window.length() * i / (samples - 1) : 0);
      const double speed = (foot_at(f + 1).anchor_m - foot_at(f).anchor_m).norm();
      if (speed < least) {
        least = speed;
        best = f;
      }
    }
    return best;
  }

  // Whether the anchor is what the foot stands on at a frame of the grid.
  static bool anchor_stands(const Motion& motion, int at, std::size_t k, double frame) {
    const analysis::FootContactTrack& foot = motion.contacts.feet[k];
    return analysis::find_interval(foot.points.toe >= 0 ? foot.toe : foot.heel,
                                   (frame - at) * motion.clip.frame_time_s()) >= 0;
  }

  // While it is handed over, a foot that stands on its anchor in both motions does not even slide as they do.
  bool lock(std::size_t k) {
    FootPass& pass = j_.feet[k];
    if (pass.previous_until < pass.end || pass.next_from > pass.end || !j_.warp.identity) return false;
    if (!anchor_stands(*in_.previous.motion, in_.previous.at, k, pass.begin) ||
        !anchor_stands(in_.next, j_.plan.at, k, pass.end)) {
      return false;
    }
    pass.lock_begin = pass.begin;
    pass.lock_end = pass.end;
    return true;
  }

  FootMeeting meeting_of_stances(std::size_t k) {
    if (lock(k)) return meeting(k, j_.feet[k].lock_begin, j_.feet[k].lock_end);
    const int around = frames_of(kStanceSearch_s, dt_);
    FrameInterval window{s0().begin, std::min(s0().end, s0().begin + 2 * around)};
    const FootTimes& ours = in_.previous.times.feet[k];
    const FrameInterval* stance = stance_at(ours, s0().begin);
    if (stance == nullptr) {
      for (const FrameInterval& later : ours.standing) {
        if (later.begin >= s0().begin) {
          window = {later.begin, std::min(later.end, later.begin + around)};
          break;
        }
      }
    } else {
      window.end = std::clamp(stance->end - 1, window.begin, window.end);
    }
    const int tp = stillest(window, [&](int f) { return previous_foot(f, k); });

    FrameInterval next_window{s0().end, s0().end};
    if (const FrameInterval* theirs = stance_at(times_.feet[k], s0().end); theirs != nullptr) {
      next_window = {std::max(theirs->begin, s0().end - around), std::min(theirs->end - 1, s0().end + around)};
      if (next_window.length() < 0) next_window = {theirs->begin, theirs->begin};
    } else {
      next_window = {j_.feet[k].next_from, j_.feet[k].next_from};
    }
    const int tn = stillest(next_window, [&](int f) { return next_foot(f, k, false); });
    return meeting(k, tp, tn);
  }

  FootMeeting meeting(std::size_t k, double tp, double tn) {
    FootMeeting m;
    m.previous = previous_foot(tp, k);
    m.next = next_foot(tn, k, false);
    m.anchor_in_foot_m = in_.rig.anchor_in_foot(pose_, k);
    m.previous_ground_m =
        in_.previous_place.shift_m.y() + ground_of(*in_.previous.motion, k, (tp - in_.previous.at) * dt_);
    m.next_ground_m = ground_of(in_.next, k, (tn - j_.plan.at) * dt_);
    return m;
  }

  static double ground_of(const Motion& motion, std::size_t k, double time_s) {
    return analysis::local_ground_m(motion.contacts.feet[k], time_s, motion.contacts.ground_m);
  }

  double previous_heading(double frame) const {
    const auto& headings = in_.previous.motion->headings_rad;
    const int f =
        std::clamp(static_cast<int>(std::lround(frame)) - in_.previous.at, 0, static_cast<int>(headings.size()) - 1);
    return in_.previous_place.yaw_rad + headings[static_cast<std::size_t>(f)];
  }
  double next_heading(int frame) const {
    const int f = std::clamp(frame - j_.plan.at, 0, in_.next.frame_count() - 1);
    return in_.next.headings_rad[static_cast<std::size_t>(f)];
  }

  // Section 4.1, last paragraph: support foot and heading of the body.
  void place() {
    const MethodChoice& choice = j_.plan.choice;
    double tp = s0().begin;
    int tn = s0().end;
    if (choice.method == Method::transition) {
      tn = (std::max(choice.previous_move.begin, choice.next_move.begin) +
            std::min(choice.previous_move.end, choice.next_move.end)) /
           2;
      tp = tn;
    } else if (choice.method == Method::connection) {
      tp = choice.previous_move.end;
    }
    std::vector<FootMeeting> support, landing;
    for (std::size_t k = 0; k < j_.feet.size(); ++k) {
      const FootPass& pass = j_.feet[k];
      if (pass.kind == PassKind::stand) {
        meetings_.push_back(meeting_of_stances(k));
        const bool steps = choice.method == Method::adaptation_with_step && static_cast<int>(k) == choice.foot;
        if (!steps) support.push_back(meetings_.back());
      } else {
        meetings_.push_back({});
        // A foot that both motions stand on until it swings carries the body as well.
        const int lifts = static_cast<int>(pass.begin);
        const double shown = j_.warp.at(pass.begin);
        if (pass.kind == PassKind::swing && static_cast<int>(k) != choice.foot &&
            stance_at(in_.previous.times.feet[k], static_cast<int>(std::lround(shown))) != nullptr &&
            stance_at(times_.feet[k], lifts) != nullptr) {
          support.push_back(meeting(k, shown, lifts));
        }
        if (pass.kind == PassKind::land) landing.push_back(meeting(k, j_.warp.at(pass.end), pass.end));
      }
    }
    if (support.empty()) support = landing;
    if (support.empty() && choice.foot >= 0 && j_.feet[static_cast<std::size_t>(choice.foot)].kind == PassKind::stand) {
      support.push_back(meetings_[static_cast<std::size_t>(choice.foot)]);
    }

    double yaw = previous_heading(tp) - next_heading(tn);
    double excess = 0.0;
    for (const FootMeeting& m : support) {
      const double foot = analysis::wrap_angle(foot_heading_rad(m.previous, m.anchor_in_foot_m) -
                                               foot_heading_rad(m.next, m.anchor_in_foot_m) - yaw);
      excess += adapts() ? foot - std::clamp(foot, -kMaxFootTurn_rad, kMaxFootTurn_rad)
                         : std::clamp(foot, -kMaxBodyTurn_rad, kMaxBodyTurn_rad);
    }
    if (!support.empty()) yaw += excess / static_cast<double>(support.size());
    j_.place.yaw_rad = analysis::wrap_angle(yaw);
    const Quatd turn = j_.place.turn();
    Vec3d shift = Vec3d::Zero();
    for (const FootMeeting& m : support) {
      Vec3d foot = m.previous.anchor_m - turn * m.next.anchor_m;
      foot.y() = m.previous_ground_m - m.next_ground_m;
      shift += foot;
    }
    if (!support.empty()) {
      j_.place.shift_m = shift / static_cast<double>(support.size());
      return;
    }
    // Nothing stands: hips over hips.
    in_.previous_pose(tp, pose_);
    in_.rig.world(pose_, world_);
    const Vec3d before = world_[static_cast<std::size_t>(in_.rig.hips())].position;
    motion_pose(in_.next, j_.plan.at, tn, pose_);
    in_.rig.world(pose_, world_);
    j_.place.shift_m = before - turn * world_[static_cast<std::size_t>(in_.rig.hips())].position;
    j_.place.shift_m.y() =
        in_.previous_place.shift_m.y() + in_.previous.motion->contacts.ground_m - in_.next.contacts.ground_m;
  }

  void finish_feet() {
    for (std::size_t k = 0; k < j_.feet.size(); ++k) {
      FootPass& pass = j_.feet[k];
      if (pass.kind == PassKind::stand) {
        const FootMeeting& m = meetings_[k];
        const Quatd turn = j_.place.turn();
        pass.offset.shift_m = m.previous.anchor_m - (turn * m.next.anchor_m + j_.place.shift_m);
        if (std::abs(pass.offset.shift_m.y()) < kLevel_m) pass.offset.shift_m.y() = 0.0;
        pass.offset.yaw_rad = analysis::wrap_angle(foot_heading_rad(m.previous, m.anchor_in_foot_m) -
                                                   foot_heading_rad(m.next, m.anchor_in_foot_m) - j_.place.yaw_rad);
        pass.next_first = next_foot(pass.next_from, k, true);
        if (pass.lock_end > pass.lock_begin) pass.lock_m = m.previous.anchor_m;
        pass.previous_last = previous_foot(j_.warp.at(std::min<double>(pass.previous_until, pass.end)), k);
        // Outside an adaptation the core is whole again: what is left of an offset goes before it begins.
        const double core = times_.core.begin - 1;
        if (!adapts() && pass.release.end > core) {
          pass.release = {static_cast<double>(s0().begin), std::max<double>(core, s0().begin + 1), 0.0, 0.0};
          if (std::hypot(pass.offset.shift_m.x(), pass.offset.shift_m.z()) > 1e-6) pass.lock_end = pass.lock_begin;
        }
      } else if (pass.kind == PassKind::land) {
        const FootPose before = previous_foot(j_.warp.at(pass.end), k);
        const FootPose after = next_foot(pass.end, k, true);
        pass.landing_shift_m = after.anchor_m - before.anchor_m;
        pass.landing_turn = after.rotation * before.rotation.conjugate();
      }
    }
  }

  Vec3d hips_offset(double frame) const {
    Vec3d sum = Vec3d::Zero();
    for (const FootPass& pass : j_.feet) {
      if (pass.kind == PassKind::stand) sum += pass.offset_at(frame).shift_m;
    }
    return j_.feet.empty() ? sum : Vec3d(sum / static_cast<double>(j_.feet.size()));
  }

  void previous_at(double frame, Pose& pose) { in_.previous_pose(j_.warp.at(frame), pose); }
  void next_at(double frame, Pose& pose) {
    motion_pose(in_.next, j_.plan.at, frame, pose);
    blending::place(j_.place, pose);
  }
  Vec3d hips_of(const Pose& pose) {
    in_.rig.world(pose, world_);
    return world_[static_cast<std::size_t>(in_.rig.hips())].position;
  }

  PartBlend make_part(const BlendInterval& interval, bool lower) {
    PartBlend part;
    part.interval = interval;
    part.a_moves = interval.kind == BlendKind::motion_motion || interval.kind == BlendKind::motion_pose;
    part.b_moves = interval.kind == BlendKind::motion_motion;
    part.span = std::min<double>(interval.frames.length(), frames_of(kCoast_s, dt_));
    for (JointIndex j = 0; j < in_.next.clip.joint_count(); ++j) {
      if (in_.rig.is_lower(j) == lower) part.joints.push_back(j);
    }
    const double h = frames_of(kVelocity_s, dt_);
    const double t0 = interval.frames.begin, t1 = interval.frames.end;
    Pose before, after, b0, a1;
    previous_at(t0, part.a);
    previous_at(t0 - h, before);
    next_at(t1, part.b);
    next_at(t1 + h, after);
    // The other side at each end: where it moves it is not what the pose says.
    next_at(part.b_moves ? t0 : t1, b0);
    previous_at(part.a_moves ? t1 : t0, a1);
    const WeightFunction& w = interval.weight;
    const double length = std::max(w.end - w.begin, 1e-9);
    const double slope0 = w.begin > t0 ? 0.0 : w.slope_begin / length, slope1 = w.slope_end / length;
    const auto hf = static_cast<float>(h);
    for (const JointIndex j : part.joints) {
      const Vec3f leave = turn_rate(before.rotation(j), part.a.rotation(j), hf);
      const Vec3f arrive = turn_rate(part.b.rotation(j), after.rotation(j), hf);
      const Vec3f across0 = turn_rate(part.a.rotation(j), b0.rotation(j), 1.0f);
      const Vec3f across1 = turn_rate(a1.rotation(j), part.b.rotation(j), 1.0f);
      const auto own = [&](bool moves, const Vec3f& rate) -> Vec3f { return moves ? rate : Vec3f(Vec3f::Zero()); };
      part.leave.push_back(leave - own(part.a_moves, leave) - across0 * static_cast<float>(slope0));
      part.arrive.push_back(arrive - own(part.b_moves, arrive) - across1 * static_cast<float>(slope1));
    }
    if (lower) {
      const Vec3d offset0 = hips_offset(t0), offset1 = hips_offset(t1);
      j_.hips_a = hips_of(part.a);
      j_.hips_b = hips_of(part.b) + offset1;
      const Vec3d leave = (j_.hips_a - hips_of(before)) / h;
      const Vec3d arrive = (hips_of(after) + hips_offset(t1 + h) - j_.hips_b) / h;
      const Vec3d across0 = hips_of(b0) + (part.b_moves ? offset0 : offset1) - j_.hips_a;
      const Vec3d across1 = j_.hips_b - hips_of(a1);
      j_.hips_leave = (part.a_moves ? Vec3d(Vec3d::Zero()) : leave) - across0 * slope0;
      j_.hips_arrive = (part.b_moves ? Vec3d(Vec3d::Zero()) : arrive) - across1 * slope1;
    }
    if (!in_.keep_velocities) {
      std::ranges::fill(part.leave, Vec3f(Vec3f::Zero()));
      std::ranges::fill(part.arrive, Vec3f(Vec3f::Zero()));
      j_.hips_leave.setZero();
      j_.hips_arrive.setZero();
    }
    return part;
  }

  void make_parts() {
    j_.lower = make_part(j_.plan.lower, true);
    j_.upper = make_part(j_.plan.upper, false);
  }

  void set_bounds() {
    j_.begin = std::min(j_.plan.lower.frames.begin, j_.plan.upper.frames.begin);
    j_.previous_until = std::max(j_.plan.lower.frames.end, j_.plan.upper.frames.end);
    j_.end = j_.previous_until;
    for (const FootPass& pass : j_.feet) {
      j_.begin = std::min(j_.begin, pass.begin);
      j_.previous_until = std::max(j_.previous_until, pass.end);
      j_.end = std::max(j_.end, pass.end);
      if (pass.kind != PassKind::stand) continue;
      j_.end = std::max({j_.end, pass.release.end, pass.lock_end});
      if (pass.lock_end > pass.lock_begin) j_.begin = std::min(j_.begin, pass.lock_begin);
    }
  }

  const JunctionInput& in_;
  double dt_;
  MotionTimes times_;
  RigWorld world_;
  Pose pose_;
  std::vector<FootMeeting> meetings_;
  Junction j_;
};

}  // namespace

void motion_pose(const Motion& motion, int at, double frame, Pose& pose) {
  const double local = frame - at;
  const int last = motion.frame_count() - 1;
  const double clamped = std::clamp(local, 0.0, static_cast<double>(last));
  if (const double whole = std::floor(clamped); whole == clamped) {
    motion.clip.get_frame(static_cast<int>(whole), pose);
  } else {
    sample(motion.clip, clamped * motion.clip.frame_time_s(), pose);
  }
}

Junction make_junction(const JunctionInput& input, const TransitionPlan& plan, int min_move) {
  return Setup(input, plan, min_move).make();
}

}  // namespace shosa::blending
