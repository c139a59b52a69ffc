#pragma once

#include <array>
#include <vector>

#include "character/min_jerk.h"
#include "shosa/character/character_data.h"
#include "shosa/character/commands.h"
#include "shosa/posing/pin_drag_solver.h"
#include "shosa/submovement/reach.h"

namespace shosa::character {

/// Reaches, drags and pins over a running motion: one pin-and-drag solve a frame.
///
/// Each goal leads its joint from where the motion has it: target = motion + share (path - motion), where the share
/// rises and falls along a minimum-jerk step, and the path of a reach is a chain of submovements (`submovement::Reach`)
/// in the frame that goes along with the body. The body keeps what it changed relative to the motion from frame to
/// frame and is drawn back to it, as `posing::edit_motion` does with a return weight. When no goal is left and the
/// change has died out nothing is solved. No allocation after construction.
class LiveGoals {
 public:
  static constexpr int kSlots = 8;
  LiveGoals(const CharacterData& data);

  enum class Kind {
    none,
    reach,
    drag,
    pin
  };
  struct Slot {
    Kind kind = Kind::none;
    Handle handle = kNoHandle;
    JointIndex joint = kNoJoint;
    Vec3d target_m = Vec3d::Zero();  ///< World.
    Quatd orientation = Quatd::Identity();
    bool hold_orientation = false;
    bool letting_go = false;
    double duration_s = 0.0;
    double since_s = 0.0;
    MinJerk<1> share;
    MinJerk<3> path;  ///< World, of a drag: goes after the target.
    submovement::Reach reach{Vec3d::Zero()};
    bool met = false;
    double error_m = 0.0;
    double too_far_s = 0.0;  ///< For so long it has been farther away than any body reaches.
    bool given_up = false;
  };

  /// -1 when all slots are taken. A slot that leads the same joint is taken over: `replaced` is its handle.
  int start(Kind kind, Handle handle, JointIndex joint, const Vec3d& target_m, double duration_s, bool orientation,
            Handle& replaced);
  Slot* find(Handle handle);
  bool idle() const { return !active_ && !changed_; }

  /// `pose`: as the parts before have it; changed in place. `carrier`: where the body is and faces.
  void apply(Pose& pose, std::uint8_t standing, const analysis::GroundPlace& carrier, double time_s, double step_s);
  std::span<Slot> slots() { return slots_; }
  double worst_pin_m() const { return last_.max_pin_error_m; }

 private:
  void weigh();
  void carry(const Pose& pose);
  /// What the solve left of the way of feet that no goal leads, legs do by themselves.
  void keep_feet();
  /// Whether a goal leads the joint or what hangs on it.
  bool leads(JointIndex joint) const;
  /// Arms that no goal leads keep hanging as the motion has them in the world, but for the trunk's heading.
  void hang_arms();
  void aim(Slot& slot, const analysis::GroundPlace& carrier, double time_s, double step_s);

  const CharacterData* data_;
  posing::PinDragSolver solver_;
  posing::Articulation ghost_;
  std::array<Slot, kSlots> slots_;
  std::vector<JointIndex> feet_;
  std::vector<double> stiffness_, desired_;
  std::vector<JointIndex> hanging_;
  Pose before_, now_, carried_;
  posing::StepReport last_;
  bool active_ = false, changed_ = false, fresh_ = true, reweigh_ = true;
};

}  // namespace shosa::character
