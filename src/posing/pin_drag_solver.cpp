// One step of pin-and-drag: weigh the joints, collect the rows, assemble and solve in the space of the goals, apply.

#include "shosa/posing/pin_drag_solver.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cassert>
#include <cmath>

#include "posing/pin_drag_workspace.h"
#include "shosa/core/rotations.h"

namespace shosa::posing {

StepReport PinDragSolver::step(double step_s, bool measured) {
  assert(std::isfinite(step_s) && step_s > 0.0);
  Scratch& s = scratch();
  measure_ranges(s);
  weigh_joints(s);
  collect_rows(s);
  collect_balance_row(s);
  assemble(s);
  assemble_balance_row(s);
  solve(s);
  return apply(s, step_s, measured);
}

void PinDragSolver::measure_ranges(Scratch& s) {
  for (std::size_t j = 0; j < ranges_.size(); ++j) {
    RangeBounds& over = s.bounds[j];
    over.count = 0;
    if (!ranges_[j] || !range_on_[j]) continue;
    const Quatd& rotation = body_.rotation(static_cast<JointIndex>(j));
    int& triangle = work_->range_triangle[j];
    over = ranges_[j]->bounds(rotation, {}, &triangle);
    if (over.count == 0) continue;
    over = ranges_[j]->bounds(rotation, allowed_excess(j), &triangle);
    if (over.count == 0 || params_.range_target == RangeTarget::nearest) continue;
    // The seed's way: straight to the reference.
    const Vec3d way = ranges_[j]->nearest(rotation, params_.range_target, &triangle).correction_rad;
    over.count = 1;
    over.bound[0] = {-way.normalized(), way.norm()};
  }
}

// Desired rotations and ranges ask something of single joints only. Completing the square moves them into the joint's
// own weight matrix and an own rate: (W + w_d I + sum w_r g g^T) own = w_d d - sum w_r c g, with g the gradient and c
// the wanted fall of each bound; mobility the inverse of that matrix.
void PinDragSolver::weigh_joints(Scratch& s) {
  // A locked direction stands for a range of high priority.
  constexpr double kLocked = 1e9;
  const double range_weight = params_.range_priority == Priority::high ? kLocked : params_.range_strength;
  // What joints ask for themselves takes no more than this share of the rate there is: a step that they fill is
  // shortened as a whole, and the drags with it.
  constexpr double kOwnShare = 0.5;
  constexpr double kNear_rad = 0.05;
  const auto gain_for = [&](double gain, double error_rad) {
    const double most = kOwnShare * params_.max_rate_radps;
    return gain * error_rad > most ? most / error_rad : gain;
  };
  Workspace& w = *work_;
  const WorldPose& world = body_.world();
  const Skeleton& skeleton = body_.skeleton();

  s.root_weight = params_.root_stiffness_lin + desired_place_.weight;
  s.own_root_velocity.setZero();
  if (desired_place_.weight > 0.0) {
    const Vec3d way = desired_place_.position_m - world.positions[0];
    s.own_root_velocity =
        desired_place_.weight / s.root_weight * (desired_place_.velocity_mps + params_.desired_gain * way);
  }

  for (JointIndex j = 0; j < body_.joint_count(); ++j) {
    const auto index = static_cast<std::size_t>(j);
    const JointIndex parent = skeleton.parent(j);
    const auto above = static_cast<std::size_t>(parent == kNoJoint ? 0 : parent);
    s.place[index] = world.positions[index] - world.positions[0];

    JointMobility mobility;
    Vec3d own = Vec3d::Zero();
    if (freedom_[index].kind != JointKind::fixed) {
      const Quatd world_from_parent = parent == kNoJoint ? Quatd::Identity() : world.rotations[above];
      const double stiffness = stiffness_[index] * (parent == kNoJoint ? params_.root_stiffness_ang : 1.0);
      const double desired_weight = desired_[index].weight * params_.desired_strength;
      double even_weight = stiffness + desired_weight + w.stiffening[index];
      // Second derivatives of a range are kept to near its rim. Far out steps are bold: what shakes a body out of a bad
      // posture serves it there.
      double careful = 1.0;
      for (const RangeBound& bound : s.bounds[index].all()) careful = std::min(careful, 1.0 - bound.excess / kNear_rad);
      careful = std::max(0.0, careful);
      for (const RangeBound& bound : s.bounds[index].all())
        even_weight += careful * range_weight * bound.excess * bound.curvature;
      Vec3d asked = Vec3d::Zero();  // the right-hand side above
      if (desired_weight > 0.0) {
        const Vec3d error = log_rotation(desired_[index].rotation * body_.rotation(j).conjugate());
        const double gain = gain_for(params_.desired_gain, error.norm());
        asked = desired_weight * (world_from_parent * (desired_[index].rate_radps + gain * error));
      }
      const bool hinge = freedom_[index].kind == JointKind::hinge;
      const Vec3d axis = world.rotations[index] * freedom_[index].axis;
      double hinge_weight = even_weight;
      mobility.even = hinge ? 0.0 : 1.0 / even_weight;
      for (const RangeBound& bound : s.bounds[index].all()) {
        const Vec3d gradient = world_from_parent * bound.gradient;
        // Along its rim a joint is free unless it turns to and fro there.
        const double share = bound.excess > 0.0 ? bound.share : careful * std::max(bound.share, w.unrest[index]);
        if (share == 0.0) continue;
        const double weight = range_weight * share;
        const double turn = bound.excess / std::max(gradient.norm(), 1e-6);
        asked -= weight * gain_for(params_.range_gain, turn) * bound.excess * gradient;
        if (hinge)
          hinge_weight += weight * std::pow(axis.dot(gradient), 2);
        else
          mobility.hold(gradient, weight);
      }
      if (hinge) mobility.add(1.0 / hinge_weight, axis);
      own = mobility * asked;
    }
    s.mobility[index] = mobility;
    s.own_rate[index] = own;

    // Sums along the path from the root.
    const Vec3d& p = s.place[index];
    PathMoments& path = s.path[index];
    if (parent == kNoJoint) {
      path = {};
      path.second = Eigen::Matrix3d::Identity() / s.root_weight;
      s.spin[index] = own;
      s.spin_moment[index] = own.cross(p) - s.own_root_velocity;
    } else {
      path = s.path[above];
      s.spin[index] = s.spin[above] + own;
      s.spin_moment[index] = s.spin_moment[above] + own.cross(p);
    }
    path.zeroth += mobility.even;
    path.first += mobility.even * p;
    path.second += mobility.even * (p.squaredNorm() * Eigen::Matrix3d::Identity() - p * p.transpose());
  }
}

void PinDragSolver::collect_rows(Scratch& s) {
  s.rows.clear();
  const Vec3d& root = body_.world().positions[0];

  double high_way = 0.0, low_way = 0.0;
  for (GoalId id = 0; id < goal_count(); ++id) {
    const Goal& goal = goals_[id];
    if (!goal.on) continue;
    double& way = goal.priority == Priority::high ? high_way : low_way;
    way = std::max(way, position_error_m(id));
  }
  // Far targets are approached no faster than the body may move; one share for all of a priority, so that the balance
  // between them stays.
  const auto gain_for = [&](double gain, double way) {
    return gain * way > params_.max_speed_mps ? params_.max_speed_mps / way : gain;
  };
  const double drag_gain = gain_for(params_.drag_gain, high_way), pin_gain = gain_for(params_.pin_gain, low_way);

  for (const Goal& goal : goals_) {
    if (!goal.on) continue;
    const bool high = goal.priority == Priority::high;
    const auto joint = static_cast<std::size_t>(goal.joint);
    const double gain = high ? drag_gain : pin_gain;
    const Vec3d point = body_.point(goal.joint, goal.offset_m);
    const auto add = [&](const Vec3d& torque, const Vec3d& force, double error, double drift, double strength) {
      // What the joints do by themselves is taken off the goal.
      const double already = torque.dot(s.spin[joint]) - force.dot(s.spin_moment[joint]);
      const double damping = high ? params_.drag_damping : 1.0 / (strength * goal.weight);
      const double asked = drift + gain * error;
      s.rows.push_back({goal.joint, torque, force, asked - already, damping, asked, error, drift});
    };
    const Vec3d way = goal.position_m - point;
    for (int axis = 0; axis < 3; ++axis) {
      if (!goal.position_axes[axis]) continue;
      const Vec3d force = Vec3d::Unit(axis);
      add((point - root).cross(force), force, way[axis], goal.velocity_mps[axis], params_.pin_strength);
    }
    if (goal.orientation_axes == kNoAxes) continue;
    const Vec3d turn = log_rotation(goal.orientation * body_.world().rotations[joint].conjugate());
    for (int axis = 0; axis < 3; ++axis) {
      if (!goal.orientation_axes[axis]) continue;
      add(Vec3d::Unit(axis), Vec3d::Zero(), turn[axis], goal.angular_velocity_radps[axis],
          params_.orientation_strength);
    }
  }
}

// system = J H J^T + D. Even mobilities through the moments at the last common ancestor of two rows; the extra mobility
// of hinges and of joints outside their range as one rank-one term each.
void PinDragSolver::assemble(Scratch& s) {
  const Workspace& w = *work_;
  // The balance row has no single joint and is assembled apart.
  const auto count = static_cast<Eigen::Index>(s.rows.size()) - (s.has_balance_row ? 1 : 0);
  const auto common = [&](JointIndex a, JointIndex b) {
    while (!w.is_below(b, a)) a = body_.skeleton().parent(a);
    return a;
  };
  auto system = s.system();
  for (Eigen::Index c = 0; c < count; ++c) {
    const GoalRow& row = s.rows[c];
    JointIndex other = kNoJoint;
    Vec3d torque = Vec3d::Zero(), force = Vec3d::Zero();
    for (Eigen::Index r = c; r < count; ++r) {
      const GoalRow& second = s.rows[r];
      if (second.joint != other) {
        other = second.joint;
        const PathMoments& path = s.path[common(row.joint, other)];
        torque = path.zeroth * row.torque - path.first.cross(row.force);
        force = path.first.cross(row.torque) + path.second * row.force;
      }
      system(r, c) = second.torque.dot(torque) + second.force.dot(force);
    }
    system(c, c) += row.damping;
  }

  for (std::size_t j = 0; j < s.mobility.size(); ++j) {
    for (const auto& [extra, axis] : s.mobility[j].all()) {
      for (std::size_t r = 0; r < static_cast<std::size_t>(count); ++r) {
        const GoalRow& row = s.rows[r];
        s.lever[r] = w.is_below(row.joint, static_cast<JointIndex>(j))
                         ? axis.dot(row.torque - s.place[j].cross(row.force))
                         : 0.0;
      }
      for (Eigen::Index c = 0; c < count; ++c) {
        const double scaled = extra * s.lever[c];
        if (scaled == 0.0) continue;
        for (Eigen::Index r = c; r < count; ++r) system(r, c) += scaled * s.lever[r];
      }
    }
  }
}

void PinDragSolver::solve(Scratch& s) {
  Workspace& w = *work_;
  const auto count = static_cast<Eigen::Index>(s.rows.size());
  auto multipliers = s.multipliers.head(count);
  for (Eigen::Index r = 0; r < count; ++r) multipliers[r] = s.rows[r].wanted;
  if (count > 0) {
    Eigen::Ref<Eigen::MatrixXd> system = s.system();
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(system);
    factor.solveInPlace(multipliers);
  }

  // Rates = own rate + H J^T multipliers: wrenches summed from the leaves to the root.
  for (std::size_t j = 0; j < w.rate.size(); ++j) {
    s.torque[j].setZero();
    s.force[j].setZero();
  }
  double balance_multiplier = 0.0;
  for (Eigen::Index r = 0; r < count; ++r) {
    const GoalRow& row = s.rows[r];
    if (row.joint == kNoJoint) {
      balance_multiplier = multipliers[r];
      continue;
    }
    s.torque[row.joint] += multipliers[r] * row.torque;
    s.force[row.joint] += multipliers[r] * row.force;
  }
  for (JointIndex j = body_.joint_count() - 1; j >= 0; --j) {
    const auto index = static_cast<std::size_t>(j);
    const JointIndex parent = body_.skeleton().parent(j);
    Vec3d torque = s.torque[index] - s.place[index].cross(s.force[index]);
    if (s.has_balance_row) torque += balance_multiplier * s.balance_torque[index];
    w.rate[index] = s.own_rate[index] + s.mobility[index] * torque;
    if (parent == kNoJoint) continue;
    s.torque[parent] += s.torque[index];
    s.force[parent] += s.force[index];
  }
  w.root_velocity = s.own_root_velocity + s.force[0] / s.root_weight;
  if (s.has_balance_row) w.root_velocity += balance_multiplier * s.rows.back().force / s.root_weight;
}

// Rates are of joints against what carries them: turns add up along a limb, and so does what they move.
double PinDragSolver::fastest_point_mps(Scratch& s) const {
  std::vector<Vec3d>&turn = s.torque, &velocity = s.force;  // not needed any more
  turn[0] = work_->rate[0], velocity[0] = work_->root_velocity;
  double fastest = velocity[0].norm();
  for (JointIndex j = 1; j < body_.joint_count(); ++j) {
    const auto index = static_cast<std::size_t>(j), above = static_cast<std::size_t>(body_.skeleton().parent(j));
    turn[index] = turn[above] + work_->rate[index];
    velocity[index] = velocity[above] + turn[above].cross(s.place[index] - s.place[above]);
    fastest = std::max(fastest, velocity[index].norm());
  }
  return fastest;
}

StepReport PinDragSolver::apply(Scratch& s, double step_s, bool measured) {
  Workspace& w = *work_;
  StepReport report;
  double fastest = 0.0;
  for (const Vec3d& rate : w.rate) fastest = std::max(fastest, rate.norm());
  const double speed = w.root_velocity.norm();
  if (fastest > params_.max_rate_radps) report.shortened = params_.max_rate_radps / fastest;
  if (speed * report.shortened > params_.max_speed_mps) report.shortened = params_.max_speed_mps / speed;
  if (std::isfinite(params_.max_point_mps)) {
    const double point = fastest_point_mps(s) * report.shortened;
    if (point > params_.max_point_mps) report.shortened *= params_.max_point_mps / point;
  }
  // A system too ill for a finite answer moves nothing.
  if (!std::isfinite(fastest) || !std::isfinite(speed)) report.shortened = 0.0;
  if (report.shortened == 0.0) {
    std::fill(w.rate.begin(), w.rate.end(), Vec3d::Zero());
    w.root_velocity.setZero();
    fastest = 0.0;
  }
  report.max_rate_radps = fastest * report.shortened;
  if (report.shortened < 1.0) {
    for (Vec3d& rate : w.rate) rate *= report.shortened;
    w.root_velocity *= report.shortened;
  }
  body_.integrate(w.root_velocity, w.rate, step_s);

  for (GoalId id = 0; id < goal_count() && measured; ++id) {
    const Goal& goal = goals_[id];
    if (!goal.on) continue;
    double& largest = goal.priority == Priority::high ? report.max_drag_error_m : report.max_pin_error_m;
    largest = std::max(largest, position_error_m(id));
    if (goal.orientation_axes != kNoAxes) {
      report.max_orientation_error_rad = std::max(report.max_orientation_error_rad, orientation_error_rad(id));
    }
  }
  adapt_caution(s, step_s, report.shortened);
  stiffen(s, step_s);
  calm_ranges();
  for (std::size_t j = 0; j < ranges_.size() && measured; ++j) {
    if (!ranges_[j] || !range_on_[j]) continue;
    report.max_range_violation_rad =
        std::max(report.max_range_violation_rad, beyond_allowed_rad(static_cast<JointIndex>(j), &w.range_triangle[j]));
  }
  return report;
}

}  // namespace shosa::posing
