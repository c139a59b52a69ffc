#include "segment/reconstruct.h"

#include <algorithm>
#include <cmath>

#include "segment/frames.h"
#include "shosa/core/rotations.h"

namespace shosa::segment {

Reconstructor::Reconstructor(std::shared_ptr<const PointBody> body, RelaxParams params)
    : body_(std::move(body)), params_(params) {
  const auto joints = static_cast<std::size_t>(body_->skeleton->joint_count());
  world_.positions.resize(joints);
  world_.rotations.resize(joints);
  turns_.resize(joints);
  own_turn_.resize(joints);
  base_points_.resize(body_->points.size());
  points_.resize(body_->points.size());
  mobility_.resize(body_->points.size());
  given_.resize(body_->points.size());
  for (const auto& [a, b] : body_->links) links_.push_back({a, b, 0.0});
}

ReconstructReport Reconstructor::solve(const Pose& base, const ReconstructGoals& goals, Pose& out) {
  forward_kinematics(*body_->skeleton, base, world_);
  for (std::size_t i = 0; i < base_points_.size(); ++i) base_points_[i] = base_at(body_->points[i]);
  for (PointLink& link : links_) {
    link.length_m = (base_points_[link.b] - base_points_[link.a]).norm();
  }

  place_points(goals);
  place_middles();
  const RelaxReport relaxed = relax(points_, mobility_, links_, params_);

  close(goals);
  if (params_.iterations > 0) reach_on(goals);
  write(base, out);
  return {relaxed.iterations, relaxed.max_link_error_m, fixed_error_m_};
}

void Reconstructor::close(const ReconstructGoals& goals) {
  std::fill(own_turn_.begin(), own_turn_.end(), 0);
  fixed_error_m_ = 0.0;
  leg_miss_.setZero();
  short_legs_ = 0;
  arm_miss_.setZero();
  turn_trunk(goals);
  for (const Limb& limb : body_->limbs) close_limb(limb, goals);
  aim_head();
}

// Points are not the body: its spine bends in shares and its shoulders hang on collar bones, so a limb that the
// particle method brought just into reach may be short of its goal. What is missing moves the points that carry the
// limb: all of them for a leg, trunk and hips for an arm. Feet have the last word.
void Reconstructor::reach_on(const ReconstructGoals& goals) {
  constexpr int kRounds = 48, kFull = 12;
  constexpr double kFade = 0.8, kMet_m = 1e-5, kHipsShare = 0.5;
  double arms = 1.0;
  for (int round = 0; round < kRounds && fixed_error_m_ > kMet_m; ++round) {
    if (round >= kFull) arms *= kFade;
    const Vec3d legs = short_legs_ > 0 && mobility_[0] > 0.0 ? Vec3d(leg_miss_ / short_legs_) : Vec3d::Zero();
    for (std::size_t i = 0; i < points_.size(); ++i) {
      // The pelvis is moved as a whole or not at all.
      if (mobility_[i] <= 0.0 || (body_->above_hips[i] == 0 && mobility_[0] <= 0.0)) continue;
      points_[i] += legs + (body_->above_hips[i] != 0 ? 1.0 : kHipsShare) * arms * arm_miss_;
    }
    // The trunk keeps its length, so that what cannot be reached does not pile up.
    for (std::size_t i = 1; i < points_.size(); ++i) {
      if (body_->above_hips[i] == 0 || mobility_[i] <= 0.0) continue;
      const Vec3d now = points_[i] - points_[0];
      if (now.squaredNorm() > 1e-12)
        points_[i] = points_[0] + (base_points_[i] - base_points_[0]).norm() * now.normalized();
    }
    close(goals);
  }
}

// Section 4: handles where they were sent, everything else carried along by the body.
void Reconstructor::place_points(const ReconstructGoals& goals) {
  std::fill(given_.begin(), given_.end(), 0);
  hips_ = base_points_[0];
  for (const PointGoal& goal : goals.points) {
    if (goal.point == 0) hips_ = goal.position_m;
  }
  const bool turned = !same_rotation(goals.body_turn);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Vec3d from_hips = base_points_[i] - base_points_[0];
    points_[i] = hips_ + (turned ? goals.body_turn * from_hips : from_hips);
    mobility_[i] = body_->mobility[i];
  }
  for (const PointGoal& goal : goals.points) {
    const auto i = static_cast<std::size_t>(goal.point);
    points_[i] = goal.position_m;
    given_[i] = 1;
    if (goal.fixed) mobility_[i] = 0.0;
  }
  // The trunk's upper end goes with a head that is sent somewhere: the neck is short, and a head beyond it would turn
  // it over.
  if (const int head = body_->point_of(body_->head); head >= 0 && given_[head] != 0) {
    const Vec3d from_hips = base_points_[head] - base_points_[0];
    const Vec3d carried = hips_ + (turned ? goals.body_turn * from_hips : from_hips);
    const Vec3d way = points_[head] - carried;
    // A body that ducks bends its knees before its back.
    const Vec3d down(0.0, std::min(0.0, way.y()), 0.0);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (given_[i] == 0) points_[i] += body_->above_hips[i] != 0 ? way : down;
    }
  }
  come_along();
  // A foot goes with its toes where only those are given, and the toes with their foot.
  for (const Limb& limb : body_->limbs) {
    if (limb.toe_point < 0) continue;
    const auto end = static_cast<std::size_t>(limb.end_point), toe = static_cast<std::size_t>(limb.toe_point);
    const Vec3d foot = base_points_[toe] - base_points_[end];
    if (given_[toe] != 0 && given_[end] == 0) {
      points_[end] = points_[toe] - foot;
      mobility_[end] = mobility_[toe];
      given_[end] = given_[toe];
    } else if (given_[toe] == 0) {
      Quatd turn = given_[end] != 0 ? Quatd::Identity() : goals.body_turn;
      for (const EndTurn& own : goals.turns) {
        if (own.end == limb.end) turn = own.world_from_end * world_.rotations[own.end].conjugate();
      }
      points_[toe] = points_[end] + turn * foot;
      mobility_[toe] = mobility_[end];
    }
  }
}

// Where an arm is too short for its hand's goal the body goes there first, as people do: down with the hips and
// forward with the trunk. A straight pull down would buckle it either way.
void Reconstructor::come_along() {
  constexpr double kHips = 0.4, kForward = 0.6;
  Vec3d need = Vec3d::Zero();
  const Limb *left = nullptr, *right = nullptr;
  for (const Limb& limb : body_->limbs) {
    if (limb.leg) (limb.left ? left : right) = &limb;
    const auto u = static_cast<std::size_t>(limb.upper_point), m = static_cast<std::size_t>(limb.middle_point),
               e = static_cast<std::size_t>(limb.end_point);
    if (limb.leg || given_[e] == 0) continue;
    const double whole = (base_points_[m] - base_points_[u]).norm() + (base_points_[e] - base_points_[m]).norm();
    const Vec3d way = points_[e] - points_[u];
    if (const double distance = way.norm(); distance > whole) need += (1.0 - whole / distance) * way;
  }
  if (need.isZero(0.0) || left == nullptr || right == nullptr) return;
  const Vec3d across = base_at(left->upper) - base_at(right->upper);
  const Vec3d front = Vec3d(-across.z(), 0.0, across.x()).normalized();
  const double down = std::min(0.0, need.y());
  const Vec3d trunk = Vec3d(need.x(), 0.0, need.z()) - kForward * down * front;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (given_[i] != 0) continue;
    points_[i].y() += kHips * down;
    if (body_->above_hips[i] != 0) points_[i] += trunk;
  }
}

}  // namespace shosa::segment
