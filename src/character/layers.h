#pragma once

#include <array>
#include <vector>

#include "character/min_jerk.h"
#include "shosa/character/character_data.h"
#include "shosa/character/commands.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa::character {

/// Clips over parts of the body, and the twist of the trunk.
///
/// A joint of a part turns as share (clip) + (1 - share) (motion) on the shorter arc, where the share rises and falls
/// along a minimum-jerk step. An upper body leans as the clip's does in the world, whatever its hips did below it, and
/// faces with the hips that it comes onto. A clip that starts again does so while its end still plays, over the same
/// fade. The twist turns all that hangs on the spine about the vertical, a part of it at every joint of the spine. No
/// allocation after construction.
class Layers {
 public:
  static constexpr int kSlots = 4;
  static constexpr double kMostTwist_rad = 0.8;  ///< Of a trunk against its hips.

  explicit Layers(const CharacterData& data);
  /// Fails where the part carries a foot or is not there.
  Result<void> check(const Layer& layer) const;
  /// False when all slots are taken. A layer over the same part is replaced: `replaced` is its handle.
  bool start(Handle handle, const Layer& layer, Handle& replaced);
  void let_go(Handle handle);
  /// That came to its end in the last frame; kNoHandle for none.
  Handle ended() const { return ended_; }
  /// By how much the trunk is to be twisted against the hips, beside what layers ask for.
  void twist(double rad) { wanted_twist_rad_ = rad; }

  void apply(Pose& pose, double step_s);
  /// `LiveGoals::pause`.
  void pause();
  void visit_state(StateBytes& bytes);

 private:
  struct Slot {
    Handle handle = kNoHandle;  ///< kNoHandle: free.
    Layer layer;
    double time_s = 0.0;
    bool letting_go = false;
    double left_s = 0.0;  ///< Of the fade.
    MinJerk<1> share;
    std::vector<std::uint8_t> joints;  ///< 1 for those of the part.
    void visit_state(StateBytes& bytes);
  };
  void mark(const Layer& layer, std::vector<std::uint8_t>& joints) const;
  /// Turns what hangs on the hips as the clip has it in the world, seen from where the hips face.
  void lay_upright(const Slot& slot, const Pose& pose, Pose& sampled) const;
  void play(Slot& slot, Pose& pose, double step_s);
  void turn_trunk(Pose& pose, double step_s);

  const CharacterData* data_;
  std::vector<JointIndex> spine_;   ///< From the hips upward.
  std::array<JointIndex, 2> arms_;  ///< Left and right.
  std::vector<bool> lower_;
  std::array<Slot, kSlots> slots_;
  MinJerk<1> twist_;
  double wanted_twist_rad_ = 0.0;
  Handle ended_ = kNoHandle;
};

}  // namespace shosa::character
