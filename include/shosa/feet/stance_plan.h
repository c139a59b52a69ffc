#pragma once

#include <optional>
#include <vector>

#include "shosa/analysis/foot_contacts.h"
#include "shosa/core/clip.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/result.h"

namespace shosa::feet {

/// What is asked of one foot from frame `first` to frame `last`. What is not said stays free. Stances of one foot that
/// say the same thing do not overlap; others may: the ball stands longer than the flat foot.
struct Stance {
  int first = 0, last = 0;        ///< Both stand.
  std::optional<Vec3d> ball_m;    ///< World place of the ball; of the ankle where the foot has no ball.
  bool rises = false;             ///< The ball stays over `ball_m` and may rise: over the tip of the toes.
  std::optional<Quatd> rotation;  ///< world_from_foot: a foot flat on its ground.
  std::optional<Vec3d> heel_m;    ///< World place of the heel of the sole, over which the foot rolls.
};

/// One foot over a whole motion.
struct FootPlan {
  body::FootPoints points;
  std::vector<Stance> stances;   ///< In any order.
  std::vector<double> ground_m;  ///< World y under the foot, one per frame: no point of it is lower.
  double heel_rest_m = 0.0;      ///< Height of the ankle over the ground when the foot is flat.
};

/// When, where and on which ground each foot stands. Where it comes from does not matter: found in a capture, steps on
/// stairs, the joint of two clips, another body's stances, pins.
struct StancePlan {
  std::vector<FootPlan> feet;
  double scale = 1.0;  ///< Leg length / 0.85 m.
};

/// The stances that a capture has: when feet stand is the finder's word, where they stand is the median place.
///
/// Frames at the ends of a contact that are farther than `still_m` from that place belong to no stance. Where the ball
/// is more than `down_m` off the height of its stance, at its ends, it stays over its place and may rise: a foot leaves
/// the ground over the tip of its toes. A foot whose heel and ball stand is flat: it keeps its mean orientation. A heel
/// that stands alone is where the flat foot next to it has it. A ball that sank into its ground stands on it.
struct CapturedStanceParams {
  double still_m = 0.15;  ///< Half a foot, for a leg of 0.85 m; > 0.
  double down_m = 0.01;   ///< > 0.
  bool level = false;     ///< Stand on `FootContact::ground_m` with the rest heights, not at the height the foot has.
};
/// Fails when a rule is broken. `contacts` must be those of the clip or of one with the same frames and skeleton.
Result<StancePlan> captured_stances(const Clip& clip, const ClipPositions& positions,
                                    const analysis::FootContacts& contacts, const CapturedStanceParams& params = {});

}  // namespace shosa::feet
