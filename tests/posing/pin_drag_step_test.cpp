// One step against the textbook form: dense Jacobians by finite differences, a dense constrained least-squares solve.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

#include "posing/checked_step.h"
#include "scenes/scenes.h"
#include "shosa/core/rotations.h"
#include "shosa/posing/pin_drag_solver.h"

namespace shosa::posing {
namespace {

using test::kStep;

struct Problem {
  std::shared_ptr<const Skeleton> skeleton;
  Pose pose;
  std::vector<Goal> goals;
  std::vector<DesiredRotation> desired;
  DesiredPlace place;
  std::vector<JointFreedom> freedom;
  std::vector<double> stiffness;
  Balance balance;                  // a row where its masses are given
  std::optional<JointRange> range;  // of `ranged`, which is outside
  JointIndex ranged = kNoJoint;
};

Vec3d random_vector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  return {uniform(random), uniform(random), uniform(random)};
}

Problem random_problem(int joints, unsigned seed) {
  std::mt19937 random(seed);
  Problem problem;
  problem.skeleton = scenes::random_tree(joints, seed);
  problem.pose = scenes::random_clip(problem.skeleton, 2, seed + 1).frame(1);
  std::uniform_int_distribution<int> any_joint(0, joints - 1);
  Articulation body(problem.skeleton);
  body.set_pose(problem.pose);
  for (int g = 0; g < 4; ++g) {
    Goal goal;
    goal.joint = any_joint(random);
    goal.offset_m = random_vector(random, 0.1);
    goal.position_m = body.point(goal.joint, goal.offset_m) + random_vector(random, 0.05);
    goal.velocity_mps = random_vector(random, 0.2);
    goal.priority = g == 0 ? Priority::high : Priority::low;
    goal.weight = 0.5 + g;
    if (g == 1) goal.position_axes = {true, false, true};
    if (g == 2) {
      goal.orientation_axes = {true, true, false};
      goal.orientation = body.world().rotations[std::size_t(goal.joint)] *
                         Quatd(Eigen::AngleAxisd(0.2, random_vector(random, 1.0).normalized()));
    }
    problem.goals.push_back(goal);
  }
  for (JointIndex j = 0; j < joints; ++j) {
    JointFreedom freedom;
    if (j % 5 == 2) freedom = {JointKind::hinge, random_vector(random, 1.0).normalized()};
    if (j % 7 == 6) freedom.kind = JointKind::fixed;
    problem.freedom.push_back(freedom);
    problem.stiffness.push_back(std::uniform_real_distribution<double>(0.5, 3.0)(random));
    if (j % 3 == 1) {
      DesiredRotation desired;
      desired.joint = j;
      desired.rotation = body.rotation(j) * Quatd(Eigen::AngleAxisd(0.3, random_vector(random, 1.0).normalized()));
      desired.rate_radps = random_vector(random, 0.5);
      desired.weight = 0.7;
      problem.desired.push_back(desired);
    }
  }
  problem.place = {body.world().positions[0] + random_vector(random, 0.05), random_vector(random, 0.2), 0.6};
  return problem;
}

// A centre of mass that lies off a support of three points, and a joint that is turned out of a small range.
void add_balance_and_range(Problem& problem, unsigned seed) {
  std::mt19937 random(seed + 1000);
  const int joints = problem.skeleton->joint_count();
  std::uniform_int_distribution<int> any_joint(0, joints - 1);
  Articulation body(problem.skeleton);
  body.set_pose(problem.pose);
  for (int m = 0; m < 5; ++m)
    problem.balance.masses.push_back({any_joint(random), random_vector(random, 0.1), 1.0 + m});
  for (int p = 0; p < 3; ++p) problem.balance.support.push_back({0, Vec3d(5.0, 0, 0) + random_vector(random, 0.2)});
  problem.balance.only_held = false;
  problem.balance.margin_m = 0.0;
  problem.balance.weight = 2.0;
  problem.ranged = joints - 1;
  const double a = 0.2;
  problem.range = *JointRange::create(
      {{-a, -a, -a, a}, {a, -a, -a, a}, {0, a, -a, a}}, {{0, 1, 2}},
      body.rotation(problem.ranged) * Quatd(Eigen::AngleAxisd(1.0, random_vector(random, 1.0).normalized())));
}

Vec3d centre_of_mass(const Problem& problem, const Articulation& body) {
  Vec3d sum = Vec3d::Zero();
  double total = 0.0;
  for (const PointMass& mass : problem.balance.masses) {
    sum += mass.mass * body.point(mass.joint, mass.offset_m);
    total += mass.mass;
  }
  return sum / total;
}

// Velocities of all coordinates: root x y z, then three turns per joint.
int coordinate_count(const Problem& problem) {
  return 3 + 3 * problem.skeleton->joint_count();
}

// The body after moving one coordinate by `amount`.
Articulation nudged(const Problem& problem, int coordinate, double amount) {
  Articulation body(problem.skeleton);
  body.set_pose(problem.pose);
  std::vector<Vec3d> turns(std::size_t(problem.skeleton->joint_count()), Vec3d::Zero());
  Vec3d root = Vec3d::Zero();
  if (coordinate < 3) root[coordinate] = amount;
  if (coordinate >= 3) turns[std::size_t((coordinate - 3) / 3)][(coordinate - 3) % 3] = amount;
  body.integrate(root, turns, 1.0);
  return body;
}

struct Dense {
  Eigen::MatrixXd high, low;
  Eigen::VectorXd high_wanted, low_wanted, low_weight, metric;
  Eigen::MatrixXd basis;  // allowed coordinates: columns span what hinges and fixed joints leave
};

void append(Eigen::MatrixXd& matrix, const Eigen::RowVectorXd& row) {
  matrix.conservativeResize(matrix.rows() + 1, row.size());
  matrix.row(matrix.rows() - 1) = row;
}
void append(Eigen::VectorXd& vector, double value) {
  vector.conservativeResize(vector.size() + 1);
  vector[vector.size() - 1] = value;
}

Dense dense_form(const Problem& problem, const PinDragParams& params) {
  const int n = coordinate_count(problem);
  Articulation body(problem.skeleton);
  body.set_pose(problem.pose);
  Dense dense;
  dense.metric = Eigen::VectorXd::Ones(n);
  dense.metric.head(3).setConstant(params.root_stiffness_lin);
  for (JointIndex j = 0; j < problem.skeleton->joint_count(); ++j) {
    dense.metric.segment(3 + 3 * j, 3)
        .setConstant(problem.stiffness[std::size_t(j)] * (j == 0 ? params.root_stiffness_ang : 1.0));
  }
  constexpr double kNudge = 1e-6;
  for (const Goal& goal : problem.goals) {
    Eigen::MatrixXd linear(3, n), angular(3, n);
    for (int c = 0; c < n; ++c) {
      const Articulation plus = nudged(problem, c, kNudge), minus = nudged(problem, c, -kNudge);
      linear.col(c) = (plus.point(goal.joint, goal.offset_m) - minus.point(goal.joint, goal.offset_m)) / (2 * kNudge);
      const auto joint = std::size_t(goal.joint);
      angular.col(c) =
          log_rotation(plus.world().rotations[joint] * minus.world().rotations[joint].conjugate()) / (2 * kNudge);
    }
    const bool high = goal.priority == Priority::high;
    const double gain = high ? params.drag_gain : params.pin_gain;
    const Vec3d velocity = goal.velocity_mps + gain * (goal.position_m - body.point(goal.joint, goal.offset_m));
    const Vec3d turn =
        goal.angular_velocity_radps +
        gain * log_rotation(goal.orientation * body.world().rotations[std::size_t(goal.joint)].conjugate());
    const auto add = [&](const Eigen::RowVectorXd& row, double wanted, double strength) {
      append(high ? dense.high : dense.low, row);
      append(high ? dense.high_wanted : dense.low_wanted, wanted);
      if (!high) append(dense.low_weight, goal.weight * strength);
    };
    for (int axis = 0; axis < 3; ++axis) {
      if (goal.position_axes[std::size_t(axis)]) add(linear.row(axis), velocity[axis], params.pin_strength);
      if (goal.orientation_axes[std::size_t(axis)]) add(angular.row(axis), turn[axis], params.orientation_strength);
    }
  }
  for (const DesiredRotation& desired : problem.desired) {
    const JointIndex parent = problem.skeleton->parent(desired.joint);
    const Quatd world_from_parent =
        parent == kNoJoint ? Quatd::Identity() : body.world().rotations[std::size_t(parent)];
    const Vec3d wanted =
        world_from_parent *
        (desired.rate_radps +
         params.desired_gain * log_rotation(desired.rotation * body.rotation(desired.joint).conjugate()));
    for (int axis = 0; axis < 3; ++axis) {
      append(dense.low, Eigen::RowVectorXd::Unit(n, 3 + 3 * desired.joint + axis));
      append(dense.low_wanted, wanted[axis]);
      append(dense.low_weight, desired.weight * params.desired_strength);
    }
  }
  const Vec3d to_place =
      problem.place.velocity_mps + params.desired_gain * (problem.place.position_m - body.world().positions[0]);
  for (int axis = 0; axis < 3; ++axis) {
    append(dense.low, Eigen::RowVectorXd::Unit(n, axis));
    append(dense.low_wanted, to_place[axis]);
    append(dense.low_weight, problem.place.weight);
  }
  if (!problem.balance.masses.empty()) {
    std::vector<Eigen::Vector2d> support;
    for (const SupportPoint& point : problem.balance.support) {
      const Vec3d place = body.point(point.joint, point.offset_m);
      support.push_back({place.x(), place.z()});
    }
    const Vec3d centre = centre_of_mass(problem, body);
    const Eigen::Vector2d way = way_into_hull({centre.x(), centre.z()}, support);
    const Vec3d direction = Vec3d(way.x(), 0.0, way.y()).normalized();
    Eigen::RowVectorXd row(n);
    for (int c = 0; c < n; ++c) {
      row[c] = direction.dot(centre_of_mass(problem, nudged(problem, c, kNudge)) -
                             centre_of_mass(problem, nudged(problem, c, -kNudge))) /
               (2 * kNudge);
    }
    append(dense.low, row);
    append(dense.low_wanted, params.pin_gain * way.norm());
    append(dense.low_weight, problem.balance.weight * params.pin_strength);
  }
  if (problem.range) {
    // Swing and twist, each led back; far out nothing holds the joint along the rim.
    const RangeExcess out = problem.range->excess(body.rotation(problem.ranged));
    EXPECT_GT(std::max(out.swing, out.twist_rad), 0.05);
    for (double RangeExcess::*part : {&RangeExcess::swing, &RangeExcess::twist_rad}) {
      if (out.*part == 0.0) continue;
      Eigen::RowVectorXd row(n);
      for (int c = 0; c < n; ++c) {
        const auto at = [&](double nudge) {
          return problem.range->excess(nudged(problem, c, nudge).rotation(problem.ranged)).*part;
        };
        row[c] = (at(kNudge) - at(-kNudge)) / (2 * kNudge);
      }
      append(dense.low, row);
      append(dense.low_wanted, -params.range_gain * (out.*part));
      append(dense.low_weight, params.range_strength);
    }
  }
  // Columns of allowed motion.
  std::vector<Eigen::VectorXd> columns;
  for (int c = 0; c < 3; ++c) columns.push_back(Eigen::VectorXd::Unit(n, c));
  for (JointIndex j = 0; j < problem.skeleton->joint_count(); ++j) {
    const JointFreedom& freedom = problem.freedom[std::size_t(j)];
    if (freedom.kind == JointKind::fixed) continue;
    if (freedom.kind == JointKind::hinge) {
      Eigen::VectorXd column = Eigen::VectorXd::Zero(n);
      column.segment(3 + 3 * j, 3) = body.world().rotations[std::size_t(j)] * freedom.axis;
      columns.push_back(column);
      continue;
    }
    for (int axis = 0; axis < 3; ++axis) columns.push_back(Eigen::VectorXd::Unit(n, 3 + 3 * j + axis));
  }
  dense.basis.resize(n, Eigen::Index(columns.size()));
  for (std::size_t c = 0; c < columns.size(); ++c) dense.basis.col(Eigen::Index(c)) = columns[c];
  return dense;
}

// min |x|^2_W + |low x - wanted|^2_We  s.t.  high x = wanted, by the KKT system.
Eigen::VectorXd dense_rates(const Dense& dense) {
  const Eigen::MatrixXd low = dense.low * dense.basis, high = dense.high * dense.basis;
  const Eigen::Index n = dense.basis.cols(), m = high.rows();
  Eigen::MatrixXd kkt = Eigen::MatrixXd::Zero(n + m, n + m);
  kkt.topLeftCorner(n, n) = dense.basis.transpose() * dense.metric.asDiagonal() * dense.basis +
                            low.transpose() * dense.low_weight.asDiagonal() * low;
  kkt.topRightCorner(n, m) = high.transpose();
  kkt.bottomLeftCorner(m, n) = high;
  Eigen::VectorXd right(n + m);
  right.head(n) = low.transpose() * dense.low_weight.asDiagonal() * dense.low_wanted;
  right.tail(m) = dense.high_wanted;
  return dense.basis * kkt.fullPivLu().solve(right).head(n);
}

void expect_dense_solution(const Problem& problem, unsigned seed) {
  PinDragParams params;
  params.drag_damping = 1e-12;
  params.curvature = 0.0;
  params.max_rate_radps = params.max_speed_mps = 1e9;
  const int joints = problem.skeleton->joint_count();
  PinDragSolver solver(problem.skeleton, params);
  solver.body().set_pose(problem.pose);
  for (const Goal& goal : problem.goals) ASSERT_TRUE(solver.add_goal(goal).has_value());
  for (const auto& desired : problem.desired) ASSERT_TRUE(solver.set_desired(desired).has_value());
  ASSERT_TRUE(solver.set_desired_place(problem.place).has_value());
  for (JointIndex j = 0; j < joints; ++j) {
    ASSERT_TRUE(solver.set_freedom(j, problem.freedom[std::size_t(j)]).has_value());
    ASSERT_TRUE(solver.set_stiffness(j, problem.stiffness[std::size_t(j)]).has_value());
  }
  if (!problem.balance.masses.empty()) {
    ASSERT_TRUE(solver.set_balance(problem.balance).has_value());
  }
  if (problem.range) solver.set_range(problem.ranged, problem.range);
  const Eigen::VectorXd expected = dense_rates(dense_form(problem, params));
  const StepReport report = solver.step(kStep);
  EXPECT_EQ(report.shortened, 1.0);
  const double scale = 1.0 + expected.cwiseAbs().maxCoeff();
  EXPECT_LT((solver.root_velocity_mps() - expected.head<3>()).norm(), 1e-5 * scale) << joints << " seed " << seed;
  for (JointIndex j = 0; j < joints; ++j) {
    EXPECT_LT((solver.joint_rates_radps()[std::size_t(j)] - expected.segment<3>(3 + 3 * j)).norm(), 1e-5 * scale)
        << joints << " joints, seed " << seed << ", joint " << j;
  }
}

TEST(PinDragStep, EqualsTheDenseConstrainedSolution) {
  for (const int joints : {2, 6, 18, 40}) {
    for (unsigned seed = 1; seed <= 5; ++seed) expect_dense_solution(random_problem(joints, seed), seed);
  }
}

TEST(PinDragStep, WithBalanceAndARangeToo) {
  for (const int joints : {4, 9, 18, 36}) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      Problem problem = random_problem(joints, seed);
      add_balance_and_range(problem, seed);
      problem.freedom[std::size_t(problem.ranged)] = {};
      expect_dense_solution(problem, seed);
    }
  }
}

}  // namespace
}  // namespace shosa::posing
