#include "shosa/feet/place_feet.h"

#include <algorithm>
#include <cmath>

#include "feet/feet_problem.h"
#include "feet/toes.h"
#include "shosa/core/parallel.h"
#include "shosa/feet/apply_change.h"

namespace shosa::feet {

namespace {

Result<void> check(const Clip& clip, const StancePlan& plan, const PlaceFeetParams& params) {
  const FeetScales& s = params.scales;
  for (const double scale :
       {s.root_m, s.rise_m, s.root_jerk_mps3, s.swing_m, s.swing_jerk_mps3, s.turn_rad, s.turn_rate_radps2, s.knee_rad,
        s.knee_rate_radps2, s.straight_rad, s.below_m, s.heel_m, s.tip_m, s.push_mps2, s.fall_mps2}) {
    if (!(scale > 0.0)) return fail(ErrorCode::invalid_argument, "place_feet: a scale of {}, expected > 0", scale);
  }
  if (params.max_steps < 1 || !(params.converged > 0.0)) {
    return fail(ErrorCode::invalid_argument, "place_feet: {} steps to a share of {}, expected >= 1 and > 0",
                params.max_steps, params.converged);
  }
  if (plan.feet.empty() || !(plan.scale > 0.0)) {
    return fail(ErrorCode::not_possible, "place_feet: a plan of {} feet and scale {}, expected >= 1 and > 0",
                plan.feet.size(), plan.scale);
  }
  for (const FootPlan& foot : plan.feet) {
    if (foot.ground_m.size() != static_cast<std::size_t>(clip.frame_count())) {
      return fail(ErrorCode::invalid_argument,
                  "place_feet: {} grounds under the {} foot, expected one for each of {} frames", foot.ground_m.size(),
                  foot.points.name, clip.frame_count());
    }
    for (const Stance& stance : foot.stances) {
      if (stance.first >= 0 && stance.first <= stance.last && stance.last < clip.frame_count()) continue;
      return fail(ErrorCode::invalid_argument,
                  "place_feet: a stance of the {} foot from frame {} to {}, the clip has {}", foot.points.name,
                  stance.first, stance.last, clip.frame_count());
    }
  }
  return {};
}

// The joint whose translation moves the body: the hips, or what carries them.
Result<JointIndex> moving_joint(const Clip& clip, const body::BodyMap& map) {
  const JointIndex start = body::root_joint(map);
  for (JointIndex j = start; j != kNoJoint; j = clip.skeleton().parent(j)) {
    if (clip.is_translated(j)) return j;
  }
  return fail(ErrorCode::not_possible, "place_feet: the translation of '{}' does not vary in this clip",
              clip.skeleton().name(start == kNoJoint ? 0 : start));
}

/// One frame of a clip: only what moves is written back.
void apply(const FeetChange& change, std::span<const ChangedLeg> legs, JointIndex mover, int frame, WorldPose& world,
           Pose& pose, std::vector<BallChange>& balls, Clip& clip) {
  clip.get_frame(frame, pose);
  for (std::size_t i = 0; i < legs.size(); ++i) {
    balls[i] = {change.feet[i].ball_m[frame], change.feet[i].turn_rad[frame]};
  }
  apply_change(clip.skeleton(), mover, legs, change.root_m[frame], balls, world, pose);
  clip.set_translation(frame, mover, pose.translation(mover));
  for (const ChangedLeg& leg : legs) {
    for (const JointIndex joint : {leg.bones.hip, leg.bones.knee, leg.bones.ankle}) {
      clip.set_rotation(frame, joint, pose.rotation(joint));
    }
  }
}

void measure(const ClipPositions& before, const ClipPositions& after, const StancePlan& plan, PlacedFeet& result) {
  double sum = 0.0;
  for (int f = 0; f < before.frame_count(); ++f) {
    for (JointIndex j = 0; j < before.joint_count(); ++j) {
      const double change = (after.joint(f, j) - before.joint(f, j)).norm();
      sum += change;
      result.max_joint_change_m = std::max(result.max_joint_change_m, change);
    }
  }
  result.mean_joint_change_m = sum / (static_cast<double>(before.frame_count()) * before.joint_count());
  for (const FootPlan& foot : plan.feet) {
    const int ball = foot.points.toe >= 0 ? foot.points.toe : foot.points.joint;
    for (const Stance& stance : foot.stances) {
      for (int f = stance.first; f <= stance.last && stance.ball_m; ++f) {
        Vec3d miss = after.point(f, ball) - *stance.ball_m;
        if (stance.rises) miss.y() = 0.0;
        const double error = miss.norm();
        if (error <= result.max_foot_error_m) continue;
        result.max_foot_error_m = error;
        result.worst_frame = f;
      }
    }
  }
}

}  // namespace

Result<PlacedFeet> place_feet(const Clip& clip, const body::BodyMap& map, const StancePlan& plan,
                              const PlaceFeetParams& params) {
  if (const auto checked = check(clip, plan, params); !checked) return std::unexpected(checked.error());
  const Result<JointIndex> mover = moving_joint(clip, map);
  if (!mover) return std::unexpected(mover.error());
  const ClipPositions positions = clip_positions(clip);
  std::vector<FootMotion> feet;
  std::vector<ChangedLeg> legs;
  std::vector<std::optional<Toes>> toes;
  for (const FootPlan& foot : plan.feet) {
    auto observed = observe_foot(clip, positions, foot, plan.scale);
    if (!observed) return std::unexpected(observed.error());
    toes.push_back(observe_toes(clip, foot));
    if (toes.back()) observed->toes = every_bend(clip, *toes.back());
    legs.push_back({observed->bones, foot.points.toe >= 0 ? foot.points.toe : foot.points.joint});
    feet.push_back(std::move(*observed));
  }

  FeetProblem problem(std::move(feet), plan, clip.frame_time_s(), params.scales);
  PlacedFeet result{clip};
  Eigen::VectorXd x = problem.start();
  FeetChange change;
  const auto solve = [&] {
    result.report = solve_feet(problem, params, x);
    change = problem.change(x);
    result.clip = clip;
    parallel_for(static_cast<std::size_t>(clip.frame_count()), 64, [&](std::size_t begin, std::size_t end) {
      WorldPose world;
      Pose pose;
      std::vector<BallChange> balls(legs.size());
      for (std::size_t f = begin; f < end; ++f) {
        apply(change, legs, *mover, static_cast<int>(f), world, pose, balls, result.clip);
      }
    });
  };
  const auto bends_of = [&](std::size_t foot, const ToeBends* before) {
    return find_bends(clip, plan.feet[foot], *toes[foot], params.scales, plan.scale, result.clip, before);
  };
  solve();
  std::vector<ToeBends> bends(plan.feet.size());
  bool again = false;
  for (std::size_t i = 0; i < plan.feet.size(); ++i) {
    if (!toes[i]) continue;
    bends[i] = bends_of(i, nullptr);
    again = problem.hold_toes(i, bends[i]) || again;
  }
  if (again) {
    solve();
    for (std::size_t i = 0; i < plan.feet.size(); ++i) {
      if (toes[i]) bends[i] = bends_of(i, &bends[i]);
    }
  }
  for (std::size_t i = 0; i < plan.feet.size(); ++i) {
    if (toes[i]) bend_toes(*toes[i], bends[i], result.clip);
  }
  for (const Vec3d& root : change.root_m) result.max_root_change_m = std::max(result.max_root_change_m, root.norm());
  measure(positions, clip_positions(result.clip), plan, result);
  return result;
}

}  // namespace shosa::feet
