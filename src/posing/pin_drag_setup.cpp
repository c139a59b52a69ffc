// What the caller sets on a PinDragSolver, and what can be measured on it.

#include <algorithm>
#include <cassert>
#include <cmath>

#include "posing/pin_drag_workspace.h"
#include "shosa/core/rotations.h"
#include "shosa/core/state_bytes.h"

namespace shosa::posing {

PinDragSolver::PinDragSolver(std::shared_ptr<const Skeleton> skeleton, PinDragParams params)
    : body_(std::move(skeleton)), params_(params), work_(std::make_unique<Workspace>()) {
  const auto joints = static_cast<std::size_t>(body_.joint_count());
  desired_.resize(joints);
  for (auto& desired : desired_) desired.weight = 0.0;
  ranges_.resize(joints);
  range_on_.assign(joints, true);
  allowed_.assign(joints, Quatd::Identity());
  allowed_excess_.resize(joints);
  stiffness_.assign(joints, 1.0);
  freedom_.resize(joints);

  Workspace& w = *work_;
  w.rate.assign(joints, Vec3d::Zero());
  forget_steps();
  w.depth.assign(joints, 0);
  w.descends.assign(joints * joints, 0);
  for (std::size_t j = 0; j < joints; ++j) {
    const JointIndex parent = body_.skeleton().parent(static_cast<JointIndex>(j));
    if (parent != kNoJoint) {
      const auto above = static_cast<std::size_t>(parent);
      w.depth[j] = w.depth[above] + 1;
      std::copy_n(w.descends.begin() + static_cast<std::ptrdiff_t>(above * joints), joints,
                  w.descends.begin() + static_cast<std::ptrdiff_t>(j * joints));
    }
    w.descends[j * joints + j] = 1;
  }
}

void PinDragSolver::forget_steps() {
  Workspace& w = *work_;
  const auto joints = static_cast<std::size_t>(body_.joint_count());
  for (auto* numbers : {&w.bend, &w.stiffening, &w.unrest}) numbers->assign(joints, 0.0);
  w.last_rate.assign(joints, Vec3d::Zero());
  w.range_triangle.assign(joints, 0);
  w.caution = 1.0;
}

PinDragSolver::~PinDragSolver() = default;
PinDragSolver::PinDragSolver(PinDragSolver&&) noexcept = default;
PinDragSolver& PinDragSolver::operator=(PinDragSolver&&) noexcept = default;

namespace {

Result<void> check_joint(const Articulation& body, JointIndex joint, const char* what) {
  if (joint < 0 || joint >= body.joint_count()) {
    return fail(ErrorCode::invalid_argument, "{}: joint {}, expected 0 to {}", what, joint, body.joint_count() - 1);
  }
  return {};
}

Result<void> check_goal(const Articulation& body, const Goal& goal) {
  if (const auto known = check_joint(body, goal.joint, "goal"); !known) return known;
  const bool finite = goal.offset_m.allFinite() && goal.position_m.allFinite() && goal.velocity_mps.allFinite() &&
                      goal.orientation.coeffs().allFinite() && goal.angular_velocity_radps.allFinite();
  if (!finite) {
    return fail(ErrorCode::invalid_argument, "goal on '{}': a target that is not finite",
                body.skeleton().name(goal.joint));
  }
  if (goal.orientation.norm() < 1e-6) {
    return fail(ErrorCode::invalid_argument, "goal on '{}': an orientation of length 0, expected a unit quaternion",
                body.skeleton().name(goal.joint));
  }
  if (!(goal.weight > 0.0) || !std::isfinite(goal.weight)) {
    return fail(ErrorCode::invalid_argument,
                "goal on '{}': weight {}, expected a positive number (switch it off with on = false)",
                body.skeleton().name(goal.joint), goal.weight);
  }
  return {};
}

}  // namespace

// Six rows of each goal and one of the balance.
PinDragSolver::Scratch& PinDragSolver::scratch() const {
  Scratch& scratch = thread_scratch<Scratch>(body_.joint_count());
  scratch.fit(goals_.size() * 6 + 1);
  return scratch;
}

Result<PinDragSolver::GoalId> PinDragSolver::add_goal(const Goal& goal) {
  if (const auto checked = check_goal(body_, goal); !checked) return std::unexpected(checked.error());
  goals_.push_back(goal);
  goals_.back().orientation.normalize();
  (void)scratch();  // so that steps on this thread allocate nothing
  return static_cast<GoalId>(goals_.size()) - 1;
}

Result<void> PinDragSolver::set_goal(GoalId id, const Goal& goal) {
  if (id < 0 || id >= goal_count()) {
    return fail(ErrorCode::invalid_argument, "goal {}, expected 0 to {}", id, goal_count() - 1);
  }
  if (const auto checked = check_goal(body_, goal); !checked) return checked;
  goals_[id] = goal;
  goals_[id].orientation.normalize();
  return {};
}

Result<void> PinDragSolver::set_desired(const DesiredRotation& desired) {
  if (const auto known = check_joint(body_, desired.joint, "desired rotation"); !known) return known;
  if (!desired.rotation.coeffs().allFinite() || desired.rotation.norm() < 1e-6 || !desired.rate_radps.allFinite() ||
      !(desired.weight >= 0.0) || !std::isfinite(desired.weight)) {
    return fail(
        ErrorCode::invalid_argument,
        "desired rotation of '{}': weight {}, length {}, expected >= 0, and a unit quaternion with a finite rate",
        body_.skeleton().name(desired.joint), desired.weight, desired.rotation.norm());
  }
  auto& slot = desired_[desired.joint];
  slot = desired;
  slot.rotation.normalize();
  return {};
}

Result<void> PinDragSolver::set_desired_place(const DesiredPlace& desired) {
  if (!desired.position_m.allFinite() || !desired.velocity_mps.allFinite() || !(desired.weight >= 0.0) ||
      !std::isfinite(desired.weight)) {
    return fail(ErrorCode::invalid_argument,
                "desired place of the root: weight {}, expected >= 0, and a finite place and velocity", desired.weight);
  }
  desired_place_ = desired;
  return {};
}

Result<void> PinDragSolver::set_stiffness(JointIndex joint, double stiffness) {
  if (const auto known = check_joint(body_, joint, "stiffness"); !known) return known;
  if (!(stiffness > 0.0) || !std::isfinite(stiffness)) {
    return fail(ErrorCode::invalid_argument, "stiffness of '{}': {}, expected a positive number",
                body_.skeleton().name(joint), stiffness);
  }
  stiffness_[joint] = stiffness;
  return {};
}

Result<void> PinDragSolver::set_freedom(JointIndex joint, const JointFreedom& freedom) {
  if (const auto known = check_joint(body_, joint, "freedom"); !known) return known;
  if (!freedom.axis.allFinite() || freedom.axis.norm() < 1e-6) {
    return fail(ErrorCode::invalid_argument, "freedom of '{}': an axis of length {}, expected a direction",
                body_.skeleton().name(joint), freedom.axis.norm());
  }
  auto& slot = freedom_[joint];
  slot = freedom;
  slot.axis.normalize();
  return {};
}

void PinDragSolver::set_range(JointIndex joint, std::optional<JointRange> range) {
  assert(joint >= 0 && joint < body_.joint_count());
  ranges_[joint] = range ? std::make_shared<const JointRange>(*std::move(range)) : nullptr;
}

void PinDragSolver::set_range(JointIndex joint, std::shared_ptr<const JointRange> range) {
  assert(joint >= 0 && joint < body_.joint_count());
  ranges_[joint] = std::move(range);
}

void PinDragSolver::enable_range(JointIndex joint, bool on) {
  assert(joint >= 0 && joint < body_.joint_count());
  range_on_[joint] = on;
}

double PinDragSolver::position_error_m(GoalId id) const {
  const Goal& goal = goals_[id];
  Vec3d error = goal.position_m - body_.point(goal.joint, goal.offset_m);
  for (int axis = 0; axis < 3; ++axis) {
    if (!goal.position_axes[axis]) error[axis] = 0.0;
  }
  return error.norm();
}

double PinDragSolver::orientation_error_rad(GoalId id) const {
  const Goal& goal = goals_[id];
  const Quatd& now = body_.world().rotations[goal.joint];
  Vec3d error = log_rotation(goal.orientation * now.conjugate());
  for (int axis = 0; axis < 3; ++axis) {
    if (!goal.orientation_axes[axis]) error[axis] = 0.0;
  }
  return error.norm();
}

double PinDragSolver::range_violation_rad(JointIndex joint) const {
  assert(joint >= 0 && joint < body_.joint_count());
  return ranges_[joint] ? beyond_allowed_rad(joint, nullptr) : 0.0;
}

double PinDragSolver::beyond_allowed_rad(JointIndex joint, int* triangle) const {
  const auto out = [&](const Quatd& rotation, int* where) {
    return ranges_[joint]->nearest(rotation, RangeTarget::nearest, where).correction_rad.norm();
  };
  const double now = out(body_.rotation(joint), triangle);
  return now > 0.0 && allows_ ? std::max(0.0, now - out(allowed_[joint], nullptr)) : now;
}

// Measured where it is needed: most joints are inside their ranges.
const RangeExcess& PinDragSolver::allowed_excess(std::size_t joint) {
  RangeExcess& excess = allowed_excess_[joint];
  if (excess.swing < 0.0) excess = ranges_[joint]->excess(allowed_[joint]);
  return excess;
}

void PinDragSolver::allow(const Articulation& reference) {
  assert(reference.joint_count() == body_.joint_count());
  allows_ = true;
  for (JointIndex j = 0; j < body_.joint_count(); ++j) {
    allowed_[j] = reference.rotation(j);
    allowed_excess_[j].swing = -1.0;
  }
  if (!balance_) return;
  double share = 0.0;
  balance_slack_m_ = way_to_support(reference, 0.0, share).norm();
  balance_margin_slack_m_ = way_to_support(reference, balance_->margin_m, share).norm();
}

void PinDragSolver::visit_state(StateBytes& bytes) {
  bytes(body_);
  for (Goal& goal : goals_) {
    bytes(goal.joint, goal.offset_m, goal.position_axes, goal.position_m, goal.velocity_mps, goal.orientation_axes,
          goal.orientation, goal.angular_velocity_radps, goal.priority, goal.weight, goal.on);
  }
  for (DesiredRotation& desired : desired_) bytes(desired.joint, desired.rotation, desired.rate_radps, desired.weight);
  bytes(desired_place_.position_m, desired_place_.velocity_mps, desired_place_.weight, allows_, allowed_,
        balance_slack_m_, balance_margin_slack_m_, stiffness_);
  for (RangeExcess& excess : allowed_excess_) bytes(excess.swing, excess.twist_rad);
  Workspace& w = *work_;
  bytes(w.bend, w.stiffening, w.last_rate, w.unrest, w.range_triangle, w.caution);
}

std::span<const Vec3d> PinDragSolver::joint_rates_radps() const {
  return work_->rate;
}

const Vec3d& PinDragSolver::root_velocity_mps() const {
  return work_->root_velocity;
}

}  // namespace shosa::posing
