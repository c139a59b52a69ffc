#pragma once

#include <optional>
#include <vector>

#include "character/min_jerk.h"
#include "shosa/character/character_data.h"
#include "shosa/posing/posture_prior.h"

namespace shosa::character {

/// How far trunk and hips bend for goals that limbs do not reach alone, as people do (`posing::PosturePrior`).
///
/// Every `kLook` frames the postures are asked how a body that stands like this one would take its goals. What that
/// differs from the motion by, joint by joint and in the hips' place, is a goal for values that go there the smoothest
/// way (`MinJerk`), so that neighbours may come and go. Legs are left to what keeps the feet. A body that walks bends
/// less the faster it goes. No allocation after construction; nothing is done where there is no prior.
class LiveBend {
 public:
  explicit LiveBend(const CharacterData& data);

  /// Changes `pose` from what the motion has (`ghost`) to the bent one; false where nothing is bent. `asked`: joints
  /// that are led, and the feet; none: back to the motion.
  bool apply(const posing::Articulation& ghost, std::span<const posing::PriorGoal> asked, double speed_mps,
             double step_s, Pose& pose);
  void rest();
  void visit_state(StateBytes& bytes) { bytes(turns_, shift_, wanted_turns_, wanted_shift_m_, until_look_); }

 private:
  static constexpr int kLook = 8;
  void look(const posing::Articulation& ghost, std::span<const posing::PriorGoal> asked, double speed_mps);

  std::optional<posing::PostureLookup> lookup_;
  std::vector<JointIndex> bent_;   ///< Joints that bend.
  std::vector<MinJerk<3>> turns_;  ///< Of each of them, in its own frame.
  MinJerk<3> shift_;               ///< Of the root, world.
  std::vector<Vec3d> wanted_turns_;
  Vec3d wanted_shift_m_ = Vec3d::Zero();
  int until_look_ = 0;
};

}  // namespace shosa::character
