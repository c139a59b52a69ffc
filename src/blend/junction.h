#pragma once

#include <array>
#include <functional>

#include "blend/foot_bridge.h"
#include "blend/foot_pass.h"
#include "blend/part_blend.h"
#include "shosa/feet/apply_change.h"
#include "shosa/feet/feet_change.h"

namespace shosa::blend {

inline constexpr std::size_t kMaxFeet = 8;

/// Where a foot goes.
struct FootTarget {
  FootPose pose;
  double firm = 1.0;  ///< 1 where it stands, 0 in the air.
};

/// What a leg asks of the hips.
struct LegAsk {
  Vec3d to_ankle_m = Vec3d::Zero();  ///< From where the hip is before it is drawn along, to where its foot goes.
  double allowed_m = 0.0;            ///< How long the leg may be.
  double firm = 0.0;                 ///< How much it may draw: 0 for a foot in the air.
};
using LegAsks = std::array<LegAsk, kMaxFeet>;

/// The shift of the hips by which all legs reach their feet, beginning with `pull_m`.
Vec3d drawn_along(const LegAsks& asks, Vec3d pull_m);

/// Room for one evaluation, made once.
struct JunctionScratch {
  Pose next, previous;
  RigWorld next_world, previous_world, out_world;
  std::array<FootTarget, kMaxFeet> targets;
  LegAsks asks;
};

/// The hips' way over the lower body's interval (or longer): blended, C2 at both ends. A knee that is all but straight
/// shows the square root of what is left between hips and foot, so C1 is not enough there.
struct HipsBlend {
  double begin = 0.0, end = 0.0;  ///< Frames.
  WeightFunction weight;
  Vec3d a = Vec3d::Zero();  ///< Where that side is a pose, world.
  Vec3d b = Vec3d::Zero();
  Vec3d leave = Vec3d::Zero();  ///< Metres per frame, as in `PartBlend`.
  Vec3d arrive = Vec3d::Zero();
  Vec3d bend_begin = Vec3d::Zero();  ///< Metres per frame^2 that the sources have and the rest would lack.
  Vec3d bend_end = Vec3d::Zero();
  double level_span = 1.0;  ///< Of `coast` over the ground, frames: a long bridge goes on as it came, but not upwards.
  double rise_span = 1.0;   ///< … and upwards.
  double span = 1.0;        ///< Of `surge`.

  /// At a frame within the interval; `previous_m` and `next_m` are the playing motions' hips then.
  Vec3d at(double frame, const PartBlend& lower, const Vec3d& previous_m, const Vec3d& next_m) const;
};

/// How far legs that would not reach their feet draw the hips along: one shift per whole frame, smooth in time, so that
/// the body does not start where one leg lets go and another takes over. Made when the motion is added.
struct HipsPull {
  double first = 0.0;  ///< Frame of the first shift.
  std::vector<Vec3d> by_m;
  bool made = false;  ///< Off: every frame asks for itself.

  Vec3d at(double frame) const;
};

/// How hips and feet leave a joined motion so that the body keeps its momentum: one entry per whole frame, found when
/// the motion is added.
struct BodyChange {
  int first = 0;  ///< Frame of the first entry; nothing changes before it.
  feet::FeetChange change;
  std::vector<feet::ChangedLeg> legs;
  Vec3d shift_m = Vec3d::Zero();  ///< Of everything after the last entry.

  bool active() const { return !change.root_m.empty(); }
  double end() const { return first + static_cast<double>(change.root_m.size()) - 1.0; }
  /// Allocates nothing where `world` has its size.
  void apply(double frame, const Rig& rig, WorldPose& world, Pose& pose) const;
};

/// One motion joined to what plays before it: everything that a frame needs, made when the motion is added.
struct Junction {
  TransitionPlan plan;
  GroundMove place;             ///< Of the next motion.
  double begin = 0.0;           ///< Up to this frame the previous motion is played as it is.
  double end = 0.0;             ///< From this frame on the next one is, infinite where its stance stays deformed.
  double previous_until = 0.0;  ///< From here on the previous motion is not asked for.
  TimeWarp warp;                ///< Time of the previous motion's lower body.
  PartBlend upper, lower;
  HipsBlend hips;
  HipsPull pull;
  std::vector<FootPass> feet;
  BodyChange momentum;
  std::vector<FootWay> bridges;  ///< One per foot where the motions are bridged, otherwise empty.

  bool is_bridge() const { return plan.choice.method == JoinMethod::bridge; }
};

/// What a junction is made from. `previous_pose` gives what plays before at a whole frame (world, placed).
struct JunctionInput {
  const Rig& rig;
  const PreviousMotion& previous;
  const GroundMove& previous_place;
  const Motion& next;
  std::function<void(double frame, Pose& pose)> previous_pose;
  bool keep_place = false;      ///< The next motion is where its clip has it, in the previous one's world.
  bool keep_velocities = true;  ///< Off: weighted means alone, as plain synthesis has them.
};

/// Places the next motion by its support foot and heading, and prepares feet, hips and joints.
Junction make_junction(const JunctionInput& input, const TransitionPlan& plan, int min_move);

/// The posture at a frame in (begin, end): `scratch.next` is the next motion, placed; `scratch.previous` the previous
/// one at the warped time (any pose from `previous_until` on). Allocates nothing.
void evaluate(const Junction& junction, const Rig& rig, const Motion& next, double frame, JunctionScratch& scratch,
              Pose& out);

/// The first part of that: everything but the hips' shift and the legs. Leaves `scratch.targets` and `scratch.asks`.
void evaluate_feet(const Junction& junction, const Rig& rig, double frame, JunctionScratch& scratch, Pose& out);

/// The pose of a motion put at `at`, not placed; frames outside are its first or last, whole frames to the bit.
void motion_pose(const Motion& motion, int at, double frame, Pose& pose);

}  // namespace shosa::blend
