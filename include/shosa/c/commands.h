#pragma once

/// What characters can be told. Begin with shosa/c/shosa.h.
///
/// Every command gives a number by which it can be asked for, moved and released; `out` may be NULL. What can never be
/// right (an unknown state, something that is not finite) fails at once; what turns out to be impossible later ends as
/// SHOSA_COMMAND_GIVEN_UP.

#include "shosa/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t shosa_command;

enum {
  SHOSA_COMMAND_UNKNOWN = 0,   ///< Never given, or so long ago that it is forgotten.
  SHOSA_COMMAND_ACTIVE = 1,    ///< Being carried out. Reaches, drags, pins and gazes stay so until they are released.
  SHOSA_COMMAND_DONE = 2,      ///< Carried out, or released.
  SHOSA_COMMAND_GIVEN_UP = 3,  ///< Cannot be carried out: see the reason.
  SHOSA_COMMAND_REPLACED = 4   ///< Another took its place.
};
enum {
  SHOSA_REASON_NONE = 0,
  SHOSA_REASON_UNREACHABLE = 1,     ///< No way through the graph leads there.
  SHOSA_REASON_NO_STILL_STATE = 2,  ///< Nothing among the clips stands still.
  SHOSA_REASON_NO_SUCH_SPEED = 3,   ///< No clip is near that speed.
  SHOSA_REASON_TOO_LONG = 4,        ///< It took longer than it ever should.
  SHOSA_REASON_OUT_OF_BALANCE = 5,  ///< A push that no steps can catch.
  SHOSA_REASON_OUT_OF_REACH = 6,    ///< The target, or a place of a footstep plan, is farther than the body can reach.
  SHOSA_REASON_TOO_FAR_ASIDE = 7    ///< The body cannot face so far away from where it goes at that speed.
};
/// "active", …, "out_of_reach", …; "unknown" for other numbers.
SHOSA_API const char* shosa_command_status_name(int32_t status);
SHOSA_API const char* shosa_reason_name(int32_t reason);

typedef struct shosa_outcome {
  uint32_t size;
  int32_t status;
  int32_t reason;
  uint32_t met;  ///< 1: the goal is met now (a hand on its target).
} shosa_outcome;
#define SHOSA_OUTCOME_INIT \
  { sizeof(shosa_outcome), 0, 0, 0 }
SHOSA_API shosa_status shosa_command_get_outcome(shosa_context* context, shosa_character character,
                                                 shosa_command command, shosa_outcome* out);
/// Moves the target of a reach, a drag or a gaze, in the frame that the command has. A target that moves steadily is
/// met on its way. Nothing happens for others, and for those that ended.
SHOSA_API shosa_status shosa_command_move_target(shosa_context* context, shosa_character character,
                                                 shosa_command command, double x_m, double y_m, double z_m);
/// Ends a command smoothly. Going goes on with what it does now.
SHOSA_API shosa_status shosa_command_release(shosa_context* context, shosa_character character, shosa_command command);

// ---- Going: one at a time. The newest replaces the one before it. ----

/// Become this: a state (`shosa_kind_find_state`).
typedef struct shosa_go_state {
  uint32_t size;
  int32_t state;
  int32_t hurry;      ///< 0 calm to 100; -1: the shortest time.
  uint32_t reserved;  ///< 0.
} shosa_go_state;
#define SHOSA_GO_STATE_INIT \
  { sizeof(shosa_go_state), -1, -1, 0 }
SHOSA_API shosa_status shosa_character_go_state(shosa_context* context, shosa_character character,
                                                const shosa_go_state* go, shosa_command* out);

/// Where to face while going elsewhere: aside as far as steps lead, the trunk twists by the rest.
enum {
  SHOSA_FACING_PATH = 0,     ///< Where it goes.
  SHOSA_FACING_HEADING = 1,  ///< `facing_rad`.
  SHOSA_FACING_POINT = 2     ///< `facing_x_m`, `facing_z_m`.
};

/// In a direction, at a speed, for ever.
typedef struct shosa_go_direction {
  uint32_t size;
  uint32_t facing;
  double heading_rad;
  double speed_mps;  ///< >= 0.
  double facing_rad;
  double facing_x_m, facing_z_m;
} shosa_go_direction;
#define SHOSA_GO_DIRECTION_INIT \
  { sizeof(shosa_go_direction), SHOSA_FACING_PATH, 0.0, 1.3, 0.0, 0.0, 0.0 }
SHOSA_API shosa_status shosa_character_go_direction(shosa_context* context, shosa_character character,
                                                    const shosa_go_direction* go, shosa_command* out);

/// To a place, and stand there.
typedef struct shosa_go_place {
  uint32_t size;
  uint32_t has_heading;  ///< 1: faces `heading_rad` there in the end.
  double x_m, z_m;
  double heading_rad;
  double speed_mps;
  uint32_t facing;    ///< On the way.
  uint32_t reserved;  ///< 0.
  double facing_rad;
  double facing_x_m, facing_z_m;
} shosa_go_place;
#define SHOSA_GO_PLACE_INIT \
  { sizeof(shosa_go_place), 0, 0.0, 0.0, 0.0, 1.3, SHOSA_FACING_PATH, 0, 0.0, 0.0, 0.0 }
SHOSA_API shosa_status shosa_character_go_place(shosa_context* context, shosa_character character,
                                                const shosa_go_place* go, shosa_command* out);

/// Along points, and stand at the last.
typedef struct shosa_go_path {
  uint32_t size;
  uint32_t point_count;  ///< 1 to 64.
  double speed_mps;
  const double* points_m;  ///< x, z a point.
} shosa_go_path;
#define SHOSA_GO_PATH_INIT \
  { sizeof(shosa_go_path), 0, 1.3, NULL }
SHOSA_API shosa_status shosa_character_go_path(shosa_context* context, shosa_character character,
                                               const shosa_go_path* go, shosa_command* out);

/// A landing. Never grows: steps come in arrays.
typedef struct shosa_footstep {
  uint32_t foot;         ///< Number of the foot (`shosa_foot_name`).
  uint32_t has_heading;  ///< 1: of the foot; 0: as the path goes.
  double x_m, z_m;       ///< Of the ball; its height is the ground's.
  double heading_rad;
} shosa_footstep;
/// Lands on these places, one after the other, and stands at the last. Feet take turns.
typedef struct shosa_go_steps {
  uint32_t size;
  uint32_t step_count;  ///< 1 to 32.
  const shosa_footstep* steps;
} shosa_go_steps;
#define SHOSA_GO_STEPS_INIT \
  { sizeof(shosa_go_steps), 0, NULL }
SHOSA_API shosa_status shosa_character_go_steps(shosa_context* context, shosa_character character,
                                                const shosa_go_steps* go, shosa_command* out);

/// Stand still.
typedef struct shosa_stop {
  uint32_t size;
  uint32_t has_ahead;  ///< 1: `ahead_m` from here; 0: here.
  double ahead_m;      ///< > 0.
} shosa_stop;
#define SHOSA_STOP_INIT \
  { sizeof(shosa_stop), 0, 0.0 }
SHOSA_API shosa_status shosa_character_stop(shosa_context* context, shosa_character character, const shosa_stop* stop,
                                            shosa_command* out);

/// A state once, as soon as possible or so that its core begins at a time; then back to what was before.
typedef struct shosa_play_once {
  uint32_t size;
  int32_t state;
  uint32_t has_core_at;  ///< 1: the core begins at `core_at_s`.
  uint32_t reserved;     ///< 0.
  double core_at_s;      ///< In the character's time.
} shosa_play_once;
#define SHOSA_PLAY_ONCE_INIT \
  { sizeof(shosa_play_once), -1, 0, 0, 0.0 }
SHOSA_API shosa_status shosa_character_play_once(shosa_context* context, shosa_character character,
                                                 const shosa_play_once* play, shosa_command* out);

/// Turn to face a point or a heading.
typedef struct shosa_face {
  uint32_t size;
  uint32_t has_point;  ///< 1: the point; 0: the heading.
  double x_m, z_m;
  double heading_rad;
} shosa_face;
#define SHOSA_FACE_INIT \
  { sizeof(shosa_face), 0, 0.0, 0.0, 0.0 }
SHOSA_API shosa_status shosa_character_face(shosa_context* context, shosa_character character, const shosa_face* face,
                                            shosa_command* out);

// ---- With the body: one for each joint; they last until they are released. ----

enum {
  SHOSA_FRAME_WORLD = 0,
  SHOSA_FRAME_BODY = 1  ///< The ground under the hips: x to the left of where the body faces, y up, z ahead.
};
/// A joint (a hand) goes to a target that may move, and stays on it. Two take hold of one thing: `joint` of its left
/// side as the body sees it, `other` of its right.
typedef struct shosa_reach {
  uint32_t size;
  int32_t joint;
  double target_m[3];
  double duration_s;  ///< 0: as the distance asks for.
  uint32_t frame;     ///< That the target is seen from. SHOSA_FRAME_BODY: what is carried along.
  int32_t other;      ///< -1: `joint` alone.
  double apart_m;     ///< Of the two, the target in the middle; 0 to 2.
} shosa_reach;
#define SHOSA_REACH_INIT \
  { sizeof(shosa_reach), -1, {0.0, 0.0, 0.0}, 0.0, SHOSA_FRAME_WORLD, -1, 0.0 }
SHOSA_API shosa_status shosa_character_reach(shosa_context* context, shosa_character character,
                                             const shosa_reach* reach, shosa_command* out);

/// A joint is led exactly, at once: what a mouse does.
typedef struct shosa_drag {
  uint32_t size;
  int32_t joint;
  double target_m[3];
} shosa_drag;
#define SHOSA_DRAG_INIT       \
  {                           \
    sizeof(shosa_drag), -1, { \
      0.0, 0.0, 0.0           \
    }                         \
  }
SHOSA_API shosa_status shosa_character_drag(shosa_context* context, shosa_character character, const shosa_drag* drag,
                                            shosa_command* out);

/// A joint stays where it is in the world.
typedef struct shosa_pin {
  uint32_t size;
  int32_t joint;
  uint32_t orientation;  ///< 1: and as it is turned.
  uint32_t reserved;     ///< 0.
} shosa_pin;
#define SHOSA_PIN_INIT \
  { sizeof(shosa_pin), -1, 0, 0 }
SHOSA_API shosa_status shosa_character_pin(shosa_context* context, shosa_character character, const shosa_pin* pin,
                                           shosa_command* out);

/// Head and neck turn to a target that may move.
typedef struct shosa_look_at {
  uint32_t size;
  uint32_t reserved;  ///< 0.
  double target_m[3];
} shosa_look_at;
#define SHOSA_LOOK_AT_INIT      \
  {                             \
    sizeof(shosa_look_at), 0, { \
      0.0, 0.0, 0.0             \
    }                           \
  }
SHOSA_API shosa_status shosa_character_look_at(shosa_context* context, shosa_character character,
                                               const shosa_look_at* look, shosa_command* out);

enum {
  SHOSA_PART_UPPER_BODY = 0,  ///< All that hangs on the hips but the legs.
  SHOSA_PART_ARMS = 1,
  SHOSA_PART_LEFT_ARM = 2,
  SHOSA_PART_RIGHT_ARM = 3,
  SHOSA_PART_JOINT = 4  ///< `top` and what hangs on it.
};
/// A clip over a part of the body that carries no foot, until it is released or, once, over. One for each part.
typedef struct shosa_layer {
  uint32_t size;
  int32_t clip;  ///< Of the kind (`shosa_kind_find_clip`).
  uint32_t part;
  int32_t top;
  double weight;         ///< 0 to 1.
  double fade_s;         ///< 0.05 to 5: in and out.
  double from_s;         ///< Where in the clip it begins.
  double heading_rad;    ///< The part keeps to it in the world, as far as a trunk twists, …
  uint32_t has_heading;  ///< … where this is 1.
  uint32_t once;         ///< 0: starts again where it ends.
} shosa_layer;
#define SHOSA_LAYER_INIT \
  { sizeof(shosa_layer), -1, SHOSA_PART_UPPER_BODY, -1, 1.0, 0.3, 0.0, 0.0, 0, 0 }
SHOSA_API shosa_status shosa_character_layer(shosa_context* context, shosa_character character,
                                             const shosa_layer* layer, shosa_command* out);

/// The body's speed is changed from outside. Done when it stands, or goes as its clips do, again: SHOSA_EVENT_GOAL_MET.
/// Given up at once where no steps can catch it. Another push takes its place.
typedef struct shosa_push {
  uint32_t size;
  uint32_t reserved;       ///< 0.
  double velocity_mps[3];  ///< Over the ground; y is ignored.
} shosa_push;
#define SHOSA_PUSH_INIT      \
  {                          \
    sizeof(shosa_push), 0, { \
      0.0, 0.0, 0.0          \
    }                        \
  }
SHOSA_API shosa_status shosa_character_push(shosa_context* context, shosa_character character, const shosa_push* push,
                                            shosa_command* out);

#ifdef __cplusplus
}
#endif
