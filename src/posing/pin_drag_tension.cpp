// What the linear step leaves out: limbs under tension bend the paths of their points.

#include <algorithm>
#include <cmath>

#include "posing/pin_drag_workspace.h"
#include "shosa/core/rotations.h"

namespace shosa::posing {

namespace {

// Orientation errors are compared with positions at this lever.
constexpr double kRadianAsMetres = 0.2;

}  // namespace

// How far the linear step held, as a factor on the stiffening: a step that comes out as promised can be bolder, one
// that does not must be more careful (Levenberg-Marquardt's gain ratio).
void PinDragSolver::adapt_caution(const Scratch& s, double step_s, double shortened) {
  Workspace& w = *work_;
  Progress high, low;
  std::size_t r = 0;
  const auto count = [&](const Goal& goal, double scale, double error_now) {
    const GoalRow& row = s.rows[r];
    const double still = row.error + step_s * row.drift;
    const double rate = row.asked - row.damping * s.multipliers[static_cast<Eigen::Index>(r)];
    const double promised = still - step_s * shortened * rate;
    const double came = error_now + step_s * row.drift;
    const bool is_high = goal.priority == Priority::high;
    const double weight = scale * (is_high ? 1.0 : goal.weight);
    Progress& progress = is_high ? high : low;
    progress.still += weight * still * still;
    progress.promised += weight * promised * promised;
    progress.came += weight * came * came;
    progress.moved += weight * (still - promised) * (still - promised);
    progress.missed += weight * (came - promised) * (came - promised);
    ++r;
  };
  for (const Goal& goal : goals_) {
    if (!goal.on) continue;
    const Vec3d way = goal.position_m - body_.point(goal.joint, goal.offset_m);
    for (int axis = 0; axis < 3; ++axis) {
      if (goal.position_axes[axis]) count(goal, 1.0, way[axis]);
    }
    if (goal.orientation_axes == kNoAxes) continue;
    const Quatd& now = body_.world().rotations[goal.joint];
    const Vec3d turn = log_rotation(goal.orientation * now.conjugate());
    for (int axis = 0; axis < 3; ++axis) {
      if (!goal.orientation_axes[axis]) continue;
      count(goal, kRadianAsMetres * kRadianAsMetres, turn[axis]);
    }
  }

  constexpr double kMet = 1e-5 * 1e-5, kNoise = 1e-9, kWorthwhile = 1e-3, kBolder = 0.2, kCareful = 8.0;
  const auto factor = [&](const Progress& progress) {
    if (progress.still < kMet && progress.came < kMet) return kBolder;
    const double promised = progress.still - progress.promised;
    double kept = 1.0;
    if (promised > kNoise * progress.still) kept = (progress.still - progress.came) / promised;
    kept = std::min(kept, 1.0 - std::sqrt(progress.missed / (progress.moved + progress.still)));
    if (kept < 0.25) return kCareful;
    // Nielsen's rule, 1 where half is kept: smooth, so that it does not hunt. Where little is promised, as at rest,
    // nothing is learnt.
    const double smooth = 1.0 - std::pow(2.0 * kept - 1.0, 3);
    return std::max(smooth, std::abs(promised) > kWorthwhile * progress.still ? kBolder : 1.0);
  };
  // A step cut short far below what it asked for was too bold as well.
  constexpr double kLeast = 0.02, kMost = 10.0;
  const double haste = shortened < 0.1 ? kCareful : shortened < 1.0 ? 1.0 : 0.0;
  if (high.came < kMet && low.came < kMet) {
    w.caution = std::max(w.caution, 1.0);
  } else {
    w.caution = std::clamp(w.caution * std::max({factor(low), factor(high), haste}), kLeast, kMost);
  }
  // Squares of targets beyond 1e150 m overflow: nothing is learnt from them.
  if (!std::isfinite(w.caution)) w.caution = 1.0;
}

// What the linear step does not see: a joint that turns by d under a force F at the lever r bends the path of the point
// by d^2 / 2, which costs F . r of it; two joints on one path share that. The sum over the pairs that a joint is in,
// added to its weight, bounds the whole curvature (diagonal dominance), so that a stretched limb comes to rest instead
// of overshooting. Forces are the multipliers of the step just done.
void PinDragSolver::stiffen(const Scratch& s, double step_s) {
  Workspace& w = *work_;
  std::fill(w.bend.begin(), w.bend.end(), 0.0);
  std::fill(w.stiffening.begin(), w.stiffening.end(), 0.0);
  Eigen::Index r = 0;
  for (const Goal& goal : goals_) {
    if (!goal.on) continue;
    Vec3d force = Vec3d::Zero(), torque = Vec3d::Zero();
    for (int axis = 0; axis < 3; ++axis) {
      if (goal.position_axes[axis]) force[axis] = s.multipliers[r++];
    }
    for (int axis = 0; axis < 3; ++axis) {
      if (goal.orientation_axes[axis]) torque[axis] = s.multipliers[r++];
    }
    const double strength = force.norm(), twist = 0.5 * torque.norm();
    if (!std::isfinite(strength) || !std::isfinite(twist)) continue;
    const Vec3d point = body_.point(goal.joint, goal.offset_m);
    for (JointIndex j = goal.joint; j != kNoJoint; j = body_.skeleton().parent(j)) {
      const auto index = static_cast<std::size_t>(j);
      const Vec3d lever = point - body_.world().positions[index];
      // Largest eigenvalue of (F . r) I - (F r^T + r F^T) / 2.
      w.bend[index] += step_s * (0.5 * (strength * lever.norm() + force.dot(lever)) + twist);
    }
  }
  // A pair bends as much as its deeper joint.
  const double share = w.caution * params_.curvature;
  for (JointIndex j = body_.joint_count() - 1; j >= 0; --j) {
    const auto index = static_cast<std::size_t>(j);
    const JointIndex parent = body_.skeleton().parent(j);
    if (parent != kNoJoint) w.stiffening[parent] += w.stiffening[index] + w.bend[index];
    w.stiffening[index] = share * (w.stiffening[index] + (w.depth[index] + 1) * w.bend[index]);
  }
}

// Along the rim of a range the second derivative of the squared excess is 0 past an edge and 1 past a corner, and steps
// are longer than edges: a light joint hops to and fro over a corner. A joint that turns back is held along the rim,
// the more the longer it goes on with it, up to what a corner would hold; 1 never oversteps. One that goes on is let
// go.
void PinDragSolver::calm_ranges() {
  constexpr double kTurnedBack = -0.5, kFirst = 0.05, kMore = 4.0, kLess = 0.7;
  Workspace& w = *work_;
  for (std::size_t j = 0; j < ranges_.size(); ++j) {
    if (!ranges_[j] || !range_on_[j]) {
      w.unrest[j] = 0.0;
      continue;
    }
    const double both = w.rate[j].norm() * w.last_rate[j].norm();
    const bool back = w.rate[j].dot(w.last_rate[j]) < kTurnedBack * both;
    w.unrest[j] = back ? std::clamp(kMore * w.unrest[j], kFirst, 1.0) : kLess * w.unrest[j];
    w.last_rate[j] = w.rate[j];
  }
}

}  // namespace shosa::posing
