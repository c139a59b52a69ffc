#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <vector>

#include "scenes/random.h"
#include "scenes/scenes.h"
#include "shosa/posing/pin_drag_solver.h"

// Random bodies and goals for the property tests of pin-and-drag, and plain slow kinematics to check them with.
namespace shosa::posing::test {

/// Positions of all joints by the textbook: rotations and offsets multiplied down from the root, nothing else.
inline std::vector<Vec3d> plain_positions(const Articulation& body, std::vector<Quatd>* turns = nullptr) {
  const Skeleton& skeleton = body.skeleton();
  std::vector<Vec3d> place(std::size_t(body.joint_count()));
  std::vector<Quatd> turn(place.size());
  for (JointIndex j = 0; j < body.joint_count(); ++j) {
    const JointIndex parent = skeleton.parent(j);
    if (parent == kNoJoint) {
      place[0] = body.world().positions[0];
      turn[0] = body.rotation(0);
      continue;
    }
    const auto above = std::size_t(parent);
    place[std::size_t(j)] = place[above] + turn[above] * skeleton.joint(j).rest_translation_m.cast<double>();
    turn[std::size_t(j)] = turn[above] * body.rotation(j);
  }
  if (turns) *turns = turn;
  return place;
}

/// Distance of a goal's point from its target along the held axes, by `plain_positions`.
inline double plain_error_m(const Articulation& body, const Goal& goal) {
  std::vector<Quatd> turns;
  const auto places = plain_positions(body, &turns);
  const auto joint = std::size_t(goal.joint);
  Vec3d error = goal.position_m - (places[joint] + turns[joint] * goal.offset_m);
  for (int axis = 0; axis < 3; ++axis) {
    if (!goal.position_axes[std::size_t(axis)]) error[axis] = 0.0;
  }
  return error.norm();
}

/// A random tree with exactly `dof` degrees of freedom: the root moves (3), joints are balls, hinges or fixed.
struct RandomBody {
  std::shared_ptr<const Skeleton> skeleton;
  std::vector<JointFreedom> freedom;
  Pose pose;
  int dof = 0;

  RandomBody(int wanted, std::uint64_t seed) : dof(wanted) {
    scenes::Random random(seed * 7919 + 13);
    int left = wanted - 3;
    while (left > 0) {
      JointFreedom joint;
      const double draw = random.uniform();
      joint.axis = random.direction();
      if (draw < 0.25 || left < 3) joint.kind = JointKind::hinge;
      if (draw > 0.93 && !freedom.empty()) joint.kind = JointKind::fixed;
      left -= joint.kind == JointKind::ball ? 3 : joint.kind == JointKind::hinge ? 1 : 0;
      freedom.push_back(joint);
    }
    skeleton = scenes::random_tree(int(freedom.size()), seed);
    pose = scenes::random_clip(skeleton, 2, seed + 1).frame(1);
  }

  PinDragSolver solver(PinDragParams params = {}) const {
    PinDragSolver made(skeleton, params);
    made.body().set_pose(pose);
    for (std::size_t j = 0; j < freedom.size(); ++j) {
      if (!made.set_freedom(JointIndex(j), freedom[j])) std::abort();
    }
    return made;
  }

  /// Unit rates of every coordinate: root x y z, then each joint's turns (world axes, relative to the parent).
  struct Coordinate {
    JointIndex joint = kNoJoint;  // kNoJoint: the root moves
    Vec3d axis = Vec3d::Zero();
  };
  std::vector<Coordinate> coordinates(const Articulation& body) const {
    std::vector<Coordinate> all;
    for (int axis = 0; axis < 3; ++axis) all.push_back({kNoJoint, Vec3d::Unit(axis)});
    for (JointIndex j = 0; j < body.joint_count(); ++j) {
      const JointFreedom& free = freedom[std::size_t(j)];
      if (free.kind == JointKind::hinge) all.push_back({j, body.world().rotations[std::size_t(j)] * free.axis});
      if (free.kind != JointKind::ball) continue;
      for (int axis = 0; axis < 3; ++axis) all.push_back({j, Vec3d::Unit(axis)});
    }
    return all;
  }

  void move(Articulation& body, const Eigen::VectorXd& rates) const {
    const auto all = coordinates(body);
    Vec3d root = Vec3d::Zero();
    std::vector<Vec3d> turns(freedom.size(), Vec3d::Zero());
    for (std::size_t c = 0; c < all.size(); ++c) {
      (all[c].joint == kNoJoint ? root : turns[std::size_t(all[c].joint)]) += rates[Eigen::Index(c)] * all[c].axis;
    }
    body.integrate(root, turns, 1.0);
  }

  bool is_above(JointIndex ancestor, JointIndex joint) const {
    while (joint != kNoJoint && joint != ancestor) joint = skeleton->parent(joint);
    return joint != kNoJoint;
  }

  /// Errors of the held positions and their Jacobian, dense.
  void linearise(const Articulation& body, const std::vector<Goal>& goals, Eigen::VectorXd& error,
                 Eigen::MatrixXd& jacobian) const {
    const auto all = coordinates(body);
    error.resize(3 * Eigen::Index(goals.size()));
    jacobian.setZero(error.size(), Eigen::Index(all.size()));
    for (std::size_t g = 0; g < goals.size(); ++g) {
      const Vec3d point = body.point(goals[g].joint, goals[g].offset_m);
      for (int axis = 0; axis < 3; ++axis) {
        const Eigen::Index row = 3 * Eigen::Index(g) + axis;
        const bool held = goals[g].position_axes[std::size_t(axis)];
        error[row] = held ? goals[g].position_m[axis] - point[axis] : 0.0;
        if (!held) continue;
        for (std::size_t c = 0; c < all.size(); ++c) {
          const JointIndex joint = all[c].joint;
          Vec3d velocity = Vec3d::Zero();
          if (joint == kNoJoint) {
            velocity = all[c].axis;
          } else if (is_above(joint, goals[g].joint)) {
            velocity = all[c].axis.cross(point - body.world().positions[std::size_t(joint)]);
          }
          jacobian(row, Eigen::Index(c)) = velocity[axis];
        }
      }
    }
  }

  /// A walk through postures that all keep `pins`: random rates, projected, and Newton steps back onto the pins.
  /// `amount` is the length of each joint's random rate, over all frames.
  std::vector<Articulation> path_that_keeps(const std::vector<Goal>& pins, int frames, double amount,
                                            std::uint64_t seed) const {
    scenes::Random random(seed);
    Articulation body(skeleton);
    body.set_pose(pose);
    Eigen::VectorXd error, rates(dof);
    Eigen::MatrixXd jacobian;
    for (Eigen::Index c = 0; c < rates.size(); ++c) rates[c] = random.uniform(-1.0, 1.0) * amount / frames;
    rates.head(3) *= 0.3;
    std::vector<Articulation> path = {body};
    for (int f = 1; f < frames; ++f) {
      for (int newton = 0; newton < 4; ++newton) {
        linearise(body, pins, error, jacobian);
        const Eigen::VectorXd wanted = newton == 0 ? rates : Eigen::VectorXd::Zero(dof);
        const Eigen::MatrixXd square =
            jacobian * jacobian.transpose() + 1e-12 * Eigen::MatrixXd::Identity(error.size(), error.size());
        move(body, wanted + jacobian.transpose() * square.partialPivLu().solve(error - jacobian * wanted));
      }
      path.push_back(body);
    }
    return path;
  }
};

/// A goal on a random point of a random joint, where the body has it now.
inline Goal random_goal(const Articulation& body, scenes::Random& random, bool whole = true) {
  Goal goal;
  goal.joint = random.index(body.joint_count());
  goal.offset_m = random.direction() * random.uniform(0.0, 0.15);
  if (!whole) {
    goal.position_axes = kNoAxes;
    goal.position_axes[std::size_t(random.index(3))] = true;
  }
  goal.position_m = body.point(goal.joint, goal.offset_m);
  return goal;
}

}  // namespace shosa::posing::test
