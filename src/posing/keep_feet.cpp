#include "shosa/posing/keep_feet.h"

#include <algorithm>
#include <cmath>

#include "posing/foot_path.h"
#include "posing/leg_bend.h"
#include "posing/root_path.h"
#include "posing/toe_lift.h"
#include "shosa/core/parallel.h"
#include "shosa/core/tree_paths.h"
#include "shosa/posing/pin_drag_solver.h"

namespace shosa::posing {

namespace {

using analysis::FootContacts;
using analysis::FootContactTrack;

// The solver's own time has no meaning here: every step takes the whole remaining error.
constexpr double kWholeStep_s = 1.0;
// Of a turn against the wish to keep the source's: small, so that few steps lead to the end.
constexpr double kStiffness = 0.02;
// Feet follow the legs and the root the feet.
constexpr int kRounds = 2;
constexpr double kRootLocked = 1e12;

Result<void> check(const Clip& clip, const FootContacts& contacts, const KeepFeetParams& params) {
  if (!(params.foot_span_s > 0.0) || !(params.root_span_s > 0.0) || !(params.envelope_s > 0.0)) {
    return fail(ErrorCode::invalid_argument, "keep_feet: spans of {}, {} and {} s, expected positive ones",
                params.foot_span_s, params.root_span_s, params.envelope_s);
  }
  if (!(params.reach > 0.0) || params.reach > 1.0) {
    return fail(ErrorCode::invalid_argument, "keep_feet: reach {}, expected a share in (0, 1]", params.reach);
  }
  if (!(params.max_sink_m >= 0.0) || params.max_steps < 1) {
    return fail(ErrorCode::invalid_argument, "keep_feet: sink {} m and {} steps, expected >= 0 and >= 1",
                params.max_sink_m, params.max_steps);
  }
  if (!(params.still_mps >= 0.0) || !(params.ease_s >= 0.0) || !(params.ease_share >= 0.0 && params.ease_share < 0.5)) {
    return fail(ErrorCode::invalid_argument,
                "keep_feet: still_mps {}, ease_s {} and ease_share {}, expected >= 0, >= 0 and in [0, 0.5)",
                params.still_mps, params.ease_s, params.ease_share);
  }
  if (contacts.feet.empty()) return fail(ErrorCode::not_possible, "keep_feet: the contacts have no feet");
  for (const FootContactTrack& foot : contacts.feet) {
    const auto& points = foot.points;
    if (points.joint < 0 || points.joint >= clip.joint_count() || points.limb == kNoJoint ||
        joint_chain(clip.skeleton(), points.limb, points.joint).size() < 2) {
      return fail(ErrorCode::not_possible, "keep_feet: the {} foot does not hang on its leg, so no leg can lead it",
                  points.name);
    }
  }
  return {};
}

// The joint whose translation moves the body: the hips, or what carries them.
Result<JointIndex> moving_joint(const Clip& clip, const body::BodyMap& map) {
  const JointIndex start = root_joint(map);
  for (JointIndex j = start; j != kNoJoint; j = clip.skeleton().parent(j)) {
    if (clip.is_translated(j)) return j;
  }
  return fail(ErrorCode::not_possible, "keep_feet: the translation of '{}' does not vary in this clip",
              clip.skeleton().name(start == kNoJoint ? 0 : start));
}

struct Plan {
  std::vector<SourceFoot> sources;
  std::vector<FootPath> feet;
  std::vector<LegReach> legs;
  std::vector<TwoBones> bones;
  std::vector<Vec3d> root_m;
};

Plan make_plan(const Clip& clip, const ClipPositions& positions, const FootContacts& contacts,
               const KeepFeetParams& params) {
  Plan plan;
  const double dt = clip.frame_time_s();
  for (const FootContactTrack& foot : contacts.feet) {
    plan.sources.push_back(source_foot(clip, positions, foot.points));
    plan.feet.push_back(
        plan_foot(plan.sources.back(), foot, contacts.ground_m, contacts.scale, dt, params, nullptr, {}));
    LegReach leg;
    for (int f = 0; f < clip.frame_count(); ++f) {
      leg.hip_m.push_back(positions.joint(f, foot.points.limb));
      // Bones of some files change their length; the longest posture counts.
      leg.length_m = std::max(leg.length_m,
                              chain_length_m(clip.skeleton(), positions.frame(f), foot.points.limb, foot.points.joint));
    }
    plan.legs.push_back(std::move(leg));
    plan.bones.push_back({.hip = foot.points.limb, .knee = foot.points.knee, .ankle = foot.points.joint});
    std::vector<Vec3d> ahead;
    for (std::size_t f = 0; f < plan.sources.back().anchor_m.size(); ++f) {
      Vec3d toward = plan.sources.back().anchor_m[f] - plan.sources.back().path.ankle_m[f];
      toward.y() = 0.0;
      ahead.push_back(toward.norm() > 1e-6 ? Vec3d(toward.normalized()) : Vec3d(Vec3d::Zero()));
    }
    plan.bones.back().flexion_axis = find_flexion_axis(clip, plan.bones.back(), ahead);
  }
  plan.root_m = plan_root(plan.sources, plan.feet, plan.legs, dt, params);
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t k = 0; k < plan.feet.size(); ++k) {
      plan.feet[k] = plan_foot(plan.sources[k], contacts.feet[k], contacts.ground_m, contacts.scale, dt, params,
                               &plan.feet[k], plan.root_m);
    }
    plan.root_m = plan_root(plan.sources, plan.feet, plan.legs, dt, params);
  }
  for (std::size_t k = 0; k < plan.feet.size(); ++k) {
    stay_in_reach(plan.feet[k], plan.sources[k], plan.legs[k], plan.root_m, params.reach);
  }
  return plan;
}

// Legs of single frames. One per thread.
class LegSolver {
 public:
  LegSolver(const Clip& clip, JointIndex mover, const Plan& plan, const KeepFeetParams& params)
      : clip_(clip), mover_(mover), plan_(plan), params_(params), solver_(clip.skeleton_ptr(), solver_params()) {
    for (JointIndex j = 0; j < clip.joint_count(); ++j) {
      (void)solver_.set_freedom(j, {.kind = JointKind::fixed});
    }
    for (const TwoBones& leg : plan.bones) {
      (void)solver_.set_freedom(leg.hip, {.kind = JointKind::ball});
      (void)solver_.set_freedom(leg.knee, {.kind = JointKind::hinge, .axis = leg.flexion_axis});
      (void)solver_.set_freedom(leg.ankle, {.kind = JointKind::ball});
      for (const JointIndex j : {leg.hip, leg.knee, leg.ankle}) (void)solver_.set_stiffness(j, kStiffness);
      (void)solver_.add_goal({.joint = leg.ankle, .orientation_axes = kAllAxes, .priority = Priority::high});
    }
  }

  /// Distance of the worst standing foot from its plan.
  double solve(int frame, Pose& pose) {
    const auto f = static_cast<std::size_t>(frame);
    clip_.get_frame(frame, pose);
    // Which frames a thread was given before must not show.
    solver_.forget_steps();
    solver_.body().set_pose(pose);
    const JointIndex above = clip_.skeleton().parent(mover_);
    const Quatd parent_from_world = above == kNoJoint
                                        ? Quatd::Identity()
                                        : solver_.body().world().rotations[static_cast<std::size_t>(above)].conjugate();
    const Vec3d moved = pose.translation(mover_).cast<double>() + parent_from_world * plan_.root_m[f];
    pose.set_translation(mover_, moved.cast<float>());
    solver_.body().set_pose(pose);

    for (int id = 0; id < solver_.goal_count(); ++id) {
      const TwoBones& leg = plan_.bones[static_cast<std::size_t>(id)];
      const FootPath& foot = plan_.feet[static_cast<std::size_t>(id)];
      (void)solver_.set_desired({.joint = leg.hip, .rotation = solver_.body().rotation(leg.hip), .weight = 1.0});
      Goal goal = solver_.goal(id);
      goal.position_m = foot.ankle_m[f];
      goal.orientation = foot.rotation[f];
      (void)solver_.set_goal(id, goal);
      bend_leg(solver_.body(), leg, foot.ankle_m[f]);
    }
    for (int step = 0; step < params_.max_steps; ++step) {
      const StepReport report = solver_.step(kWholeStep_s);
      if (report.max_drag_error_m < 1e-7 && report.max_rate_radps < 1e-6) break;
    }
    Pose solved = pose;
    solver_.body().get_pose(solved);
    for (const TwoBones& leg : plan_.bones) {
      for (const JointIndex j : {leg.hip, leg.knee, leg.ankle}) pose.set_rotation(j, solved.rotation(j));
    }

    double worst = 0.0;
    for (int id = 0; id < solver_.goal_count(); ++id) {
      if (plan_.feet[static_cast<std::size_t>(id)].standing[f]) worst = std::max(worst, solver_.position_error_m(id));
    }
    return worst;
  }

 private:
  static PinDragParams solver_params() {
    PinDragParams params;
    params.drag_gain = params.pin_gain = params.desired_gain = 1.0 / kWholeStep_s;
    params.root_stiffness_lin = params.root_stiffness_ang = kRootLocked;
    params.max_rate_radps = 0.5 / kWholeStep_s;
    params.max_speed_mps = 0.5 / kWholeStep_s;
    return params;
  }

  const Clip& clip_;
  JointIndex mover_;
  const Plan& plan_;
  const KeepFeetParams& params_;
  PinDragSolver solver_;
};

void measure_change(const ClipPositions& before, const ClipPositions& after, const Plan& plan, KeepFeetResult& result) {
  double sum = 0.0;
  for (int f = 0; f < before.frame_count(); ++f) {
    for (JointIndex j = 0; j < before.joint_count(); ++j) {
      const double change = (after.joint(f, j) - before.joint(f, j)).norm();
      sum += change;
      result.max_joint_change_m = std::max(result.max_joint_change_m, change);
    }
  }
  result.mean_joint_change_m = sum / (static_cast<double>(before.frame_count()) * before.joint_count());
  for (const Vec3d& root : plan.root_m) result.max_root_change_m = std::max(result.max_root_change_m, root.norm());
}

}  // namespace

Result<KeepFeetResult> keep_feet(const Clip& clip, const body::BodyMap& map, const FootContacts& contacts,
                                 const KeepFeetParams& params) {
  if (const auto checked = check(clip, contacts, params); !checked) return std::unexpected(checked.error());
  const Result<JointIndex> mover = moving_joint(clip, map);
  if (!mover) return std::unexpected(mover.error());

  const ClipPositions positions = clip_positions(clip);
  const Plan plan = make_plan(clip, positions, contacts, params);
  KeepFeetResult result{clip};
  const auto frames = static_cast<std::size_t>(clip.frame_count());
  std::vector<double> error_m(frames);
  parallel_for(frames, 16, [&](std::size_t begin, std::size_t end) {
    LegSolver legs(clip, *mover, plan, params);
    Pose pose;
    for (std::size_t f = begin; f < end; ++f) {
      error_m[f] = legs.solve(static_cast<int>(f), pose);
      result.clip.set_frame(static_cast<int>(f), pose);
    }
  });
  for (const FootContactTrack& foot : contacts.feet) lift_toes(result.clip, foot, contacts.ground_m, params.envelope_s);

  const auto worst = std::max_element(error_m.begin(), error_m.end());
  result.max_foot_error_m = *worst;
  result.worst_frame = static_cast<int>(worst - error_m.begin());
  measure_change(positions, clip_positions(result.clip), plan, result);
  return result;
}

}  // namespace shosa::posing
