#include "shosa/feet/feet_follower.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "feet/feet_window.h"
#include "shosa/analysis/intervals.h"
#include "shosa/core/rotations.h"

namespace shosa::feet {

namespace {

Result<void> check(std::span<const analysis::StudiedClip> clips, const FollowerParams& params) {
  if (!(params.step_s > 0.0) || params.knot_samples < 1 || params.most_samples < 4 * params.knot_samples ||
      params.max_steps < 1 || !(params.converged > 0.0)) {
    return fail(ErrorCode::invalid_argument,
                "followed_body: samples {} s apart, {} to a knot, {} at most, {} steps to a share of {}, expected > 0, "
                ">= 1, >= four knots, >= 1 and > 0",
                params.step_s, params.knot_samples, params.most_samples, params.max_steps, params.converged);
  }
  if (clips.empty()) return fail(ErrorCode::invalid_argument, "followed_body: no clip, expected at least one");
  for (const analysis::StudiedClip& clip : clips) {
    if (const auto known = clip.needs_feet(); !known) return std::unexpected(known.error());
  }
  if (const std::size_t feet = clips[0].contacts().feet.size(); feet > kMostFollowedFeet) {
    return fail(ErrorCode::not_possible, "followed_body: {} feet, expected at most {}", feet, kMostFollowedFeet);
  }
  return {};
}

}  // namespace

Vec3d FollowedBody::Leg::ball_m(const Skeleton& of, const WorldPose& world) const {
  if (changed.ball < of.joint_count()) return world.positions[changed.ball];
  return world.end_site(of.end_sites()[changed.ball - of.joint_count()]);
}

Result<std::shared_ptr<const FollowedBody>> followed_body(std::span<const analysis::StudiedClip> clips,
                                                          const FollowerParams& params) {
  if (const auto checked = check(clips, params); !checked) return std::unexpected(checked.error());
  auto body = std::make_shared<FollowedBody>();
  body->skeleton = clips[0].clip().skeleton_ptr();
  body->mover = body::root_joint(clips[0].map());
  while (!clips[0].clip().is_translated(body->mover) && body->skeleton->parent(body->mover) != kNoJoint) {
    body->mover = body->skeleton->parent(body->mover);
  }
  body->scale = clips[0].contacts().scale;
  body->params = params;
  for (std::size_t i = 0; i < clips[0].contacts().feet.size(); ++i) {
    FollowedBody::Leg leg;
    Vec3d axis = Vec3d::Zero(), heel = Vec3d::Zero();
    leg.straightest_rad = M_PI;
    for (const analysis::StudiedClip& clip : clips) {
      const analysis::FootContactTrack& track = clip.contacts().feet[i];
      auto foot = observe_foot(clip.clip(), clip.positions(), track.points);
      if (!foot) return std::unexpected(foot.error());
      leg.changed = {foot->bones, track.points.toe >= 0 ? track.points.toe : track.points.joint};
      leg.has_ball = foot->has_ball, leg.has_heel = foot->has_heel;
      leg.straightest_rad = std::min(leg.straightest_rad, foot->straightest_rad);
      leg.most_overstretched_rad = std::min(leg.most_overstretched_rad, foot->most_overstretched_rad);
      axis += foot->bones.flexion_axis;
      if (!foot->has_heel) continue;
      std::vector<char> flat(foot->ball_m.size(), 0);
      for (const TimeInterval& stands : analysis::interval_intersection(track.heel, track.toe)) {
        for (int f = clip.clip().nearest_frame(stands.begin_s); f <= clip.clip().nearest_frame(stands.end_s); ++f) {
          flat[f] = 1;
        }
      }
      heel += heel_in_foot_m(*foot, flat, track.heel_rest_m, body->scale);
    }
    if (axis.norm() > 1e-6) leg.changed.bones.flexion_axis = axis.normalized();
    leg.heel_in_foot_m = heel / static_cast<double>(clips.size());
    body->legs.push_back(leg);
  }
  return std::shared_ptr<const FollowedBody>(std::move(body));
}

FeetFollower::FeetFollower(std::shared_ptr<const FollowedBody> body)
    : body_(std::move(body)), plan_(std::make_unique<FeetPlan>(*body_)) {
  reset();
}
FeetFollower::FeetFollower(const FeetFollower& other)
    : body_(other.body_),
      plan_(std::make_unique<FeetPlan>(*other.plan_)),
      root_m_(other.root_m_),
      balls_(other.balls_),
      shown_ball_m_(other.shown_ball_m_),
      shown_rotation_(other.shown_rotation_) {}
FeetFollower::FeetFollower(FeetFollower&&) noexcept = default;
FeetFollower& FeetFollower::operator=(const FeetFollower& other) {
  return *this = FeetFollower(other);
}
FeetFollower& FeetFollower::operator=(FeetFollower&&) noexcept = default;
FeetFollower::~FeetFollower() = default;

void FeetFollower::reset() {
  plan_->reset();
  root_m_.setZero();
  balls_.fill({});
  shown_ball_m_.fill(Vec3d::Zero());
  shown_rotation_.fill(Quatd::Identity());
}

solve::SolveReport FeetFollower::plan(double time_s, FeetWindow& window, const GroundView& ground) {
  FeetWindow::Room& room = *window.room_;
  assert(room.body == body_);
  if (room.samples < 2) return {};
  std::array<std::span<const Stance>, kMostFollowedFeet> stances;
  for (std::size_t i = 0; i < room.motion.size(); ++i) {
    stances[i] = std::span<const Stance>(room.stances[i]).first(static_cast<std::size_t>(room.stance_count[i]));
  }
  room.plan.lay_out(time_s, *plan_, room.motion, std::span(stances).first(room.motion.size()));
  room.fill(*plan_);
  const solve::SolveReport report = room.solve(ground);
  room.take();
  *plan_ = room.plan;
  return report;
}

void FeetFollower::at(double time_s, Pose& pose, WorldPose& world) {
  const Skeleton& skeleton = *body_->skeleton;
  forward_kinematics(skeleton, pose, world);
  const std::size_t feet = body_->legs.size();
  std::array<Vec3d, kMostFollowedFeet> ball_m;
  std::array<ChangedLeg, kMostFollowedFeet> legs;
  for (std::size_t i = 0; i < feet; ++i) {
    ball_m[i] = body_->legs[i].ball_m(skeleton, world);
    legs[i] = body_->legs[i].changed;
  }
  root_m_.setZero();
  balls_.fill({});
  if (!plan_->is_empty()) {
    const double sample = plan_->sample_at(time_s);
    for (const FeetPlan::Group& group : plan_->groups()) {
      const auto foot = static_cast<std::size_t>(std::max(group.foot, 0));
      Vec3d& out = group.kind == FeetPlan::Kind::root   ? root_m_
                   : group.kind == FeetPlan::Kind::turn ? balls_[foot].turn_rad
                                                        : balls_[foot].shift_m;
      const FeetPlan::Given* given = plan_->given_at(group, sample);
      const Vec3d value = given ? FeetPlan::asked(group, *given, ball_m[foot], world.rotations[legs[foot].bones.ankle])
                                : plan_->swung_values(group, sample);
      for (int axis = 0; axis < 3; ++axis) {
        if (group.has[axis]) out[axis] = value[axis];
      }
    }
  }
  for (std::size_t i = 0; i < feet; ++i) {
    shown_ball_m_[i] = ball_m[i] + balls_[i].shift_m;
    shown_rotation_[i] = exp_rotation(balls_[i].turn_rad) * world.rotations[legs[i].bones.ankle];
  }
  apply_change_at(skeleton, body_->mover, std::span(legs).first(feet), root_m_, balls(), world, pose);
}

}  // namespace shosa::feet
