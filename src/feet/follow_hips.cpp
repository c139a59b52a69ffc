#include "shosa/feet/follow_hips.h"

#include <algorithm>
#include <span>

#include "feet/feet_problem.h"
#include "shosa/analysis/intervals.h"
#include "shosa/analysis/local_ground.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/rotations.h"

namespace shosa::feet {

namespace {

// The cost reaches over three frames: with so many held on either side the rest of the clip need not be looked at.
constexpr int kHeld = 3;
// Where hips are led, a knee's bend is what that makes of it: what counts is how it changes (60 degrees).
constexpr double kLedKnee_rad = 1.05;
// What the root may be off its lead, for a leg of 0.85 m.
constexpr double kLed_m = 0.002;

class Follow {
 public:
  Follow(const analysis::StudiedClip& captured, const Clip& led, const FollowHipsParams& params)
      : captured_(captured),
        params_(params),
        dt_(led.frame_time_s()),
        from_(std::max(0, params.first - kHeld)),
        count_(std::min(led.frame_count() - 1, params.last + kHeld) - from_ + 1),
        led_(clip_positions(led)) {}

  Result<FollowedHips> solve() {
    const JointIndex root = body::root_joint(captured_.map());
    std::vector<Vec3d> lead_m;
    for (int f = 0; f < count_; ++f) lead_m.push_back(led_.joint(from_ + f, root) - was(f, root));
    // What the root's unknown is counted from: a firm lead, or where the root was.
    const std::vector<Vec3d> origin_m = params_.firm ? lead_m : std::vector<Vec3d>(lead_m.size(), Vec3d::Zero());

    StancePlan plan{.scale = captured_.contacts().scale};
    std::vector<FootMotion> feet;
    for (const JointIndex ankle : params_.ankles) {
      auto foot = observe(ankle, lead_m, origin_m, plan);
      if (!foot) return std::unexpected(foot.error());
      feet.push_back(std::move(*foot));
    }
    const FeetScales scales{.root_m = kLed_m, .rise_m = kLed_m, .knee_rad = kLedKnee_rad};
    FeetProblem problem(std::move(feet), plan, dt_, scales);
    if (!params_.firm) problem.lead_root(std::move(lead_m));
    hold(problem);
    Eigen::VectorXd x = problem.start();
    solve_feet(problem, {}, x);
    return result(problem.feet(), problem.change(x), origin_m);
  }

 private:
  Vec3d was(int frame, JointIndex joint) const { return captured_.positions().joint(from_ + frame, joint); }
  int first() const { return params_.first - from_; }
  int last() const { return params_.last - from_; }

  Result<FootMotion> observe(JointIndex ankle, const std::vector<Vec3d>& lead_m, const std::vector<Vec3d>& origin_m,
                             StancePlan& plan) const {
    const auto& tracks = captured_.contacts().feet;
    const auto track = std::ranges::find(tracks, ankle, [](const auto& foot) { return foot.points.joint; });
    if (track == tracks.end())
      return fail(ErrorCode::not_possible, "follow_hips: '{}' is no foot", captured_.clip().skeleton().name(ankle));
    const auto stretch = cut_frames(captured_.clip(), from_, count_);
    if (!stretch) return std::unexpected(stretch.error());
    FootPlan foot{.points = track->points, .heel_rest_m = track->heel_rest_m};
    // Flat frames tell where the heel is in the foot; their turn is not asked for: heels may rise.
    const auto flat = analysis::interval_intersection(track->heel, track->toe);
    for (int f = 0; f < count_; ++f) {
      if (stands(flat, f)) foot.stances.push_back({.first = f, .last = f, .rotation = Quatd::Identity()});
    }
    auto motion = observe_foot(*stretch, clip_positions(*stretch), foot, plan.scale);
    if (!motion) return motion;
    foot.stances.clear();
    for (int f = 0; f < count_; ++f) {
      const auto k = static_cast<std::size_t>(f);
      motion->hip_m[k] = led_.joint(from_ + f, motion->bones.hip) - lead_m[k] + origin_m[k];
      // What is in the ground was so in the capture.
      const double ground_m = analysis::local_ground_m(*track, (from_ + f) * dt_, captured_.contacts().ground_m);
      foot.ground_m.push_back(
          std::min({ground_m, motion->ball_m[k].y(), motion->ankle_m[k].y(), motion->heel_m[k].y()}));
      const bool led = std::ranges::find(params_.led_feet, ankle, &LedFoot::joint) != params_.led_feet.end();
      if (!led && stands(track->joined, f))
        foot.stances.push_back({.first = f, .last = f, .ball_m = motion->ball_m[k]});
    }
    plan.feet.push_back(std::move(foot));
    return motion;
  }

  bool stands(std::span<const TimeInterval> times, int frame) const {
    return analysis::find_interval(times, (from_ + frame) * dt_) >= 0;
  }

  // Beyond the stretch nothing changes, and feet that are led are where they are led to.
  void hold(FeetProblem& problem) const {
    FeetChange none;
    none.root_m.assign(1, Vec3d::Zero());
    none.feet.assign(params_.ankles.size(), {.ball_m = none.root_m, .turn_rad = none.root_m});
    for (int f = 0; f < count_; ++f) {
      if (f < first() || f > last()) problem.hold(f, none);
    }
    for (const LedFoot& led : params_.led_feet) {
      const auto foot = std::ranges::find(params_.ankles, led.joint) - params_.ankles.begin();
      for (int f = first(); f <= last(); ++f) {
        const Vec3d& shift_m = led.shift_m[static_cast<std::size_t>(f - first())];
        problem.hold_foot(f, static_cast<std::size_t>(foot), shift_m, Vec3d::Zero());
      }
    }
  }

  FollowedHips result(const std::vector<FootMotion>& feet, const FeetChange& change,
                      const std::vector<Vec3d>& origin_m) const {
    FollowedHips out;
    out.ankle_m.resize(feet.size());
    out.rotation.resize(feet.size());
    for (int f = first(); f <= last(); ++f) {
      const auto k = static_cast<std::size_t>(f);
      out.root_m.push_back(origin_m[k] + change.root_m[k]);
      for (std::size_t i = 0; i < feet.size(); ++i) {
        const Quatd turn = exp_rotation(change.feet[i].turn_rad[k]);
        const Vec3d arm = feet[i].ankle_m[k] - feet[i].ball_m[k];
        out.ankle_m[i].push_back(feet[i].ball_m[k] + change.feet[i].ball_m[k] + turn * arm);
        out.rotation[i].push_back(turn * feet[i].rotation[k]);
      }
    }
    return out;
  }

  const analysis::StudiedClip& captured_;
  const FollowHipsParams& params_;
  double dt_;
  int from_, count_;
  ClipPositions led_;
};

Result<void> check(const analysis::StudiedClip& captured, const Clip& led, const FollowHipsParams& params) {
  const int frames = captured.clip().frame_count();
  if (led.frame_count() != frames || led.joint_count() != captured.clip().joint_count()) {
    return fail(ErrorCode::invalid_argument, "follow_hips: {} frames of {} joints are led, the capture has {} of {}",
                led.frame_count(), led.joint_count(), frames, captured.clip().joint_count());
  }
  if (params.first < 0 || params.first > params.last || params.last >= frames) {
    return fail(ErrorCode::invalid_argument, "follow_hips: frames {} to {} of {}, expected a stretch of them",
                params.first, params.last, frames);
  }
  if (const auto feet = captured.needs_feet(); !feet) return std::unexpected(feet.error());
  if (params.ankles.empty()) return fail(ErrorCode::not_possible, "follow_hips: no feet, expected at least one");
  const auto stretch = static_cast<std::size_t>(params.last - params.first) + 1;
  for (const LedFoot& foot : params.led_feet) {
    const bool follows = std::ranges::find(params.ankles, foot.joint) != params.ankles.end();
    if (foot.shift_m.size() == stretch && follows) continue;
    return fail(ErrorCode::invalid_argument,
                "follow_hips: joint {} is led by {} shifts, expected a foot that follows and {}", foot.joint,
                foot.shift_m.size(), stretch);
  }
  return {};
}

}  // namespace

Result<FollowedHips> follow_hips(const analysis::StudiedClip& captured, const Clip& led,
                                 const FollowHipsParams& params) {
  if (const auto ok = check(captured, led, params); !ok) return std::unexpected(ok.error());
  return Follow(captured, led, params).solve();
}

}  // namespace shosa::feet
