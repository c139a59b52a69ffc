#pragma once

/// Characters that run. Begin with shosa/c/shosa.h; what they can be told is in shosa/c/commands.h.

#include "shosa/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Kinds: what characters share; made once ----

typedef struct shosa_kind_params {
  uint32_t size;
  uint32_t no_ranges;   ///< 1: reaches and drags do not keep to human joint ranges.
  double frame_time_s;  ///< Step in which time passes inside; postures in between are interpolated.
} shosa_kind_params;
#define SHOSA_KIND_PARAMS_INIT \
  { sizeof(shosa_kind_params), 0, 1.0 / 60.0 }
SHOSA_API shosa_status shosa_kind_create(shosa_context* context, shosa_graph graph, const shosa_kind_params* params,
                                         shosa_character_kind* out);
/// The same kind in another context, for another thread. It is shared, not copied.
SHOSA_API shosa_status shosa_kind_share(shosa_context* context, shosa_character_kind kind, shosa_context* with,
                                        shosa_character_kind* out);

typedef struct shosa_state_info {
  uint32_t size;
  uint32_t lasting;      ///< 1: can be held for ever; 0: is played once.
  double speed_mps;      ///< Mean over the ground.
  double core_length_s;  ///< What makes the motion what it is.
  const char* name;
} shosa_state_info;
#define SHOSA_STATE_INFO_INIT \
  { sizeof(shosa_state_info), 0, 0.0, 0.0, NULL }
SHOSA_API shosa_status shosa_kind_state_count(shosa_context* context, shosa_character_kind kind, uint32_t* out);
SHOSA_API shosa_status shosa_kind_get_state(shosa_context* context, shosa_character_kind kind, uint32_t state,
                                            shosa_state_info* out);
/// The error names the states that there are.
SHOSA_API shosa_status shosa_kind_find_state(shosa_context* context, shosa_character_kind kind, const char* name,
                                             int32_t* out);

/// A clip of the kind, for layers. The error names the clips that there are.
SHOSA_API shosa_status shosa_kind_find_clip(shosa_context* context, shosa_character_kind kind, const char* name,
                                            int32_t* out);

// ---- Grounds: may be shared by any number of characters ----

/// Height of the ground (world y, metres) at a place; `normal`, unit and upward, may be left as it is: (0, 1, 0). Must
/// be quick: it is asked some tens of times in a frame, from several threads by `shosa_characters_update`. What is not
/// finite counts as level at 0. Must not call the context.
typedef double (*shosa_ground_function)(void* user, double x_m, double z_m, double normal[3]);
SHOSA_API shosa_status shosa_ground_from_function(shosa_context* context, shosa_ground_function function, void* user,
                                                  shosa_ground* out);

typedef struct shosa_height_field {
  uint32_t size;
  uint32_t columns;        ///< Along +X, >= 1.
  uint32_t rows;           ///< Along +Z, >= 1.
  uint32_t reserved;       ///< 0.
  double cell_m;           ///< > 0.
  double x_m, z_m;         ///< Of the first height.
  const float* heights_m;  ///< Row after row; copied.
} shosa_height_field;
#define SHOSA_HEIGHT_FIELD_INIT \
  { sizeof(shosa_height_field), 0, 0, 0, 1.0, 0.0, 0.0, NULL }
/// Linear between heights, constant beyond the edges.
SHOSA_API shosa_status shosa_ground_from_heights(shosa_context* context, const shosa_height_field* field,
                                                 shosa_ground* out);
/// A terrain or stairs as the "ground" of a run script has it:
/// {"stairs": {"at": [0, 2], "heading_deg": 0, "rise_m": 0.17, "tread_m": 0.28, "count": 6}}.
SHOSA_API shosa_status shosa_ground_from_json(shosa_context* context, const char* json, shosa_ground* out);
SHOSA_API shosa_status shosa_ground_height(shosa_context* context, shosa_ground ground, double x_m, double z_m,
                                           double* out);

// ---- Characters ----

enum {
  SHOSA_POSE_LOCAL = 1,
  SHOSA_POSE_WORLD = 2
};

typedef struct shosa_character_params {
  uint32_t size;
  int32_t start_state;  ///< -1: standing still where the clips can.
  double x_m, z_m;      ///< Where it stands at first …
  double heading_rad;   ///< … and faces.
  uint32_t poses;       ///< Which arrays of `shosa_pose` are filled by every update: SHOSA_POSE_… added.
  uint32_t reserved;    ///< 0.
} shosa_character_params;
#define SHOSA_CHARACTER_PARAMS_INIT \
  { sizeof(shosa_character_params), -1, 0.0, 0.0, 0.0, SHOSA_POSE_LOCAL | SHOSA_POSE_WORLD, 0 }
SHOSA_API shosa_status shosa_character_create(shosa_context* context, shosa_character_kind kind,
                                              const shosa_character_params* params, shosa_character* out);
/// 0: level at 0, as at first.
SHOSA_API shosa_status shosa_character_set_ground(shosa_context* context, shosa_character character,
                                                  shosa_ground ground);

enum {
  SHOSA_DETAIL_FULL = 0,
  SHOSA_DETAIL_STEERED = 1,  ///< Graph, steering and feet; layers, gaze, reaches, drags and pins wait.
  SHOSA_DETAIL_PLAYED = 2    ///< The graph alone, lifted to the ground as a whole: feet may slide.
};
/// How much is worked out from the next update on: what a game chooses by how far away a character is.
SHOSA_API shosa_status shosa_character_set_detail(shosa_context* context, shosa_character character, uint32_t detail);

/// Time passes: `dt_s` from 0 to 1. Nothing is allocated.
SHOSA_API shosa_status shosa_character_update(shosa_context* context, shosa_character character, double dt_s);
/// Many at once, on all cores; the same bits as one after the other. No character may stand in the list twice.
SHOSA_API shosa_status shosa_characters_update(shosa_context* context, const shosa_character* characters,
                                               uint32_t count, double dt_s);

/// A posture in memory of the object that was asked: the arrays stay where they are as long as it lives, and every
/// update or step writes into them.
typedef struct shosa_pose {
  uint32_t size;
  uint32_t joint_count;
  const float* rotations;       ///< x, y, z, w a joint: parent_from_joint. NULL where it was not asked for.
  const float* translations_m;  ///< x, y, z a joint, in the parent's frame.
  const float* matrices;        ///< 16 a joint: world_from_joint.
} shosa_pose;
#define SHOSA_POSE_INIT \
  { sizeof(shosa_pose), 0, NULL, NULL, NULL }
SHOSA_API shosa_status shosa_character_get_pose(shosa_context* context, shosa_character character, shosa_pose* out);

typedef struct shosa_character_facts {
  uint32_t size;
  int32_t state;  ///< That it is in or on its way to; -1 for none.
  double time_s;
  double x_m, z_m;      ///< Of the hips …
  double heading_rad;   ///< … and where it faces.
  double step_ahead_m;  ///< Of the last update, seen from the place before: along where it faced …
  double step_aside_m;  ///< … and to its left.
  double step_turn_rad;
  double speed_mps;
  uint32_t contacts;     ///< Bit f: foot f stands.
  uint32_t event_count;  ///< Of the last update.
} shosa_character_facts;
#define SHOSA_CHARACTER_FACTS_INIT \
  { sizeof(shosa_character_facts), -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
SHOSA_API shosa_status shosa_character_get_facts(shosa_context* context, shosa_character character,
                                                 shosa_character_facts* out);

enum {
  SHOSA_EVENT_FOOT_DOWN = 0,  ///< `index`: the foot.
  SHOSA_EVENT_FOOT_UP = 1,
  SHOSA_EVENT_STATE_REACHED = 2,   ///< `index`: the state.
  SHOSA_EVENT_CORE_REACHED = 3,    ///< Of an action: `command`.
  SHOSA_EVENT_GOAL_MET = 4,        ///< `command`: a reach is on its target, a place is reached, …
  SHOSA_EVENT_GOAL_LOST = 5,       ///< `command`: a target that was met has gone out of reach.
  SHOSA_EVENT_GIVEN_UP = 6,        ///< `command`.
  SHOSA_EVENT_OUT_OF_BALANCE = 7,  ///< `command`: a push that no steps can catch. SHOSA_EVENT_GIVEN_UP follows.
  SHOSA_EVENT_STEP_MET = 8         ///< `command`: of a footstep plan; `index`: which step.
};
/// Never grows: events come in arrays.
typedef struct shosa_event {
  int32_t kind;
  uint32_t command;  ///< 0: of none.
  int32_t index;     ///< -1: of none.
  uint32_t reserved;
  double time_s;
} shosa_event;
/// Events of the last update, in order, first what commands told since the one before: `capacity` of them at most are
/// written; `count`, which may be NULL, is how many there are.
SHOSA_API shosa_status shosa_character_get_events(shosa_context* context, shosa_character character, shosa_event* out,
                                                  uint32_t capacity, uint32_t* count);
/// "foot_down", …; "unknown" for a number that is no event.
SHOSA_API const char* shosa_event_name(int32_t kind);

// ---- Stored and brought back ----

/// All that a character is between two updates, as bytes: the same state gives the same bytes. The kind and the ground
/// are not in them. `bytes` may be NULL to ask for the size; `capacity` must be at least that. Nothing is allocated.
SHOSA_API shosa_status shosa_character_snapshot(shosa_context* context, shosa_character character, void* bytes,
                                                size_t capacity, size_t* size);
/// Goes on from there, to the bit; commands have the numbers that they had. Bytes that are damaged, or of a character
/// of another kind, are refused, and nothing is changed.
SHOSA_API shosa_status shosa_character_restore(shosa_context* context, shosa_character character, const void* bytes,
                                               size_t size);

#ifdef __cplusplus
}
#endif
