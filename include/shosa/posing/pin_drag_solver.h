#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "shosa/core/result.h"
#include "shosa/posing/articulation.h"
#include "shosa/posing/balance.h"
#include "shosa/posing/joint_range.h"

namespace shosa::posing {

/// High is met first; low is met as well as the high ones allow, by weight.
enum class Priority {
  high,
  low
};

/// Which axes of a vector take part.
using Axes = std::array<bool, 3>;
inline constexpr Axes kAllAxes = {true, true, true};
inline constexpr Axes kNoAxes = {false, false, false};

/// The strength that shows as `share` (0 to 1) of what `full` does. A goal so much stronger than the body is met to a
/// hair at a hundredth of it, so that a fade of the strength itself would be a jump: shares are odds against the body's
/// own stiffness there, by default that of its root.
inline double faded_strength(double full, double share, double stiffness = 1.0) {
  return share >= 1.0 ? full : std::min(full, stiffness * std::max(0.0, share) / (1.0 - share));
}

/// A point or frame of a joint that is to be somewhere. A drag and a pin differ only in their usual priority.
struct Goal {
  JointIndex joint = kNoJoint;     ///< Required.
  Vec3d offset_m = Vec3d::Zero();  ///< The point, in the joint's frame.
  Axes position_axes = kAllAxes;   ///< World axes along which the point is held.
  Vec3d position_m = Vec3d::Zero();
  Vec3d velocity_mps = Vec3d::Zero();     ///< Feed-forward: how fast `position_m` itself moves.
  Axes orientation_axes = kNoAxes;        ///< World axes about which the joint's turn is held.
  Quatd orientation = Quatd::Identity();  ///< world_from_joint.
  Vec3d angular_velocity_radps = Vec3d::Zero();
  Priority priority = Priority::low;
  double weight = 1.0;  ///< Low priority only: > 0; larger is stronger.
  bool on = true;
};

/// A joint that comes near a rotation of its own.
struct DesiredRotation {
  JointIndex joint = kNoJoint;         ///< Required.
  Quatd rotation = Quatd::Identity();  ///< parent_from_joint.
  Vec3d rate_radps = Vec3d::Zero();    ///< Feed-forward, in the parent's frame.
  double weight = 0.1;                 ///< >= 0; 0 is off.
};

/// A root that comes near a place of its own.
struct DesiredPlace {
  Vec3d position_m = Vec3d::Zero();
  Vec3d velocity_mps = Vec3d::Zero();  ///< Feed-forward.
  double weight = 0.1;                 ///< Against `root_stiffness_lin`, >= 0; 0 is off.
};

/// Gains and weights. All rates are per second of the solver's own time.
struct PinDragParams {
  double drag_gain = 60.0;     ///< K_P. At 1 / step_s an error is gone in one step.
  double pin_gain = 60.0;      ///< K_F.
  double desired_gain = 10.0;  ///< K_D.
  double range_gain = 30.0;    ///< K_L.
  double pin_strength = 1e4;   ///< We of a pin of weight 1, against joint rates of weight 1 (rad/s)^2 per (m/s)^2.
  double orientation_strength = 1e3;  ///< We of a held orientation of weight 1.
  double desired_strength = 1.0;      ///< We of a desired rotation of weight 1.
  double range_strength = 1e3;        ///< We of a joint outside its range.
  double drag_damping = 1e-7;         ///< Of high-priority goals, (m/s)^2 per (rad/s)^2.
  /// Share of the body's own curvature that stiffens joints under tension; 0 is the plain linear step.
  double curvature = 0.5;
  double root_stiffness_lin = 1.0;  ///< Cost of moving the root, (rad/s)^2 per (m/s)^2.
  double root_stiffness_ang = 1.0;  ///< Cost of turning the root, times the stiffness of its joint.
  double max_rate_radps = 20.0;     ///< No joint turns faster; the whole step is shortened instead.
  double max_speed_mps = 20.0;      ///< The root moves no faster …
  double max_point_mps = std::numeric_limits<double>::infinity();  ///< … and no joint: the step is shortened.
  Priority range_priority = Priority::low;                         ///< High: ranges on top of everything, for robots.
  RangeTarget range_target = RangeTarget::nearest;
};

/// What one step did. Errors are measured after the step.
struct StepReport {
  double max_drag_error_m = 0.0;  ///< High-priority goals: distance along their held axes.
  double max_pin_error_m = 0.0;   ///< Low-priority goals.
  double max_orientation_error_rad = 0.0;
  double max_range_violation_rad = 0.0;
  double max_rate_radps = 0.0;  ///< Largest joint rate used.
  double shortened = 1.0;       ///< < 1: rates were scaled down to their limits by this factor.
};

/// Drag any joints with any joints pinned; the whole body follows (docs/methods/pin_and_drag.md).
///
/// One step solves, over all joint rates and the floating root,
///   min |rates|^2_W + |J_low rates - wanted|^2_We   subject to   J_high rates = wanted,
/// in the space of the goals: one symmetric system with a row per held axis. What is desired and ranges only change
/// the joints' own weights, so they cost no rows. O(joints + rows^3), and rows^2 more for every hinge and every joint
/// outside its range; no allocation in `step` but what each thread needs once (`thread_scratch`). Deterministic.
class PinDragSolver {
 public:
  explicit PinDragSolver(std::shared_ptr<const Skeleton> skeleton, PinDragParams params = {});
  ~PinDragSolver();
  PinDragSolver(PinDragSolver&&) noexcept;
  PinDragSolver& operator=(PinDragSolver&&) noexcept;

  Articulation& body() { return body_; }
  const Articulation& body() const { return body_; }
  PinDragParams& params() { return params_; }

  using GoalId = int;
  /// Fails on an unknown joint, a weight that is not positive, or anything not finite; then nothing changes.
  Result<GoalId> add_goal(const Goal& goal);
  Result<void> set_goal(GoalId id, const Goal& goal);
  const Goal& goal(GoalId id) const { return goals_[id]; }
  int goal_count() const { return static_cast<int>(goals_.size()); }
  void clear_goals() { goals_.clear(); }

  /// Replaces what was desired of the joint; weight 0 takes it away.
  Result<void> set_desired(const DesiredRotation& desired);
  Result<void> set_desired_place(const DesiredPlace& desired);

  /// Stiffer joints move less: weight of the joint's rate, > 0. Default 1.
  Result<void> set_stiffness(JointIndex joint, double stiffness);
  Result<void> set_freedom(JointIndex joint, const JointFreedom& freedom);

  /// No range: the joint turns freely. `joint` must be one of the skeleton (assert), here and below.
  void set_range(JointIndex joint, std::optional<JointRange> range);
  /// The same with a range that several solvers share.
  void set_range(JointIndex joint, std::shared_ptr<const JointRange> range);
  void enable_range(JointIndex joint, bool on);

  /// One more low-priority goal: the centre of mass over the support, as far as goals hold it. None: no balance.
  Result<void> set_balance(std::optional<Balance> balance);
  /// Horizontal distance of the centre of mass from the support (without the margin); 0 where there is no balance.
  double balance_error_m() const;
  /// How much each support point carries from now on, in their order (`SupportPoint::share`).
  void set_support_shares(std::span<const double> shares);

  /// From now on ranges and balance ask for no more than this posture does: a joint may be as far out of its range, and
  /// the centre of mass as far out of the support, as it is there. Goals count as they are set now.
  void allow(const Articulation& reference);

  /// What steps learn about the body (how curved its way is, which joints are restless) is kept for the next ones. This
  /// forgets it, so that what follows depends on the body's posture and the goals alone.
  void forget_steps();

  /// One step of `step_s` > 0 (assert). Errors take time to measure: unless `measured` they are reported as 0.
  StepReport step(double step_s, bool measured = true);

  /// Measured now: distance of the goal's point along its held axes, metres.
  double position_error_m(GoalId id) const;
  double orientation_error_rad(GoalId id) const;
  /// Beyond what `allow` allows.
  double range_violation_rad(JointIndex joint) const;

  /// Rates of the last step: each joint's turn relative to its parent, axes of the world.
  std::span<const Vec3d> joint_rates_radps() const;
  const Vec3d& root_velocity_mps() const;

  /// All that changes from step to step or by `set_goal`, `set_desired`, `set_desired_place`, `set_stiffness` and
  /// `allow`
  /// (`StateBytes`); read into a solver that was made and given its goals, ranges and freedoms alike.
  void visit_state(StateBytes& bytes);

 private:
  struct Workspace;
  struct Scratch;

  /// Of this thread, with room for every row there can be.
  Scratch& scratch() const;
  const RangeExcess& allowed_excess(std::size_t joint);
  double beyond_allowed_rad(JointIndex joint, int* triangle) const;
  void measure_ranges(Scratch& s);
  void weigh_joints(Scratch& s);
  void collect_rows(Scratch& s);
  Eigen::Vector2d way_to_support(const Articulation& body, double margin_m, double& share) const;
  void collect_balance_row(Scratch& s);
  void assemble(Scratch& s);
  void assemble_balance_row(Scratch& s);
  void solve(Scratch& s);
  double fastest_point_mps(Scratch& s) const;
  StepReport apply(Scratch& s, double step_s, bool measured);
  void adapt_caution(const Scratch& s, double step_s, double shortened);
  void calm_ranges();
  void stiffen(const Scratch& s, double step_s);

  Articulation body_;
  PinDragParams params_;
  std::vector<Goal> goals_;
  std::vector<DesiredRotation> desired_;  // per joint; weight 0: none
  DesiredPlace desired_place_{.weight = 0.0};
  std::vector<std::shared_ptr<const JointRange>> ranges_;  // per joint; null: none
  std::vector<bool> range_on_;
  bool allows_ = false;                                          // `allow` was called
  std::vector<Quatd> allowed_;                                   // what it was given, per joint
  std::vector<RangeExcess> allowed_excess_;                      // how far out that is; < 0: not measured yet
  double balance_slack_m_ = 0.0, balance_margin_slack_m_ = 0.0;  // likewise, of the support and of it drawn in
  std::vector<double> stiffness_;
  std::vector<JointFreedom> freedom_;
  std::optional<Balance> balance_;
  std::unique_ptr<Workspace> work_;
};

}  // namespace shosa::posing
