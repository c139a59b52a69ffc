#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "shosa/core/types.h"
#include "shosa/graph/planner.h"

namespace shosa::character {

/// Names one command that was given. 0: none.
using Handle = std::uint32_t;
inline constexpr Handle kNoHandle = 0;

/// How a command stands.
enum class Status {
  unknown,   ///< Never given, or so long ago that it is forgotten.
  active,    ///< Being carried out. Reaches, drags and gazes stay so until they are released.
  done,      ///< Carried out, or released.
  given_up,  ///< Cannot be carried out: `Outcome::reason`.
  replaced   ///< Another command took its place.
};
enum class Reason {
  none,
  unreachable,     ///< No way through the graph leads there.
  no_still_state,  ///< Nothing among the clips stands still.
  no_such_speed,   ///< No clip is near that speed.
  too_long,        ///< It took longer than it ever should.
  out_of_balance,  ///< A push that no steps can catch.
  out_of_reach,    ///< The target, or a place of a footstep plan, is farther than the body can reach.
  too_far_aside    ///< The body cannot face so far away from where it goes at that speed.
};
std::string_view status_name(Status status);
std::string_view reason_name(Reason reason);

struct Outcome {
  Status status = Status::unknown;
  Reason reason = Reason::none;
  bool met = false;  ///< The goal is met now (a hand on its target).
};

/// A place on the ground, world.
struct Point {
  double x_m = 0.0, z_m = 0.0;
};

// Going: one at a time. The newest replaces the one before it.

/// Become this: a state of the graph by name (`CharacterData::find_state`), and stay it until told otherwise. A gait is
/// left for a slower one where the ground is too steep for it, and come back to.
struct GoState {
  int state = -1;
  int hurry = graph::kNoHurry;  ///< 0 … 100.
};
/// Where to look with the whole body while going elsewhere. The body turns away from its path as far as its steps can
/// lead aside, and the trunk twists by the rest; at the speed of a shuffle it faces anywhere. What is more ends as
/// `Reason::too_far_aside`.
struct Facing {
  std::optional<Point> point;  ///< That may be passed; else
  double heading_rad = 0.0;    ///< this, world.
};
/// In a direction, at a speed, for ever. The state whose speed is nearest is taken and played a little faster or
/// slower.
struct GoDirection {
  double heading_rad = 0.0;  ///< World, about +Y, 0 = +Z.
  double speed_mps = 1.3;    ///< >= 0.
  std::optional<Facing> facing = {};
};
/// To a place, and stand there.
struct GoPlace {
  Point place;
  std::optional<double> heading_rad;  ///< To face there in the end.
  double speed_mps = 1.3;
  std::optional<Facing> facing = {};  ///< On the way.
};
/// Along points, and stand at the last.
struct GoPath {
  static constexpr int kMostPoints = 64;
  std::array<Point, kMostPoints> points;
  int count = 0;  ///< 1 … kMostPoints.
  double speed_mps = 1.3;
};
/// Lands on these places, one after the other, and stands at the last. Feet take turns in any gait, so two steps of one
/// foot end as `Reason::out_of_reach`, as do places that no step reaches.
struct GoSteps {
  struct Step {
    int foot = 0;                       ///< Of the set.
    Point place;                        ///< Of the ball; its height is the ground's.
    std::optional<double> heading_rad;  ///< Of the foot; empty: as the path goes.
  };
  static constexpr int kMostSteps = 32;
  std::array<Step, kMostSteps> steps;
  int count = 0;  ///< 1 … kMostSteps.
};
/// Stand still: here, or so far ahead.
struct Stop {
  std::optional<double> ahead_m;  ///< > 0.
};
/// A state once, as soon as possible or so that its core begins at a time; then back to what was before.
struct PlayOnce {
  int state = -1;
  std::optional<double> core_at_s;  ///< `Character::time_s`.
};
/// Turn to face a heading (or a point) on the spot, or while going elsewhere.
struct Face {
  std::optional<Point> point;
  double heading_rad = 0.0;  ///< Where there is no point.
};

// With the body: one for each joint; they last until `release`.

/// What a target is seen from.
enum class Frame {
  world,
  body  ///< The ground under the hips: x to the left of where the body faces, y up, z ahead. What is carried along.
};
/// A joint (a hand) goes to a target that may move (`Character::move_target`), meets it and stays on it. Two of them
/// take hold of one thing: `joint` of its left side as the body sees it, `other` of its right.
struct Reach {
  JointIndex joint = kNoJoint;
  Vec3d target_m = Vec3d::Zero();
  double duration_s = 0.0;  ///< 0: as the distance asks for.
  Frame frame = Frame::world;
  JointIndex other = kNoJoint;  ///< kNoJoint: `joint` alone.
  double apart_m = 0.0;         ///< Of the two, the target in the middle; 0 … 2.
};
/// A joint is led exactly, at once: what a mouse does. `move_target` moves it.
struct Drag {
  JointIndex joint = kNoJoint;
  Vec3d target_m = Vec3d::Zero();
};
/// A joint stays where it is in the world.
struct Pin {
  JointIndex joint = kNoJoint;
  bool orientation = false;
};
/// Head and neck turn to a target that may move.
struct LookAt {
  Vec3d target_m = Vec3d::Zero();
};

/// A clip over a part of the body that carries no foot, until it is released or, once, over. One for each part.
struct Layer {
  enum class Part {
    upper_body,  ///< All that hangs on the hips but the legs.
    arms,
    left_arm,
    right_arm,
    joint  ///< `top` and what hangs on it.
  };
  int clip = -1;  ///< Of the set (`graph::MotionSet::find`).
  Part part = Part::upper_body;
  JointIndex top = kNoJoint;
  double weight = 1.0;  ///< 0 … 1.
  double fade_s = 0.3;  ///< 0.05 … 5: in and out.
  bool once = false;    ///< Else it starts again where it ends, over the same fade.
  double from_s = 0.0;  ///< Where in the clip it begins.
  /// The part keeps to this heading in the world while hips and legs turn under it, as far as a trunk twists.
  std::optional<double> heading_rad = {};
};

/// The body's speed is changed from outside. Answered by steps; done when it stands, or goes as its clips do, again.
/// Another push takes its place.
struct Push {
  Vec3d velocity_mps = Vec3d::Zero();  ///< Over the ground; y is ignored.
};

using Command = std::variant<GoState, GoDirection, GoPlace, GoPath, Stop, PlayOnce, Face, Reach, Drag, Pin, LookAt,
                             Push, GoSteps, Layer>;

/// What happened in an update, in order; first what commands told since the one before.
enum class EventKind {
  foot_down,  ///< `index`: the foot.
  foot_up,
  state_reached,   ///< `index`: the state.
  core_reached,    ///< Of an action: `handle`.
  goal_met,        ///< `handle`: a reach is on its target, a place is reached, …
  goal_lost,       ///< `handle`: a target that was met has gone out of reach.
  given_up,        ///< `handle`.
  out_of_balance,  ///< `handle`: a push that no steps can catch. `given_up` follows.
  step_met         ///< `handle`: of a footstep plan; `index`: which.
};
std::string_view event_name(EventKind kind);
struct Event {
  EventKind kind = EventKind::foot_down;
  double time_s = 0.0;
  Handle handle = kNoHandle;
  int index = -1;
};

}  // namespace shosa::character
