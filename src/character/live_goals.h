#pragma once

#include <array>
#include <optional>
#include <vector>

#include "character/live_bend.h"
#include "character/min_jerk.h"
#include "shosa/character/character_data.h"
#include "shosa/character/commands.h"
#include "shosa/posing/pin_drag_solver.h"

namespace shosa::character {

/// Reaches, drags and pins over a running motion: one pin-and-drag solve a frame.
///
/// Each goal leads its joint from where the motion has it: target = motion + share (path - motion), where the share
/// rises and falls along a minimum-jerk step, and the path is the smoothest one that meets the target where it will be,
/// planned anew in every frame (`MinJerk::meet`). The body keeps what it changed relative to the motion from frame to
/// frame and is drawn back to it, as `posing::edit_motion` does with a return weight. When no goal is left and the
/// change has died out nothing is solved. No allocation after construction.
class LiveGoals {
 public:
  static constexpr int kSlots = 8;
  static constexpr double kMostTurn_rad = 0.1;  ///< Of a joint in a frame.
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
    Frame frame = Frame::world;
    Vec3d target_m = Vec3d::Zero();  ///< In that frame.
    double aside_m = 0.0;            ///< To the body's left of the target.
    Quatd orientation = Quatd::Identity();
    bool hold_orientation = false;
    bool letting_go = false;
    double duration_s = 0.0;  ///< Of the way to the target, then of the way home.
    double since_s = 0.0;
    double left_s = 0.0;  ///< Until a reach meets its target; it keeps its pace when it is let go.
    MinJerk<1> share;
    MinJerk<3> path;                     ///< World.
    Vec3d led_m = Vec3d::Zero();         ///< Where the joint was led to in the last frame …
    Vec3d led_mps = Vec3d::Zero();       ///< … and how fast.
    Vec3d asked_m = Vec3d::Zero();       ///< The target, world.
    Vec3d seen_m = Vec3d::Zero();        ///< The same as far as it can be reached, in the last frame …
    Vec3d velocity_mps = Vec3d::Zero();  ///< … and how fast it goes.
    bool met = false;
    double error_m = 0.0;
    double too_far_s = 0.0;  ///< For so long it has been farther away than any body reaches.
    bool given_up = false;
    void visit_state(StateBytes& bytes) {
      bytes(kind, handle, joint, frame, target_m, aside_m, orientation, hold_orientation, letting_go, duration_s,
            since_s, left_s, share, path, led_m, led_mps, seen_m, velocity_mps, met, error_m, too_far_s, given_up);
    }
  };

  /// False when all slots are taken. A slot that leads the same joint is taken over: `replaced` is its handle.
  bool start(const Slot& wanted, Handle& replaced);
  void move_target(Handle handle, const Vec3d& target_m);
  void let_go(Handle handle);
  /// All that the handle leads is on its target.
  bool met(Handle handle) const;
  bool idle() const { return used_ == 0 && !changed_; }

  /// Where the body is over the ground and faces, how high that ground is, and how fast it goes.
  struct Carrier {
    analysis::GroundPlace place;
    double ground_m = 0.0;
    Vec3d velocity_mps = Vec3d::Zero();
    double speed_mps = 0.0;  ///< Without the sway of a gait.
  };
  /// `pose`: as the parts before have it; changed in place.
  void apply(Pose& pose, std::uint8_t standing, const Carrier& carrier, double step_s);
  /// Nothing is led for a while: when `apply` is called again goals begin anew.
  void pause();
  void visit_state(StateBytes& bytes) {
    bytes(solver_, bending_, slots_, stiffness_, desired_, hanging_, before_, used_, changed_, fresh_, reweigh_);
  }
  /// Those that may lead a joint.
  std::span<Slot> used_slots() { return std::span(slots_).first(idle() ? 0 : kSlots); }

 private:
  /// Where the joint's limb meets the trunk; kNoJoint where it is on none.
  JointIndex limb_top(JointIndex joint) const;
  /// Where the joint is led to for `asked_m`, which may be out of reach.
  Vec3d led_to(const Slot& slot) const;
  void weigh();
  void carry(const Pose& pose);
  /// Goals draw a body no farther from its motion than it can be beside its gait.
  void stay_in_gait(posing::Articulation& body, double speed_mps) const;
  /// Nobody is drawn off his feet: the body is moved to where legs that no goal leads reach their feet.
  void stay_in_reach(posing::Articulation& body) const;
  /// What the solve left of the way of feet that no goal leads, legs do by themselves.
  void keep_feet(posing::Articulation& body) const;
  /// What goals ask of the body as a whole: the motion, bent. Changes `wanted`, which is the motion.
  const posing::Articulation& bend(Pose& wanted, double speed_mps, double step_s);
  /// Whether a goal leads the joint or what hangs on it.
  bool leads(JointIndex joint) const;
  /// Arms that no goal leads keep hanging as the motion has them in the world, but for the trunk's heading.
  void hang_arms();
  void aim(Slot& slot, const Carrier& carrier, double step_s);

  const CharacterData* data_;
  posing::PinDragSolver solver_;
  posing::Articulation ghost_;                ///< The motion …
  std::optional<posing::Articulation> bent_;  ///< … and as it is bent for what limbs do not reach, where it can be.
  LiveBend bending_;
  std::vector<posing::PriorGoal> asked_;
  std::array<Slot, kSlots> slots_;
  std::vector<JointIndex> feet_;
  std::vector<double> stiffness_, desired_;
  std::vector<JointIndex> hanging_;
  Pose before_;   ///< Where the body was drawn to in the last frame.
  int used_ = 0;  ///< Slots that lead a joint.
  bool changed_ = false, fresh_ = true, reweigh_ = true;
};

}  // namespace shosa::character
