#include <algorithm>
#include <cmath>

#include "blend/bridge.h"
#include "blend/constants.h"
#include "blend/placement.h"
#include "shosa/core/sampling.h"
#include "shosa/core/smooth_steps.h"

namespace shosa::blend {

namespace {

constexpr double kCoast_s = 0.35;       // how long what is left of a velocity may be felt
constexpr double kBridgeCoast_s = 0.6;  // the same over a bridge: joints that swing on further overshoot
constexpr double kBridgeRise_s = 1.0;   // of the hips' rise and fall over a bridge
constexpr double kHurry_mps = 1.5;      // hips that would change over faster take the time of the swing
constexpr double kPull_s = 0.06;        // half the span over which a pull of the hips is smoothed
constexpr double kMostHaste = 1.6;      // of a move that is shortened
constexpr double kStepSwing_s = 0.35;   // of a step whose landing neither motion shows

int frames_of(double time_s, double dt) {
  return std::max(1, static_cast<int>(std::lround(time_s / dt)));
}

class Setup {
 public:
  Setup(const JunctionInput& input, const TransitionPlan& plan, int min_move)
      : in_(input), dt_(input.next.clip().frame_time_s()), world_(input.rig.make_world()) {
    j_.plan = plan;
    const FrameInterval s0 = j_.plan.lower.frames;
    if (plan.choice.method == JoinMethod::connection) {
      // A move that takes much longer than there is time does not land: its foot changes over in the air.
      const double lands = std::min<double>(plan.choice.previous_move.end, s0.begin + kMostHaste * s0.length());
      j_.warp = {static_cast<double>(s0.begin), static_cast<double>(s0.end), std::max(lands, s0.begin + 1.0), false};
      if (j_.warp.end_value == j_.warp.end) j_.warp.identity = true;
    }
    SourceFeet feet(in_, j_);
    if (j_.is_bridge()) {
      j_.feet.resize(feet.next_times().feet.size());
      bridge_feet(feet, j_);
      return;
    }
    j_.feet =
        plan_feet(j_.plan, in_.previous.times, feet.next_times(), j_.warp, min_move, frames_of(kStepSwing_s, dt_));
    coast_feet(feet, j_);
    if (in_.keep_velocities) hold_feet(feet, j_);
    const std::vector<FootMeeting> meetings = place_next(feet, j_);
    finish_feet(feet, meetings, j_);
  }

  Junction make() {
    find_grounds();
    make_parts();
    set_bounds();
    if (in_.keep_velocities) smooth_pull();
    return std::move(j_);
  }

 private:
  void find_grounds() {
    const SourceFeet feet(in_, j_);
    for (std::size_t k = 0; k < j_.feet.size(); ++k) {
      j_.feet[k].previous_ground_m = feet.previous_ground_m(j_.warp.at(j_.feet[k].begin), k);
      j_.feet[k].next_ground_m = j_.place.shift_m.y() + feet.next_ground_m(j_.feet[k].end, k);
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
    move_posture(j_.place, pose);
  }
  Vec3d hips_of(const Pose& pose) {
    in_.rig.world(pose, world_);
    return world_[in_.rig.hips()].position;
  }

  PartBlend make_part(const BlendInterval& interval, bool lower) {
    PartBlend part;
    part.interval = interval;
    part.a_moves = interval.kind == BlendKind::motion_motion || interval.kind == BlendKind::motion_pose;
    part.b_moves = interval.kind == BlendKind::motion_motion;
    // Over a bridge nothing else is known: with the whole length it is the cubic of both ends' places and velocities.
    // Joints do not swing on for longer than `kBridgeCoast_s`; the hips do, over the ground.
    const double coast_s = j_.is_bridge() ? kBridgeCoast_s : kCoast_s;
    part.span = std::min<double>(interval.frames.length(), frames_of(coast_s, dt_));
    // A pose in between that survives is not touched, where there is time enough after it.
    if (const double rest = interval.weight.end - interval.weight.begin;
        rest >= 2.0 / 3.0 * frames_of(kStepSwing_s, dt_)) {
      part.span = std::min(part.span, rest);
    }
    if (lower) {
      time_hips(interval);
      const double length = interval.frames.length();
      j_.hips.level_span = j_.is_bridge() ? length : part.span;
      j_.hips.rise_span = j_.is_bridge() ? std::min<double>(length, frames_of(kBridgeRise_s, dt_)) : part.span;
    }
    for (JointIndex j = 0; j < in_.next.clip().joint_count(); ++j) {
      if (in_.rig.is_lower(j) == lower) part.joints.push_back(j);
    }
    const double h = frames_of(kDifference_s, dt_);
    const double t0 = interval.frames.begin, t1 = interval.frames.end;
    Pose before, after, b0, a1;
    previous_at(t0, part.a);
    previous_at(t0 - h, before);
    next_at(t1, part.b);
    next_at(t1 + h, after);
    // The other side at each end: where it moves it is not what the pose says.
    next_at(part.b_moves ? t0 : t1, b0);
    previous_at(part.a_moves ? t1 : t0, a1);
    Pose a_half, b_half;
    previous_at(part.a_moves ? 0.5 * (t0 + t1) : t0, a_half);
    next_at(part.b_moves ? 0.5 * (t0 + t1) : t1, b_half);
    const WeightFunction& w = interval.weight;
    const double length = std::max(w.end - w.begin, 1e-9);
    const double slope0 = w.begin > t0 ? 0.0 : w.slope_begin / length, slope1 = w.slope_end / length;
    const auto hf = static_cast<float>(h);
    for (const JointIndex j : part.joints) {
      Quatf between = a_half.rotation(j).conjugate() * b_half.rotation(j);
      if (between.w() < 0.0f) between.coeffs() = -between.coeffs();
      part.between.push_back(between);
      const Vec3f leave = turn_rate(before.rotation(j), part.a.rotation(j), hf);
      const Vec3f arrive = turn_rate(part.b.rotation(j), after.rotation(j), hf);
      const Vec3f across0 = turn_rate(part.a.rotation(j), b0.rotation(j), 1.0f);
      const Vec3f across1 = turn_rate(a1.rotation(j), part.b.rotation(j), 1.0f);
      const auto own = [&](bool moves, const Vec3f& rate) -> Vec3f { return moves ? rate : Vec3f(Vec3f::Zero()); };
      part.leave.push_back(leave - own(part.a_moves, leave) - across0 * static_cast<float>(slope0));
      part.arrive.push_back(arrive - own(part.b_moves, arrive) - across1 * static_cast<float>(slope1));
    }
    if (lower) {
      const bool own_time = j_.hips.begin != t0 || j_.hips.end != t1;
      const Vec3d offset0 = hips_offset(t0), offset1 = hips_offset(t1);
      j_.hips.a = hips_of(part.a);
      j_.hips.b = hips_of(part.b) + offset1;
      const Vec3d leave = (j_.hips.a - hips_of(before)) / h;
      const Vec3d arrive = (hips_of(after) + hips_offset(t1 + h) - j_.hips.b) / h;
      const Vec3d across0 = hips_of(b0) + (part.b_moves ? offset0 : offset1) - j_.hips.a;
      const Vec3d across1 = j_.hips.b - hips_of(a1);
      j_.hips.leave = (part.a_moves ? Vec3d(Vec3d::Zero()) : leave) - across0 * (own_time ? 0.0 : slope0);
      j_.hips.arrive = (part.b_moves ? Vec3d(Vec3d::Zero()) : arrive) - across1 * (own_time ? 0.0 : slope1);
      j_.hips.span =
          own_time ? std::min(j_.hips.end - j_.hips.begin, static_cast<double>(frames_of(kCoast_s, dt_))) : part.span;
    }
    if (!in_.keep_velocities) {
      std::ranges::fill(part.leave, Vec3f(Vec3f::Zero()));
      std::ranges::fill(part.arrive, Vec3f(Vec3f::Zero()));
      j_.hips.leave.setZero();
      j_.hips.arrive.setZero();
    }
    return part;
  }

  // When the hips change over: with the lower body; over the swing of the foot that both motions move where they would
  // have to hurry, because one body is faster than the other.
  void time_hips(const BlendInterval& lower) {
    j_.hips.begin = lower.frames.begin;
    j_.hips.end = lower.frames.end;
    j_.hips.weight = lower.weight;
    if (!in_.keep_velocities || j_.plan.choice.method != JoinMethod::transition) return;
    const double middle = 0.5 * (j_.hips.begin + j_.hips.end);
    Pose pose;
    previous_at(middle, pose);
    const Vec3d previous_m = hips_of(pose);
    next_at(middle, pose);
    if ((hips_of(pose) - previous_m).norm() < kHurry_mps * lower.frames.length() * dt_) return;
    const FootPass& pass = j_.feet[j_.plan.choice.foot];
    j_.hips.begin = std::min(j_.hips.begin, std::max<double>(pass.begin, j_.plan.at));
    j_.hips.end = std::max(j_.hips.end, std::min<double>(pass.end, in_.previous.times.end));
    j_.hips.weight = {j_.hips.begin, j_.hips.end, 0.0, 0.0};
  }

  // What is between the blend and the source that it leaves (reaches), `s` frames after the begin (before the end), is
  // E(s) = k s^2 / 2 + O(s^3); two samples give k without the cubic term.
  void bend_hips() {
    const double h = std::min<double>(frames_of(kDifference_s, dt_), 0.25 * (j_.hips.end - j_.hips.begin));
    Pose pose;
    const auto apart = [&](double frame, bool at_begin) {
      previous_at(frame, pose);
      const Vec3d previous_m = hips_of(pose);
      next_at(frame, pose);
      const Vec3d next_m = hips_of(pose) + hips_offset(frame);
      return Vec3d((at_begin ? previous_m : next_m) - j_.hips.at(frame, j_.lower, previous_m, next_m));
    };
    const double t0 = j_.hips.begin, t1 = j_.hips.end;
    const Vec3d begin = (8.0 * apart(t0 + h, true) - apart(t0 + 2.0 * h, true)) / (2.0 * h * h);
    const Vec3d end = (8.0 * apart(t1 - h, false) - apart(t1 - 2.0 * h, false)) / (2.0 * h * h);
    j_.hips.bend_begin = begin;
    j_.hips.bend_end = end;
  }

  void make_parts() {
    j_.lower = make_part(j_.plan.lower, true);
    if (in_.keep_velocities && !j_.is_bridge()) bend_hips();
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
      if (pass.previous_hold.active()) j_.begin = std::min(j_.begin, pass.previous_hold.first_frame());
      if (pass.next_hold.active()) j_.end = std::max(j_.end, pass.next_hold.last_frame());
      if (pass.kind != PassKind::stand) continue;
      if (!j_.is_bridge()) {
        j_.begin = std::min(j_.begin, pass.turn_begin);
        j_.end = std::max(j_.end, pass.turn_end);
      }
      j_.end = std::max(j_.end, pass.release.end);
    }
  }

  // What the legs ask for frame by frame, smoothed; what they then still ask for, smoothed and added, and so on.
  void smooth_pull() {
    constexpr int kRounds = 4, kMostFrames = 1000;
    const double first = std::ceil(j_.begin);
    if (!(j_.end - first < kMostFrames) || j_.end - first < 2.0) return;
    const auto count = static_cast<std::size_t>(std::floor(j_.end) - first) + 1;
    const int half = frames_of(kPull_s, dt_);
    JunctionScratch scratch{
        .next_world = in_.rig.make_world(), .previous_world = in_.rig.make_world(), .out_world = in_.rig.make_world()};
    Pose out;
    std::vector<LegAsks> asks(count);
    for (std::size_t i = 0; i < count; ++i) {
      const double frame = first + static_cast<double>(i);
      if (frame <= j_.begin || frame >= j_.end) continue;
      next_at(frame, scratch.next);
      if (frame < j_.previous_until) previous_at(frame, scratch.previous);
      evaluate_feet(j_, in_.rig, frame, scratch, out);
      asks[i] = scratch.asks;
    }
    std::vector<double> kernel(static_cast<std::size_t>(2 * half + 1));
    double weights = 0.0;
    for (int k = -half; k <= half; ++k) {
      const double x = k / (half + 1.0), rest = 1.0 - x * x;
      weights += kernel[k + half] = rest * rest * rest;
    }
    for (double& weight : kernel) weight /= weights;
    std::vector<Vec3d> asked(count, Vec3d::Zero()), sum(count, Vec3d::Zero());
    for (int round = 0; round < kRounds; ++round) {
      double most = 0.0;
      for (std::size_t i = 0; i < count; ++i) {
        asked[i] = drawn_along(asks[i], sum[i]) - sum[i];
        most = std::max(most, asked[i].norm());
      }
      if (most < 1e-4) break;
      for (std::size_t i = 0; i < count; ++i) {
        Vec3d mean = Vec3d::Zero();
        for (int k = -half; k <= half; ++k) {
          const double weight = kernel[k + half];
          const auto at = static_cast<std::ptrdiff_t>(i) + k;
          if (at >= 0 && at < static_cast<std::ptrdiff_t>(count)) mean += weight * asked[at];
        }
        const double from_end = std::min(static_cast<double>(i), static_cast<double>(count - 1 - i)) / half;
        sum[i] += mean * minimum_jerk_step(from_end);
      }
    }
    j_.pull = {first, std::move(sum), true};
  }

  const JunctionInput& in_;
  double dt_;
  RigWorld world_;
  Junction j_;
};

}  // namespace

void motion_pose(const Motion& motion, int at, double frame, Pose& pose) {
  const double local = frame - at;
  const int last = motion.frame_count() - 1;
  const double clamped = std::clamp(local, 0.0, static_cast<double>(last));
  if (const double whole = std::floor(clamped); whole == clamped) {
    motion.clip().get_frame(static_cast<int>(whole), pose);
  } else {
    sample(motion.clip(), clamped * motion.clip().frame_time_s(), pose);
  }
}

Junction make_junction(const JunctionInput& input, const TransitionPlan& plan, int min_move) {
  return Setup(input, plan, min_move).make();
}

}  // namespace shosa::blend
