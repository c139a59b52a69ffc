#pragma once

#include <memory>
#include <string>
#include <vector>

#include "shosa/body/body_map.h"
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
  /// Joints with an equal number here have shared timings (`limb_groups`); empty: every joint its own. One entry a
  /// joint.
  std::vector<int> groups = {};
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

/// Trunk and head, each arm, each leg: a number per joint. Joints without a role belong to the limb they hang on.
std::vector<int> limb_groups(const Skeleton& skeleton, const body::BodyMap& map);

}  // namespace shosa::submovement
