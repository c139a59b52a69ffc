#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shosa/core/clip.h"
#include "shosa/submovement/decompose.h"

namespace shosa::submovement {

/// Splits a whole clip: the rotation of every joint and the translation of every joint that has one.
///
/// Channels are independent and run on all cores; the result does not depend on how many there are. The bounds of
/// `channel` hold for each joint's own rotation and translation, not for what adds up along the body.
struct BodyParams {
  /// fast only. `max_error_rad` and `max_error_m` are tighter than for one hand, because errors add up along a limb.
  DecomposeParams channel = {.max_error_m = 0.003, .max_error_rad = 0.0174532925, .thorough = false};
  /// Joints with an equal number here have shared timings (`body::limb_groups`); empty: every joint its own. One entry
  /// a joint.
  std::vector<int> groups = {};
};

/// Where a foot stood in the clip, kept beside the submovements for who plays them back: they follow each joint for
/// itself, and errors of a leg's joints add up to centimetres at its foot. What is not said was free. World, metres.
struct FootStance {
  TimeInterval time;
  std::optional<Vec3d> ball_m;    ///< Place of the ball; of the ankle where the foot has none.
  bool rises = false;             ///< The ball stays over `ball_m` and may rise.
  std::optional<Quatd> rotation;  ///< world_from_foot of a foot that is flat.
  std::optional<Vec3d> heel_m;    ///< Place of the heel of the sole.
  double ground_m = 0.0;          ///< Height of the ground under it.
};
struct StandingFoot {
  JointIndex joint = kNoJoint;  ///< The ankle.
  double heel_rest_m = 0.0;     ///< Its height over the ground when the foot is flat.
  std::vector<FootStance> stances;
};

/// A clip as submovements: it can be sampled at any time and rate.
struct BodyDecomposition {
  std::shared_ptr<const Skeleton> skeleton;
  std::string name;
  int frame_count = 1;
  double frame_time_s = 1.0 / 60.0;
  std::vector<RotationModel> rotations;     ///< parent_from_joint, one per joint.
  std::vector<JointIndex> translated;       ///< As in the clip.
  std::vector<PositionModel> translations;  ///< One per entry of `translated`.
  std::vector<StandingFoot> feet = {};      ///< Empty: not known.
  int submovement_count() const;
};

struct BodyResult {
  BodyDecomposition body;
  double worst_rotation_rms_rad = 0.0;  ///< Of one joint.
  JointIndex worst_rotation = kNoJoint;
  double worst_translation_rms_m = 0.0;
  double position_rms_m = 0.0;  ///< World positions of all joints, over all frames.
  double position_max_m = 0.0;
  long evaluations = 0;
};

/// Fails when a sample is not finite, the solver is not fast, `groups` has another size than the skeleton, or a rule of
/// the channel's parameters is broken.
Result<BodyResult> decompose_body(const Clip& clip, const BodyParams& params = {});

/// The clip again, at its own rate.
Clip recompose(const BodyDecomposition& body);
/// The posture at any time.
void sample(const BodyDecomposition& body, double time_s, Pose& pose);

/// The motion seen in a mirror, as `shosa::mirror` of a clip has it: every goal and stance is mirrored exactly.
/// `partner[j]` is the joint that joint j changes places with. Fails when `partner` is not an involution that keeps the
/// root and takes parents to parents.
Result<BodyDecomposition> mirror(const BodyDecomposition& body, std::span<const JointIndex> partner);

/// Every time t becomes `factor` t + `later_s`, the end of the clip and the stances too. Fails when a number is not
/// finite, the factor not above 0, or nothing or more than a clip can hold is left.
Result<void> retime(BodyDecomposition& body, double factor, double later_s);

}  // namespace shosa::submovement
