#include "retarget/floor_clearance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "retarget/limbs.h"
#include "shosa/core/rotations.h"

namespace shosa::retarget {
namespace {

// The margin, as a share of the forearm.
constexpr double kMargin = 0.1;
// How much of the arm a straight elbow's way is given by the body's back rather than by its own bend.
constexpr double kStraight = 0.05;
// The arm is also turned outward and up, with the square of the share, by this angle at the largest: an arm whose bones
// differ much in length cannot be folded small.
constexpr double kMaxTurn_rad = 2.0;
constexpr double kUp = 0.6, kOutward = 0.8;
constexpr int kShares = 24;  // tried before the search between two of them
constexpr double kMaxShare = 0.8;
constexpr int kHalvings = 30;

double lift_m(double height_m, double margin_m) {
  if (height_m >= margin_m) return 0.0;
  if (height_m <= -margin_m) return -height_m;
  const double into = margin_m - height_m;
  return into * into / (4.0 * margin_m);
}

}  // namespace

FloorClearance::FloorClearance(const WorkBody& body, double ground_m) : body_(body), ground_m_(ground_m) {
  const Skeleton& skeleton = *body.skeleton;
  for (std::size_t i = 0; i < kArms.size(); ++i) {
    const ArmRoles& roles = kArms[i];
    if (!body.map.has(roles.upper) || !body.map.has(roles.lower) || !body.map.has(roles.hand)) continue;
    Arm& arm = arms_[i];
    arm.upper = body.map.joint(roles.upper);
    arm.lower = body.map.joint(roles.lower);
    arm.hand = body.map.joint(roles.hand);
    std::vector<bool> inside(skeleton.joint_count(), false);
    for (JointIndex j = arm.lower; j < skeleton.joint_count(); ++j) {
      inside[j] = j == arm.lower || inside[skeleton.parent(j)];
      if (inside[j] && j != arm.lower) arm.points.push_back({j});
    }
    for (const EndSite& tip : skeleton.end_sites()) {
      if (inside[tip.parent]) arm.points.push_back({tip.parent, tip.offset_m.cast<double>()});
    }
    arm.margin_m = kMargin * (skeleton.rest_positions()[arm.hand] - skeleton.rest_positions()[arm.lower]).norm();
  }
}

bool FloorClearance::lift(Pose& pose) {
  forward_kinematics(*body_.skeleton, pose, world_);
  const bool left = lift_arm(arms_[0], pose), right = lift_arm(arms_[1], pose);
  return left || right;
}

// Two bones of constant length, the wrist at (1 - share) of its way from the shoulder, the elbow on the side of `bend`.
FloorClearance::Drawn FloorClearance::draw_in(const Arm& arm, const Ways& ways, double share) const {
  const Vec3d shoulder = world_.positions[arm.upper], elbow = world_.positions[arm.lower],
              wrist = world_.positions[arm.hand];
  const double a = (elbow - shoulder).norm(), b = (wrist - elbow).norm();
  const Vec3d along = (wrist - shoulder).normalized();
  const double reach = std::clamp((1.0 - share) * (wrist - shoulder).norm(), std::abs(a - b), a + b);
  const double foot = reach > 0.0 ? (reach * reach + a * a - b * b) / (2.0 * reach) : 0.0;
  const Vec3d side = (ways.bend - ways.bend.dot(along) * along).normalized();
  const double part = share / kMaxShare;
  const Eigen::AngleAxisd turn(kMaxTurn_rad * part * part, ways.turn_axis);
  Drawn drawn;
  drawn.wrist_m = shoulder + turn * (reach * along);
  drawn.elbow_m = shoulder + turn * (foot * along + std::sqrt(std::max(0.0, a * a - foot * foot)) * side);
  const Quatd swing_upper = shortest_turn(elbow - shoulder, drawn.elbow_m - shoulder);
  const Quatd swing_lower = shortest_turn(wrist - elbow, drawn.wrist_m - drawn.elbow_m);
  drawn.upper = swing_upper * world_.rotations[arm.upper];
  drawn.lower = swing_lower * world_.rotations[arm.lower];
  return drawn;
}

double FloorClearance::lowest_m(const Arm& arm, const Drawn& drawn) const {
  const Quatd turn = drawn.lower * world_.rotations[arm.lower].conjugate();
  double lowest = std::numeric_limits<double>::infinity();
  for (const Point& point : arm.points) {
    const Vec3d at = world_.positions[point.joint] + world_.rotations[point.joint] * point.offset_m;
    lowest = std::min(lowest, (drawn.elbow_m + turn * (at - world_.positions[arm.lower])).y());
  }
  return lowest;
}

bool FloorClearance::lift_arm(const Arm& arm, Pose& pose) {
  if (arm.upper == kNoJoint) return false;
  const Vec3d shoulder = world_.positions[arm.upper], elbow = world_.positions[arm.lower],
              wrist = world_.positions[arm.hand];
  const double length = (elbow - shoulder).norm() + (wrist - elbow).norm();
  const double reach = (wrist - shoulder).norm();
  if (reach < 1e-6 * length) return false;
  const Drawn own = {world_.rotations[arm.upper], world_.rotations[arm.lower], elbow, wrist};
  const double height = lowest_m(arm, own) - ground_m_;
  const double lift = lift_m(height, arm.margin_m);
  if (lift <= 0.0) return false;

  const Vec3d along = (wrist - shoulder) / reach;
  const Vec3d offset = elbow - shoulder - (elbow - shoulder).dot(along) * along;
  const Vec3d back = world_.rotations[body_.map.joint(body::Role::hips)] *
                     (body_.reference.laid[body_.map.joint(body::Role::hips)].conjugate() * -Vec3d::UnitZ());
  Ways ways = {.bend = offset + kStraight * length * back};
  if ((ways.bend - ways.bend.dot(along) * along).norm() < 1e-9 * length) return false;
  Vec3d outward = shoulder - world_.positions[body_.map.joint(body::Role::hips)];
  outward -= outward.dot(back) * back;
  outward.y() = 0.0;
  ways.turn_axis = along.cross(kOutward * outward.stableNormalized() + kUp * Vec3d::UnitY());
  if (ways.turn_axis.norm() < 1e-9) return false;
  ways.turn_axis.normalize();

  const double wanted = height + lift + ground_m_;
  double share = 0.0, highest = -std::numeric_limits<double>::infinity(), before = 0.0;
  for (int i = 1; i <= kShares; ++i) {
    const double tried = kMaxShare * i / kShares;
    const double lowest = lowest_m(arm, draw_in(arm, ways, tried));
    if (lowest >= wanted) {
      double low = before, high = tried;
      for (int halving = 0; halving < kHalvings; ++halving) {
        const double middle = 0.5 * (low + high);
        (lowest_m(arm, draw_in(arm, ways, middle)) >= wanted ? high : low) = middle;
      }
      share = high;
      break;
    }
    if (lowest > highest) {
      highest = lowest;
      share = tried;
    }
    before = tried;
  }
  const Drawn drawn = draw_in(arm, ways, share);
  const Quatd over_upper = world_.rotations[body_.skeleton->parent(arm.upper)];
  // What lies between the two joints, if anything, turns with the upper arm.
  const Quatd over_lower =
      drawn.upper * world_.rotations[arm.upper].conjugate() * world_.rotations[body_.skeleton->parent(arm.lower)];
  pose.set_rotation(arm.upper, (over_upper.conjugate() * drawn.upper).cast<float>());
  pose.set_rotation(arm.lower, (over_lower.conjugate() * drawn.lower).cast<float>());
  return true;
}

}  // namespace shosa::retarget
