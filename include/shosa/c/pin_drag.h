#pragma once

/// A posture that is pulled at: any joints dragged with any joints pinned. Begin with shosa/c/shosa.h.

#include "shosa/c/base.h"
#include "shosa/c/character.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Gains (per second), strengths and limits: docs/methods/pin_and_drag.md.
typedef struct shosa_pin_drag_params {
  uint32_t size;
  uint32_t poses;    ///< Which arrays of `shosa_pose` every step fills: SHOSA_POSE_… added.
  double drag_gain;  ///< At 1 / step an error is gone in one step.
  double pin_gain;
  double desired_gain;
  double range_gain;
  double pin_strength;  ///< Of a pin of weight 1, against joint rates of weight 1.
  double orientation_strength;
  double desired_strength;
  double range_strength;
  double root_stiffness;       ///< Cost of moving the root.
  double root_turn_stiffness;  ///< Cost of turning it.
  double max_rate_radps;       ///< No joint turns faster.
  double max_speed_mps;        ///< The root moves no faster.
} shosa_pin_drag_params;
#define SHOSA_PIN_DRAG_PARAMS_INIT                                                                                  \
  {                                                                                                                 \
    sizeof(shosa_pin_drag_params), SHOSA_POSE_LOCAL | SHOSA_POSE_WORLD, 60.0, 60.0, 10.0, 30.0, 1e4, 1e3, 1.0, 1e3, \
        1.0, 1.0, 20.0, 20.0                                                                                        \
  }
/// At rest, on the skeleton of a clip, a graph, a kind or a character.
SHOSA_API shosa_status shosa_pin_drag_create(shosa_context* context, shosa_handle of,
                                             const shosa_pin_drag_params* params, shosa_pin_drag* out);
/// Arrays as `shosa_clip_sample` gives them; one that is NULL stays as it is. What steps have learnt is forgotten.
SHOSA_API shosa_status shosa_pin_drag_set_pose(shosa_context* context, shosa_pin_drag solver, const float* rotations,
                                               const float* translations_m, uint32_t joint_count);
SHOSA_API shosa_status shosa_pin_drag_get_pose(shosa_context* context, shosa_pin_drag solver, shosa_pose* out);

enum {
  SHOSA_AXIS_X = 1,
  SHOSA_AXIS_Y = 2,
  SHOSA_AXIS_Z = 4,
  SHOSA_AXES_ALL = 7
};
enum {
  SHOSA_PRIORITY_LOW = 0,
  SHOSA_PRIORITY_HIGH = 1
};

/// A point or frame of a joint that is to be somewhere. A drag has priority high and is met first; pins are met as well
/// as drags allow, by weight.
typedef struct shosa_goal {
  uint32_t size;
  int32_t joint;
  uint32_t priority;
  uint32_t position_axes;     ///< World axes along which the point is held: SHOSA_AXIS_… added.
  uint32_t orientation_axes;  ///< World axes about which the joint's turn is held.
  uint32_t off;               ///< 1: does not count.
  double weight;              ///< Low priority only: > 0.
  double offset_m[3];         ///< The point, in the joint's frame.
  double position_m[3];
  double velocity_mps[3];  ///< How fast the position itself moves.
  double orientation[4];   ///< world_from_joint.
} shosa_goal;
#define SHOSA_GOAL_INIT                                                                                      \
  {                                                                                                          \
    sizeof(shosa_goal), -1, SHOSA_PRIORITY_LOW, SHOSA_AXES_ALL, 0, 0, 1.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, \
        {0.0, 0.0, 0.0}, {                                                                                   \
      0.0, 0.0, 0.0, 1.0                                                                                     \
    }                                                                                                        \
  }
/// `out` is the goal's number, from 0 on.
SHOSA_API shosa_status shosa_pin_drag_add_goal(shosa_context* context, shosa_pin_drag solver, const shosa_goal* goal,
                                               uint32_t* out);
SHOSA_API shosa_status shosa_pin_drag_set_goal(shosa_context* context, shosa_pin_drag solver, uint32_t number,
                                               const shosa_goal* goal);
SHOSA_API shosa_status shosa_pin_drag_clear_goals(shosa_context* context, shosa_pin_drag solver);

/// A joint comes near a rotation (x, y, z, w: parent_from_joint) of its own; weight 0 takes that away.
SHOSA_API shosa_status shosa_pin_drag_set_desired(shosa_context* context, shosa_pin_drag solver, uint32_t joint,
                                                  const double rotation[4], double weight);
/// The root comes near a place; weight 0 takes that away.
SHOSA_API shosa_status shosa_pin_drag_set_desired_place(shosa_context* context, shosa_pin_drag solver,
                                                        const double position_m[3], double weight);
/// Stiffer joints move less: > 0, at first 1.
SHOSA_API shosa_status shosa_pin_drag_set_stiffness(shosa_context* context, shosa_pin_drag solver, uint32_t joint,
                                                    double stiffness);
/// Every joint costs the inertia of what hangs on it.
SHOSA_API shosa_status shosa_pin_drag_use_inertia(shosa_context* context, shosa_pin_drag solver);

enum {
  SHOSA_JOINT_BALL = 0,
  SHOSA_JOINT_HINGE = 1,
  SHOSA_JOINT_FIXED = 2
};
/// `axis`, in the joint's frame, is asked of hinges alone.
SHOSA_API shosa_status shosa_pin_drag_set_freedom(shosa_context* context, shosa_pin_drag solver, uint32_t joint,
                                                  uint32_t freedom, const double axis[3]);

/// Joint ranges: those of humans where `json` is NULL, else {"joint_ranges": [ … ]}. They replace all before.
SHOSA_API shosa_status shosa_pin_drag_set_ranges(shosa_context* context, shosa_pin_drag solver, const char* json);
SHOSA_API shosa_status shosa_pin_drag_clear_ranges(shosa_context* context, shosa_pin_drag solver);
SHOSA_API shosa_status shosa_pin_drag_enable_range(shosa_context* context, shosa_pin_drag solver, uint32_t joint,
                                                   uint32_t on);
/// The ranges that `json` gives a body (NULL: those of humans), all in one form:
/// {"joint_ranges": [{"joint", "parent_from_zero", "joint_from_frame", "corners", "triangles"}]}.
SHOSA_API shosa_status shosa_joint_ranges(shosa_context* context, shosa_handle of, const char* json, shosa_buffer* out);
/// What moves and carries a human's body: {"masses": [{"joint", "offset_m", "mass"}], "support": [{"joint",
/// "offset_m"}], "inertia_m2": […]}. Joints are numbers, masses shares of the whole, offsets in the joint's frame; the
/// centre of mass is kept over the ground that support points span. `inertia_m2`, a joint each, is the stiffness that
/// shosa_pin_drag_use_inertia sets.
SHOSA_API shosa_status shosa_body_weights(shosa_context* context, shosa_handle of, shosa_buffer* out);
/// Ranges and balance ask for no more than the posture of now has.
SHOSA_API shosa_status shosa_pin_drag_allow_pose(shosa_context* context, shosa_pin_drag solver);

typedef struct shosa_balance {
  uint32_t size;
  uint32_t always;  ///< 0: a foot supports while a goal holds it; 1: both feet always do.
  double weight;    ///< Against pins of weight 1; > 0.
  double margin_m;  ///< How far inside the rim of the support the centre of mass is kept.
} shosa_balance;
#define SHOSA_BALANCE_INIT \
  { sizeof(shosa_balance), 0, 1.0, 0.02 }
/// Keeps a human's centre of mass over the feet.
SHOSA_API shosa_status shosa_pin_drag_set_balance(shosa_context* context, shosa_pin_drag solver,
                                                  const shosa_balance* balance);
SHOSA_API shosa_status shosa_pin_drag_clear_balance(shosa_context* context, shosa_pin_drag solver);

typedef struct shosa_step_report {
  uint32_t size;
  uint32_t reserved;
  double max_drag_error_m;
  double max_pin_error_m;
  double max_orientation_error_rad;
  double max_range_violation_rad;
  double balance_error_m;
  double max_rate_radps;  ///< Largest joint rate used.
  double shortened;       ///< < 1: rates were scaled down to their limits by this factor.
} shosa_step_report;
#define SHOSA_STEP_REPORT_INIT \
  { sizeof(shosa_step_report), 0, 0, 0, 0, 0, 0, 0, 0 }
/// One step, `step_s` > 0 and up to 1. Nothing is allocated. `report` may be NULL.
SHOSA_API shosa_status shosa_pin_drag_step(shosa_context* context, shosa_pin_drag solver, double step_s,
                                           shosa_step_report* report);
/// Where a goal stands now. Either may be NULL.
SHOSA_API shosa_status shosa_pin_drag_goal_error(shosa_context* context, shosa_pin_drag solver, uint32_t number,
                                                 double* position_m, double* orientation_rad);

/// One moment of a pose script, for editors that show what a drag will come to before it is let go: once it rests, its
/// posture is the one that evaluating the script gives there. The script's own goals count, not its `layers`. `name` is
/// for messages, `time_s` from the begin. `like`: a moment that was made before, or 0; of the same body it hands on how
/// people bend, which takes a tenth of a second to prepare. `poses`: SHOSA_POSE_… added.
SHOSA_API shosa_status shosa_pose_moment_create(shosa_context* context, shosa_folder folder, const char* name,
                                                const char* script, double time_s, shosa_pose_moment like,
                                                uint32_t poses, shosa_pose_moment* out);
/// Leads a joint that a drag of the script leads at that time (`position_m`, world), or turns one whose turn is pinned
/// (`orientation`, x, y, z, w), and goes on towards rest by up to `steps`, 1 to 1000; some 60 fit into a picture of 60
/// Hz. Either may be NULL, as may `report`, which has no rates, and `rests`: 1 when more steps would change nothing.
SHOSA_API shosa_status shosa_pose_moment_pull(shosa_context* context, shosa_pose_moment moment, uint32_t joint,
                                              const double position_m[3], const double orientation[4], uint32_t steps,
                                              uint32_t* rests, shosa_step_report* report);
SHOSA_API shosa_status shosa_pose_moment_get_pose(shosa_context* context, shosa_pose_moment moment, shosa_pose* out);

#ifdef __cplusplus
}
#endif
