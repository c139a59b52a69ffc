#include "shosa/posing/motion_edit.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "posing/bent_postures.h"
#include "posing/edit_goals.h"
#include "posing/edit_weights.h"
#include "posing/motion_edit_rules.h"
#include "posing/smooth_change.h"
#include "shosa/core/angles.h"

namespace shosa::posing {

namespace {

// In the last pass a trembling pin is met by its limb, not by the whole body.
constexpr double kPolishRootStiffness = 1e3;
// Ranges were met in the first pass; what capture noise pushes over them is not worth a jolt.
constexpr double kPolishRange = 0.02;

// A light limb near its full length may turn this far in a step before the whole step is shortened.
constexpr double kMostTurn_rad = 0.1;

// Times the steps of a frame, at most, while a drag is not met; in the first frame, which no change is carried into,
// until the body rests.
constexpr int kMoreSteps = 3, kFirstSteps = 500;
// A frame is done when no joint turns by more in a step, and a body at rest that has all the time there is.
constexpr double kStill_rad = 1e-4, kRest_rad = 3e-5;

/// The turn about the vertical that is nearest to a rotation.
Quatd heading_part(const Quatd& rotation) {
  const double length = std::hypot(rotation.w(), rotation.y());
  return length > 1e-9 ? Quatd(rotation.w() / length, 0.0, rotation.y() / length, 0.0) : Quatd::Identity();
}

// Metres or degrees. Less is rounding: which joint and frame have most of it says nothing.
constexpr double kOff = 1e-5;

void keep_worse(double found, JointIndex joint, double time_s, double& largest, JointIndex& where, double& when_s) {
  if (found <= largest) return;
  largest = found;
  if (found > kOff) where = joint, when_s = time_s;
}

class Editor {
 public:
  Editor(const Clip& reference, const MotionEditParams& params)
      : reference_(reference),
        params_(params),
        solver_(reference.skeleton_ptr(), fitting(params, reference)),
        goals_(reference, params),
        wanted_(reference.skeleton_ptr()),
        weights_(edit_weights(reference.skeleton(), params)),
        firmness_(static_cast<std::size_t>(reference.frame_count()), 1.0),
        most_steps_(kFirstSteps * params.steps_per_frame),
        result_{reference} {
    for (const HumanRange& entry : params.ranges) solver_.set_range(entry.joint, entry.range);
  }

  /// How firmly each frame keeps its change when that is smoothed.
  const std::vector<double>& firmness() const { return firmness_; }

  /// Draws the body to these postures, where goals ask for anything.
  void bend(const Clip& postures) { bent_ = &postures; }

  /// The first frame begins at that posture and takes no more than so many steps.
  void begin(const Pose& pose, int most_steps) { begin_ = &pose, most_steps_ = most_steps; }
  bool rests() const { return rests_; }

  /// Starts each frame from that posture of `start` instead, and lets the limbs do the rest.
  void polish(const Clip& start) {
    start_ = &start;
    solver_.params().root_stiffness_lin = solver_.params().root_stiffness_ang = kPolishRootStiffness;
    solver_.params().desired_gain = solver_.params().drag_gain;
    solver_.params().range_strength *= kPolishRange;
  }

  Result<MotionEditResult> run() {
    for (const Goal& goal : goals_.all()) {
      if (const auto added = solver_.add_goal(goal); !added) return std::unexpected(added.error());
    }
    for (JointIndex j = 0; j < reference_.joint_count(); ++j) {
      if (const auto set = solver_.set_stiffness(j, weights_.stiffness[j]); !set) return std::unexpected(set.error());
    }
    for (const auto& [joint, freedom] : params_.freedoms) {
      if (const auto set = solver_.set_freedom(joint, freedom); !set) return std::unexpected(set.error());
    }
    // Balance was met in the first pass: limbs that make up for the smoothing would whip.
    std::optional<Balance> balance = params_.balance;
    if (balance && start_ != nullptr) balance->on = false;
    if (const auto balanced = solver_.set_balance(balance); !balanced) return std::unexpected(balanced.error());
    if (params_.balance) shares_.assign(params_.balance->support.size(), 1.0);
    Pose pose;
    for (int f = 0; f < reference_.frame_count(); ++f) {
      if (const auto moved = aim(f); !moved) return std::unexpected(moved.error());
      const bool unasked = goals_.ask_nothing();
      if (params_.return_weight > 0.0 && unasked) firmness_[f] = kUnaskedWeight;
      // Nothing asked and nothing left over: the frame keeps its bits.
      if (unasked && is_reference()) {
        solver_.body().set_pose(reference_.frame(f));
        continue;
      }
      settle(f == 0);
      measure(f * reference_.frame_time_s());
      solver_.body().get_pose(pose);
      result_.clip.set_frame(f, pose);
    }
    return std::move(result_);
  }

 private:
  // Each step takes the whole remaining error; the frame's steps together last one frame.
  static PinDragParams fitting(const MotionEditParams& params, const Clip& reference) {
    PinDragParams solver = params.solver;
    const double step_s = reference.frame_time_s() / params.steps_per_frame;
    solver.drag_gain = solver.pin_gain = 1.0 / step_s;
    solver.range_gain = 1.0 / step_s;
    solver.max_rate_radps = std::max(solver.max_rate_radps, kMostTurn_rad / step_s);
    if (params.return_weight > 0.0) solver.desired_gain = 1.0 / step_s;
    return solver;
  }

  // Starts from the reference's posture with the change that the frame before ended with, and sets the frame's goals.
  Result<void> aim(int frame) {
    if (start_ != nullptr)
      solver_.body().set_pose(start_->frame(frame));
    else
      carry_change(frame, reference_.frame(frame));
    goals_.aim(frame);
    for (int id = 0; id < solver_.goal_count(); ++id)
      if (const auto set = solver_.set_goal(id, goals_.all()[id]); !set) return set;
    if (params_.balance && !params_.stances.empty()) {
      const double time_s = frame * reference_.frame_time_s();
      for (std::size_t i = 0; i < shares_.size(); ++i) shares_[i] = carried_at(params_.balance->support[i], time_s);
      solver_.set_support_shares(shares_);
    }
    solver_.allow(goals_.ghost());
    return desire(frame);
  }

  // What joints and root are drawn to: the reference, or how people would do what its limbs cannot.
  Result<void> desire(int frame) {
    const bool bends = bent_ != nullptr && !goals_.ask_nothing();
    if (bends) wanted_.set_pose(bent_->frame(frame));
    const Articulation& wanted = start_ != nullptr ? solver_.body() : bends ? wanted_ : goals_.ghost();
    for (JointIndex j = 0; j < reference_.joint_count(); ++j) {
      const auto set = solver_.set_desired({.joint = j, .rotation = wanted.rotation(j), .weight = weights_.desired[j]});
      if (!set) return set;
    }
    if (params_.return_weight == 0.0 || start_ != nullptr) return {};
    return solver_.set_desired_place({.position_m = wanted.world().positions[0],
                                      .weight = params_.return_weight * params_.solver.root_stiffness_lin});
  }

  // Whether the body is where the reference has it.
  bool is_reference() const {
    const Articulation& body = solver_.body();
    if ((body.world().positions[0] - goals_.ghost().world().positions[0]).norm() > kUnasked_m) return false;
    for (JointIndex j = 0; j < reference_.joint_count(); ++j) {
      if (body.rotation(j).angularDistance(goals_.ghost().rotation(j)) > kUnasked_rad) return false;
    }
    return true;
  }

  double carried_at(const SupportPoint& point, double time_s) const {
    double share = 0.0;
    for (const auto& [joint, time] : params_.stances) {
      if (joint == point.joint || joint == reference_.skeleton().parent(point.joint))
        share = std::max(share, share_of(time, kStanceFade_s, time_s));
    }
    return share;
  }

  // new = reference(f) * (change of frame f - 1): the reference's rates are fed forward exactly, and a hinge that was
  // turned about its axis still is.
  void carry_change(int frame, const Pose& pose) {
    if (frame == 0) {
      solver_.body().set_pose(begin_ != nullptr ? *begin_ : pose);
      return;
    }
    Pose now, before = reference_.frame(frame - 1);
    solver_.body().get_pose(now);
    Pose carried = pose;
    carried.set_translation(0, pose.translation(0) + (now.translation(0) - before.translation(0)));
    for (JointIndex j = 0; j < reference_.joint_count(); ++j) {
      const Quatf change = before.rotation(j).conjugate() * now.rotation(j);
      carried.set_rotation(j, (pose.rotation(j) * change).normalized());
    }
    solver_.body().set_pose(carried);
  }

  void settle(bool first) {
    const double step_s = reference_.frame_time_s() / params_.steps_per_frame;
    const auto goals_met = [&] {
      return std::max(last_.max_drag_error_m, last_.max_pin_error_m) < params_.tolerance_m;
    };
    if (params_.weights && first && start_ == nullptr) {
      rests_ = false;
      for (int step = 0; step < most_steps_ && !rests_; ++step) {
        take_step(step_s);
        rests_ = step > 0 && last_.max_rate_radps * step_s < kRest_rad;
      }
      return;
    }
    // A light limb that folds or stretches fast takes more steps to its goal.
    const int most = (params_.weights ? kMoreSteps : 1) * params_.steps_per_frame;
    for (int step = 0; step < most; ++step) {
      if (step >= params_.steps_per_frame && last_.max_drag_error_m < params_.tolerance_m) break;
      take_step(step_s);
      if (step > 0 && goals_met() && last_.max_rate_radps * step_s < kStill_rad) break;
    }
  }

  void take_step(double step_s) {
    if (start_ == nullptr) hang_arms();
    last_ = solver_.step(step_s);
    ++result_.steps;
  }

  // Free arms turn with the trunk's heading and keep, for the rest, how they hang in the world.
  void hang_arms() {
    const WorldPose& now = solver_.body().world();
    const WorldPose& reference = goals_.ghost().world();
    for (const JointIndex arm : weights_.hanging) {
      const JointIndex above = reference_.skeleton().parent(arm);
      const Quatd turned = heading_part(now.rotations[above] * reference.rotations[above].conjugate());
      const Quatd wanted = now.rotations[above].conjugate() * turned * reference.rotations[arm];
      const auto set = solver_.set_desired({.joint = arm, .rotation = wanted, .weight = weights_.desired[arm]});
      assert(set.has_value());
    }
  }

  void measure(double time_s) {
    for (int id = 0; id < solver_.goal_count(); ++id) {
      const Goal& goal = solver_.goal(id);
      if (!goal.on || !goals_.in_full(id)) continue;
      if (goal.priority == Priority::high) {
        const double error_m = (goals_.asked_m(id) - solver_.body().world().positions[goal.joint]).norm();
        keep_worse(error_m, goal.joint, time_s, result_.max_drag_error_m, result_.worst_drag, result_.worst_drag_s);
      } else {
        keep_worse(solver_.position_error_m(id), goal.joint, time_s, result_.max_pin_error_m, result_.worst_pin,
                   result_.worst_pin_s);
      }
    }
    result_.max_balance_error_m = std::max(result_.max_balance_error_m, solver_.balance_error_m());
    for (const HumanRange& entry : params_.ranges) {
      keep_worse(solver_.range_violation_rad(entry.joint) * kDegPerRad, entry.joint, time_s,
                 result_.max_range_violation_deg, result_.worst_range, result_.worst_range_s);
    }
  }

  const Clip& reference_;
  const MotionEditParams& params_;
  PinDragSolver solver_;
  EditGoals goals_;
  const Clip* bent_ = nullptr;
  Articulation wanted_;  // of `bent_`
  EditWeights weights_;
  std::vector<double> shares_;    // of the support points
  std::vector<double> firmness_;  // of every frame's change
  const Clip* start_ = nullptr;
  StepReport last_;
  const Pose* begin_ = nullptr;  // of the first frame; none: the reference's
  int most_steps_;               // in the first frame
  bool rests_ = true;            // after it
  MotionEditResult result_;
};

}  // namespace

Result<MotionEditResult> edit_motion(const Clip& reference, const MotionEditParams& params) {
  if (const auto checked = check_motion_edit(reference, params); !checked) return std::unexpected(checked.error());
  const std::optional<Clip> bent = bent_postures(reference, params);
  Editor first(reference, params);
  if (bent) first.bend(*bent);
  auto edited = first.run();
  if (!edited || params.smooth_s == 0.0) return edited;
  const Clip smooth = smooth_change(reference, edited->clip, params.smooth_s, first.firmness());
  Editor last(reference, params);
  last.polish(smooth);
  auto polished = last.run();
  if (polished) polished->steps += edited->steps;
  return polished;
}

Result<MotionEditResult> edit_posture(const Clip& held, const MotionEditParams& params, const Pose& begin,
                                      int most_steps, bool& rests) {
  const std::optional<Clip> bent = bent_postures(held, params);
  Editor editor(held, params);
  if (bent) editor.bend(*bent);
  editor.begin(begin, most_steps);
  auto edited = editor.run();
  rests = editor.rests();
  return edited;
}

Result<MotionEditResult> edit_motion(const Clip& reference, std::span<const MotionEditParams> layers) {
  MotionEditResult all{reference};
  for (std::size_t k = 0; k < layers.size(); ++k) {
    auto one = edit_motion(all.clip, layers[k]);
    if (!one) return fail(one.error().code, "layer {}: {}", k, one.error().message);
    all.clip = std::move(one->clip);
    all.steps += one->steps;
    keep_worse(one->max_drag_error_m, one->worst_drag, one->worst_drag_s, all.max_drag_error_m, all.worst_drag,
               all.worst_drag_s);
    keep_worse(one->max_pin_error_m, one->worst_pin, one->worst_pin_s, all.max_pin_error_m, all.worst_pin,
               all.worst_pin_s);
    keep_worse(one->max_range_violation_deg, one->worst_range, one->worst_range_s, all.max_range_violation_deg,
               all.worst_range, all.worst_range_s);
    all.max_balance_error_m = std::max(all.max_balance_error_m, one->max_balance_error_m);
  }
  return all;
}

}  // namespace shosa::posing
