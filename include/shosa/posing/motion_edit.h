#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "shosa/analysis/foot_contacts.h"
#include "shosa/body/body_map.h"
#include "shosa/core/clip.h"
#include "shosa/posing/body_weights.h"
#include "shosa/posing/human_ranges.h"
#include "shosa/posing/pin_drag_solver.h"
#include "shosa/posing/posture_prior.h"

namespace shosa::posing {

/// A joint kept in place, or on the path that the reference motion gives it.
struct MotionPin {
  JointIndex joint = kNoJoint;      ///< Required.
  std::optional<Vec3d> position_m;  ///< Empty: where the reference has the joint, at every time.
  bool position = true;             ///< False: only the orientation is held.
  bool hold_orientation = false;
  std::optional<Quatd> orientation;  ///< world_from_joint; empty: the reference's.
  double weight = 1.0;               ///< > 0.
  double from_s = 0.0;               ///< Switched on from here …
  std::optional<double> to_s;        ///< … to here; empty: to the end.
  double fade_s = 0.0;               ///< Before and after, the weight rises and falls over this long; >= 0.
};

struct DragKey {
  double time_s = 0.0;
  Vec3d position_m = Vec3d::Zero();
};

/// A joint led along keys. The layer is active from its first key to its last.
struct DragLayer {
  JointIndex joint = kNoJoint;  ///< Required.
  std::vector<DragKey> keys;    ///< Times ascending; at least one.
  bool relative = false;        ///< Keys are added to the reference's path of the joint instead of replacing it.
  double fade_in_s = 0.0;       ///< Before the first key the target comes from the reference's path.
  double fade_out_s = 0.0;      ///< After the last key it goes back there.
  bool hold_last = false;       ///< The last key stays the target to the end instead.
};

/// Pins and drags over a reference motion (docs/methods/pin_and_drag.md, "over a running motion").
///
/// Every frame, desired rotations and pins follow the reference with its own rates fed forward, so that a walk keeps
/// its steps while the head ducks. Ranges and balance ask for no more than the reference does, and a frame in which
/// nothing is asked or left over keeps its bits. Drags act together; two that lead one joint to different places
/// contradict each other, and the errors say so.
struct MotionEditParams {
  std::vector<MotionPin> pins;
  std::vector<DragLayer> drags;
  /// What moving the body costs; none: every joint and the root the same, 1. Joints outside the limbs that drags and
  /// placed pins lead cost `limb_first` times as much again: a limb that can do it alone does, and what it cannot do
  /// the rest takes over without any switch. Arms that no goal holds keep hanging as the reference has them in the
  /// world, whatever the trunk does.
  std::optional<BodyWeights> weights;
  /// How people bend, for what limbs do not reach; on this skeleton. None: the smallest change of the reference. Needs
  /// `weights` and `return_weight`.
  std::shared_ptr<const PosturePrior> prior;
  double limb_first = 30.0;                                    ///< >= 1.
  double desired_weight = 0.3;                                 ///< Of every joint's reference rotation; >= 0.
  std::vector<std::pair<JointIndex, double>> desired_weights;  ///< Joints with a weight of their own.
  /// Above 0 every joint in proportion to its stiffness, and the root's place, are drawn to the reference at once, this
  /// much more firmly than they keep what they are, and the weights above only say which joints more than others
  /// (relative to `desired_weight`). The posture is then where it would come to rest, whatever came before: where goals
  /// ask for nothing more, it is the reference's. 0: the change is carried from frame to frame and fades as the weights
  /// let it; that of the root's place stays.
  double return_weight = 0.0;
  std::vector<std::pair<JointIndex, double>>
      stiffness;  ///< Joints that turn less, or more, readily than they would, by this factor.
  std::vector<std::pair<JointIndex, JointFreedom>> freedoms;  ///< Joints that are not balls; see human_knees.
  std::vector<HumanRange> ranges;
  std::optional<Balance> balance;
  /// When the reference's feet carry it: support points on these joints, and next to them, count only then. Empty:
  /// whenever they are held.
  std::vector<std::pair<JointIndex, TimeInterval>> stances;
  PinDragParams solver;     ///< Gains of drags, pins and ranges and the rate limits are replaced by what fits the step.
  int steps_per_frame = 4;  ///< >= 1.
  /// The change is smoothed over about this long, and pins and drags are met again from there; 0 switches it off.
  double smooth_s = 0.03;
  double tolerance_m = 1e-4;  ///< A frame is done earlier when all goals are this near.
};

/// Drags and pins are measured where they are asked for in full, not while they fade: from a drag's first key to its
/// last, from a pin's beginning to its end.
struct MotionEditResult {
  Clip clip;
  double max_drag_error_m = 0.0;
  JointIndex worst_drag = kNoJoint;
  double worst_drag_s = 0.0;  ///< When that is; 0 where nothing is off by more than 10 micrometres.
  double max_pin_error_m = 0.0;
  JointIndex worst_pin = kNoJoint;
  double worst_pin_s = 0.0;
  double max_range_violation_deg = 0.0;  ///< Beyond what the reference itself has.
  JointIndex worst_range = kNoJoint;
  double worst_range_s = 0.0;
  double max_balance_error_m = 0.0;  ///< Of the centre of mass from the held support, horizontally; likewise.
  long steps = 0;                    ///< Solver steps over all frames.
};

/// Fails when a joint is unknown, a key list is empty or unsorted, a weight is not positive or something is not finite.
/// Goals that cannot be met are no failure: the result says which and by how much.
Result<MotionEditResult> edit_motion(const Clip& reference, const MotionEditParams& params);

/// Edits one after the other: each is made on the result of the one before. Whoever holds the list may reorder it,
/// leave some out, and bake again. The figures are the worst of all; an edit that fails is named by its place in the
/// list.
Result<MotionEditResult> edit_motion(const Clip& reference, std::span<const MotionEditParams> layers);

/// Pins that keep the feet: each ankle where and as the reference has it, so that the toe joint stays too (of a paw,
/// the raised hock, without its turn); firmly while the foot stands and lightly (`swing_weight`; 0: not at all) in the
/// air.
std::vector<MotionPin> feet_pins(const analysis::FootContacts& contacts, double swing_weight = 0.05);

inline constexpr double kStanceFade_s = 0.12;  ///< A foot comes to carry, and is let go, over this long.

/// When feet carry the body, for `MotionEditParams::stances`.
std::vector<std::pair<JointIndex, TimeInterval>> carrying_stances(const analysis::FootContacts& contacts);

/// Stiffness by eye for postures built from scratch, without a reference to come home to: legs and arms 1, the trunk
/// and its heading more, the neck most. Joints without a role between two of a column count to it. Empty where the body
/// is no humanoid.
std::vector<std::pair<JointIndex, double>> human_stiffness(const Skeleton& skeleton, const body::BodyMap& map);

/// A body's edit before its goals: the smallest change, that comes home by itself.
MotionEditParams body_edit(const Skeleton& skeleton, const body::BodyMap& map);
inline constexpr double kReturnWeight = 1.0;  ///< `return_weight` then: half of what is left over goes in a step.

/// Knees as hinges, about the axis that each bends about in this clip (toward the heel where it never bends). Empty
/// where the body is no humanoid with toes.
std::vector<std::pair<JointIndex, JointFreedom>> human_knees(const Clip& clip, const body::BodyMap& map);

/// Makes the knees hinges and takes their ranges from there: from straight (or as far over it as the clip has them) to
/// fully bent. A ball joint's range alone has slack to the sides, and goals use it.
Result<void> keep_knees(const Clip& clip, const body::BodyMap& map, MotionEditParams& params);

}  // namespace shosa::posing
