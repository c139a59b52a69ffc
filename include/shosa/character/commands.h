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
  out_of_balance,  ///< A push that no step can catch.
  out_of_reach     ///< The target is farther than the body can reach.
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

/// Become this: a state of the graph by name (`CharacterData::find_state`).
struct GoState {
  int state = -1;
  int hurry = graph::kNoHurry;  ///< 0 … 100.
};
/// In a direction, at a speed, for ever. The state whose speed is nearest is taken and played a little faster or
/// slower.
struct GoDirection {
  double heading_rad = 0.0;  ///< World, about +Y, 0 = +Z.
  double speed_mps = 1.3;    ///< >= 0.
};
/// To a place, and stand there.
struct GoPlace {
  Point place;
  std::optional<double> heading_rad;  ///< To face there in the end.
  double speed_mps = 1.3;
};
/// Along points, and stand at the last.
struct GoPath {
  static constexpr int kMostPoints = 64;
  std::array<Point, kMostPoints> points;
  int count = 0;  ///< 1 … kMostPoints.
  double speed_mps = 1.3;
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

/// A joint (a hand) goes to a target that may move (`Character::move_target`) and stays on it.
struct Reach {
  JointIndex joint = kNoJoint;
  Vec3d target_m = Vec3d::Zero();
  double duration_s = 0.0;  ///< 0: as the distance asks for.
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

/// The body's speed is changed from outside. Answered by steps.
struct Push {
  Vec3d velocity_mps = Vec3d::Zero();  ///< Over the ground; y is ignored.
};

using Command =
    std::variant<GoState, GoDirection, GoPlace, GoPath, Stop, PlayOnce, Face, Reach, Drag, Pin, LookAt, Push>;

/// What happened in an update, in order.
enum class EventKind {
  foot_down,  ///< `index`: the foot.
  foot_up,
  state_reached,  ///< `index`: the state.
  core_reached,   ///< Of an action: `handle`.
  goal_met,       ///< `handle`: a reach is on its target, a place is reached, …
  goal_lost,      ///< `handle`: a target that was met has gone out of reach.
  given_up,       ///< `handle`.
  out_of_balance
};
std::string_view event_name(EventKind kind);
struct Event {
  EventKind kind = EventKind::foot_down;
  double time_s = 0.0;
  Handle handle = kNoHandle;
  int index = -1;
};

}  // namespace shosa::character
