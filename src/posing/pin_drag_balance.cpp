// The balance row of a step: the centre of mass moves toward the support polygon.

#include <algorithm>
#include <cassert>
#include <cmath>

#include "posing/pin_drag_workspace.h"

namespace shosa::posing {

namespace {

Eigen::Vector2d on_ground(const Vec3d& point) {
  return {point.x(), point.z()};
}

}  // namespace

Result<void> PinDragSolver::set_balance(std::optional<Balance> balance) {
  if (!balance) {
    balance_.reset();
    return {};
  }
  double total = 0.0;
  for (const PointMass& mass : balance->masses) {
    if (mass.joint < 0 || mass.joint >= body_.joint_count() || !(mass.mass >= 0.0) || !mass.offset_m.allFinite()) {
      return fail(ErrorCode::invalid_argument, "balance: a mass of {} on joint {}, expected one >= 0 on a joint",
                  mass.mass, mass.joint);
    }
    total += mass.mass;
  }
  if (!(total > 0.0) || !std::isfinite(total)) {
    return fail(ErrorCode::invalid_argument, "balance: masses sum to {}, expected a positive number", total);
  }
  if (balance->support.empty())
    return fail(ErrorCode::invalid_argument, "balance: no support point, expected at least one");
  for (const SupportPoint& point : balance->support) {
    if (point.joint < 0 || point.joint >= body_.joint_count()) {
      return fail(ErrorCode::invalid_argument, "balance: a support point on joint {}, expected a joint", point.joint);
    }
  }
  if (!(balance->weight > 0.0) || !std::isfinite(balance->weight) || !(balance->margin_m >= 0.0)) {
    return fail(ErrorCode::invalid_argument, "balance: weight {} and margin {} m, expected > 0 and >= 0",
                balance->weight, balance->margin_m);
  }
  for (PointMass& mass : balance->masses) mass.mass /= total;
  balance_ = std::move(balance);
  work_->support.assign(balance_->support.size(), Eigen::Vector2d::Zero());
  work_->support_share.assign(balance_->support.size(), 0.0);
  (void)scratch();
  return {};
}

void PinDragSolver::set_support_shares(std::span<const double> shares) {
  assert(balance_ && shares.size() == balance_->support.size());
  for (std::size_t i = 0; i < shares.size(); ++i) balance_->support[i].share = shares[i];
}

double PinDragSolver::balance_error_m() const {
  if (!balance_) return 0.0;
  double share = 0.0;
  return std::max(0.0, way_to_support(body_, 0.0, share).norm() - balance_slack_m_);
}

// From the centre of mass of `body` to the support drawn in by the margin around its middle; `share` is how much the
// support carries at all. What is not held carries nothing: a point counts when a goal holds its joint, or the joint
// next to it. Points that carry little are drawn in to the middle of those that carry more.
Eigen::Vector2d PinDragSolver::way_to_support(const Articulation& body, double margin_m, double& share) const {
  const Skeleton& skeleton = body_.skeleton();
  Vec3d centre = Vec3d::Zero();
  for (const PointMass& mass : balance_->masses) centre += mass.mass * body.point(mass.joint, mass.offset_m);
  const auto share_of = [&](const SupportPoint& point) {
    const bool held = !balance_->only_held || std::ranges::any_of(goals_, [&](const Goal& goal) {
      return goal.on && goal.position_axes[0] && goal.position_axes[2] &&
             (goal.joint == point.joint || goal.joint == skeleton.parent(point.joint) ||
              skeleton.parent(goal.joint) == point.joint);
    });
    return held ? point.share : 0.0;
  };
  std::size_t count = 0;
  double total = share = 0.0;
  Eigen::Vector2d middle = Eigen::Vector2d::Zero();
  for (const SupportPoint& point : balance_->support) {
    const double carries = share_of(point);
    if (carries <= 0.0) continue;
    work_->support_share[count] = carries;
    work_->support[count++] = on_ground(body.point(point.joint, point.offset_m));
    middle += carries * work_->support[count - 1];
    total += carries;
    share = std::max(share, carries);
  }
  if (count == 0) return Eigen::Vector2d::Zero();
  middle /= total;
  const std::span<Eigen::Vector2d> support = std::span(work_->support).first(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Eigen::Vector2d out = support[i] - middle;
    const double away = out.norm();
    if (away > 0.0) support[i] = middle + work_->support_share[i] * std::max(0.0, away - margin_m) / away * out;
  }
  return way_into_hull(on_ground(centre), support);
}

void PinDragSolver::collect_balance_row(Scratch& s) {
  s.has_balance_row = false;
  if (!balance_ || !balance_->on) return;

  // Shares and moments of everything at or below each joint.
  const Vec3d& root = body_.world().positions[0];
  for (std::size_t j = 0; j < s.mass_share.size(); ++j) {
    s.mass_share[j] = 0.0;
    s.mass_moment[j].setZero();
  }
  for (const PointMass& mass : balance_->masses) {
    const auto joint = static_cast<std::size_t>(mass.joint);
    s.mass_share[joint] += mass.mass;
    s.mass_moment[joint] += mass.mass * (body_.point(mass.joint, mass.offset_m) - root);
  }
  for (JointIndex j = body_.joint_count() - 1; j > 0; --j) {
    const auto above = static_cast<std::size_t>(body_.skeleton().parent(j));
    s.mass_share[above] += s.mass_share[j];
    s.mass_moment[above] += s.mass_moment[j];
  }

  double share = 0.0;
  const Eigen::Vector2d way = way_to_support(body_, balance_->margin_m, share);
  const double out = way.norm(), distance = out - balance_margin_slack_m_;
  if (distance <= 0.0) return;

  const Vec3d direction(way.x() / out, 0.0, way.y() / out);
  double already = direction.dot(s.own_root_velocity);
  for (std::size_t j = 0; j < s.place.size(); ++j) {
    s.balance_torque[j] = (s.mass_moment[j] - s.mass_share[j] * s.place[j]).cross(direction);
    already += s.balance_torque[j].dot(s.own_rate[j]);
  }
  s.rows.push_back({kNoJoint, Vec3d::Zero(), direction, params_.pin_gain * distance - already,
                    1.0 / faded_strength(balance_->weight * params_.pin_strength, share)});
  s.has_balance_row = true;
}

void PinDragSolver::assemble_balance_row(Scratch& s) {
  if (!s.has_balance_row) return;
  auto system = s.system();
  const auto last = static_cast<Eigen::Index>(s.rows.size()) - 1;
  const GoalRow& balance = s.rows.back();
  for (Eigen::Index r = 0; r < last; ++r) {
    const GoalRow& row = s.rows[r];
    double sum = balance.force.dot(row.force) / s.root_weight;
    for (JointIndex j = row.joint; j != kNoJoint; j = body_.skeleton().parent(j)) {
      const auto index = static_cast<std::size_t>(j);
      const Vec3d torque = row.torque - s.place[index].cross(row.force);
      sum += s.balance_torque[index].dot(s.mobility[index] * torque);
    }
    system(last, r) = sum;
  }
  double own = 1.0 / s.root_weight + balance.damping;
  for (std::size_t j = 0; j < s.mobility.size(); ++j)
    own += s.balance_torque[j].dot(s.mobility[j] * s.balance_torque[j]);
  system(last, last) = own;
}

}  // namespace shosa::posing
