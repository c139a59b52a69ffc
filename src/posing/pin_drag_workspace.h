#pragma once

#include <array>
#include <span>
#include <vector>

#include "shosa/core/thread_scratch.h"
#include "shosa/posing/pin_drag_solver.h"

namespace shosa::posing {

/// How easily one joint turns: mobility = even * I + sum of extra * axis * axis^T, the inverse of its weight matrix, in
/// the world.
struct JointMobility {
  struct Term {
    double extra = 0.0;
    Vec3d axis = Vec3d::Zero();
  };
  double even = 0.0;
  std::array<Term, 3> term;  // a hinge's own, or one for each bound of the range
  int terms = 0;

  std::span<const Term> all() const { return std::span(term).first(static_cast<std::size_t>(terms)); }
  Vec3d operator*(const Vec3d& torque) const {
    Vec3d turn = even * torque;
    for (const auto& [extra, axis] : all()) turn += (extra * axis.dot(torque)) * axis;
    return turn;
  }
  void add(double extra, const Vec3d& axis) { term[static_cast<std::size_t>(terms++)] = {extra, axis}; }
  /// Adds weight * direction * direction^T to the weight matrix (Sherman and Morrison).
  void hold(const Vec3d& direction, double weight) {
    const Vec3d axis = *this * direction;
    add(-weight / (1.0 + weight * direction.dot(axis)), axis);
  }
};

/// Sums over a joint and all its ancestors i, with m_i = even mobility and p_i = position from the root.
///
/// For rows r, s (a torque and a force each) below the same joints, sum_i m_i (torque_r - p_i x force_r) . (torque_s -
/// p_i x force_s) is a form in these sums alone: an entry of J H J^T costs the same for any depth of the tree.
struct PathMoments {
  double zeroth = 0.0;                               // sum m
  Vec3d first = Vec3d::Zero();                       // sum m p
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();  // sum m (|p|^2 I - p p^T), plus the root's own mobility
};

/// One held axis of one goal: force . (velocity of the point) + torque . (angular velocity), moments about the root.
struct GoalRow {
  JointIndex joint = kNoJoint;
  Vec3d torque = Vec3d::Zero();
  Vec3d force = Vec3d::Zero();
  double wanted = 0.0;   // rate, m/s or rad/s, beyond what the joints do by themselves
  double damping = 0.0;  // 1 / We
  double asked = 0.0;    // the whole rate: target's own and feedback
  double error = 0.0;    // before the step, m or rad
  double drift = 0.0;    // rate of the target itself
};

/// Sums of weight * square over the goals of one priority: of the error if the body stood still, as the linear step
/// promises it, and as it came; and of how far the goals were to move, and missed that.
struct Progress {
  double still = 0.0;
  double promised = 0.0;
  double came = 0.0;
  double moved = 0.0;
  double missed = 0.0;
};

/// What a step computes and forgets; all solvers of a thread share it.
struct PinDragSolver::Scratch {
  explicit Scratch(int joints) : size(joints) {
    const auto count = static_cast<std::size_t>(joints);
    for (auto* vectors : {&place, &own_rate, &spin, &spin_moment, &torque, &force, &mass_moment, &balance_torque}) {
      vectors->assign(count, Vec3d::Zero());
    }
    mobility.resize(count);
    bounds.resize(count);
    path.resize(count);
    mass_share.assign(count, 0.0);
  }
  void fit(std::size_t most_rows) {
    if (most_rows <= lever.size()) return;
    const auto count = static_cast<Eigen::Index>(most_rows);
    rows.reserve(most_rows);
    lever.resize(most_rows);
    entries.resize(count * count);
    multipliers.resize(count);
  }
  /// Packed, so that what comes out does not depend on what else was solved here before.
  Eigen::Map<Eigen::MatrixXd> system() {
    const auto count = static_cast<Eigen::Index>(rows.size());
    return {entries.data(), count, count};
  }

  int size;
  // Per joint.
  std::vector<Vec3d> place;  // position from the root, world axes
  std::vector<JointMobility> mobility;
  std::vector<Vec3d> own_rate;  // what desired rotations and ranges ask by themselves
  std::vector<PathMoments> path;
  std::vector<Vec3d> spin;           // sum of own rates up to the root
  std::vector<Vec3d> spin_moment;    // sum of own rate x place, less the root's own velocity
  std::vector<Vec3d> torque, force;  // wrench of all rows at or below the joint
  std::vector<RangeBounds> bounds;   // that the joint is over; parent's frame

  // Per row.
  std::vector<GoalRow> rows;
  Eigen::VectorXd entries, multipliers;
  std::vector<double> lever;

  // The balance row, always the last: force is its direction, its torque acts on every joint.
  bool has_balance_row = false;
  std::vector<double> mass_share;     // of all mass at or below the joint
  std::vector<Vec3d> mass_moment;     // sum of share * position from the root, at or below the joint
  std::vector<Vec3d> balance_torque;  // about the joint itself

  double root_weight = 1.0;                 // of the root's velocity
  Vec3d own_root_velocity = Vec3d::Zero();  // what its desired place asks by itself
};

/// What a solver keeps from step to step.
struct PinDragSolver::Workspace {
  // Per joint.
  std::vector<Vec3d> rate;
  std::vector<double> bend;        // curvature at the joint under the forces of the last step
  std::vector<double> stiffening;  // added to the joint's weight on account of it
  std::vector<Vec3d> last_rate;    // of the step before, for joints with a range
  std::vector<double> unrest;  // how firmly a joint that turns to and fro is held along the rim of its range, 0 to 1
  std::vector<int> range_triangle;  // where the last search in the range ended
  std::vector<int> depth;
  std::vector<char> descends;  // [joint * joint_count + ancestor]

  std::vector<Eigen::Vector2d> support;  // of the balance, on the ground (x, z)
  std::vector<double> support_share;     // of those points

  Vec3d root_velocity = Vec3d::Zero();
  double caution = 1.0;  // times the curvature, adapted from step to step

  bool is_below(JointIndex joint, JointIndex ancestor) const {
    return descends[static_cast<std::size_t>(joint) * depth.size() + static_cast<std::size_t>(ancestor)] != 0;
  }
};

}  // namespace shosa::posing
