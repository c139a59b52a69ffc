#pragma once

/// What can be done with clips, and documents that say it. Begin with shosa/c/shosa.h.

#include "shosa/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Folders: clips and texts under the names that documents have for them ----

/// A folder in memory, empty.
SHOSA_API shosa_status shosa_folder_create(shosa_context* context, shosa_folder* out);
/// A folder on the disk: names are files in it. What is added to it comes first.
SHOSA_API shosa_status shosa_folder_open(shosa_context* context, const char* path, shosa_folder* out);
/// The clip as it is now. A name that is there already is replaced. Clips keep the order in which they came.
SHOSA_API shosa_status shosa_folder_add_clip(shosa_context* context, shosa_folder folder, const char* name,
                                             shosa_clip clip);
/// A text that documents name: a graph and its kept clips, a body map, joint ranges.
SHOSA_API shosa_status shosa_folder_add_text(shosa_context* context, shosa_folder folder, const char* name,
                                             const void* text, size_t size);

/// All clips of a folder in the bytes of one file, under their names in it; they must be on one body. The extension of
/// `name` says of which kind: .glb, .gltf or .vrma; .bvh and .csv hold the first clip alone.
SHOSA_API shosa_status shosa_folder_format(shosa_context* context, shosa_folder folder, const char* name,
                                           shosa_buffer* out);

// ---- Documents ----

/// Carries out a document. `kind` is one of
///   "score"         joins motions (`shosa compose`);
///   "pose"          pins and drags on a clip (`shosa pose`);
///   "footsteps"     a plan of landings; the walk is the folder's clip "clip" (`shosa footsteps`);
///   "play"          commands to a graph; the graph is the folder's text "graph", and for the upper body on its own
///                   "upper_graph" and "upper_commands" (`shosa graph play`);
///   "run"           commands to a running character on a ground (`shosa run`);
///   "submovements"  a submovement file is played back (`shosa recompose`).
/// `text` may be NULL: then the folder's text `name` is taken; `name` stands in errors. `out` and `report` may be NULL.
/// The report is the JSON that the verb prints, with "warnings" and "notes".
SHOSA_API shosa_status shosa_evaluate(shosa_context* context, shosa_folder folder, const char* kind, const char* name,
                                      const char* text, shosa_clip* out, shosa_buffer* report);

// ---- Methods in one call. `report` may be NULL; it is the JSON that the verb of the command line prints. ----

typedef struct shosa_fix_params {
  uint32_t size;
  uint32_t level;  ///< 1: every stance is put exactly on its ground.
} shosa_fix_params;
#define SHOSA_FIX_PARAMS_INIT \
  { sizeof(shosa_fix_params), 0 }
/// Takes foot slide and floor penetration out (`shosa fix`).
SHOSA_API shosa_status shosa_clip_fix(shosa_context* context, shosa_clip clip, const shosa_fix_params* params,
                                      shosa_clip* out, shosa_buffer* report);

enum {
  SHOSA_RISE_AS_FLOOR = 0,
  SHOSA_RISE_LEVEL = 1,
  SHOSA_RISE_CLIMB = 2
};
typedef struct shosa_loop_params {
  uint32_t size;
  uint32_t cycles;      ///< >= 1.
  double from_s, to_s;  ///< The cycle; both 0: found.
  uint32_t straight;    ///< 1: the turn of the cycle is taken out.
  uint32_t in_place;    ///< 1: the way over the ground is taken out.
  uint32_t keep_slide;  ///< 1: standing feet slide as they were captured.
  uint32_t rise;        ///< How high the next cycle starts.
} shosa_loop_params;
#define SHOSA_LOOP_PARAMS_INIT \
  { sizeof(shosa_loop_params), 1, 0.0, 0.0, 0, 0, 0, SHOSA_RISE_AS_FLOOR }
/// A seamless cycle (`shosa loop`).
SHOSA_API shosa_status shosa_clip_loop(shosa_context* context, shosa_clip clip, const shosa_loop_params* params,
                                       shosa_clip* out, shosa_buffer* report);

typedef struct shosa_retarget_params {
  uint32_t size;
  uint32_t loose_feet;   ///< 1: feet are not held where they stand.
  uint32_t loose_hands;  ///< 1: hands are not held where they touch.
  uint32_t reserved;     ///< 0.
  double scale;          ///< Size of the target / of the source; 0: from the legs.
} shosa_retarget_params;
#define SHOSA_RETARGET_PARAMS_INIT \
  { sizeof(shosa_retarget_params), 0, 0, 0, 0.0 }
/// A clip on the body of another (`shosa retarget`).
SHOSA_API shosa_status shosa_clip_retarget(shosa_context* context, shosa_clip clip, shosa_clip onto,
                                           const shosa_retarget_params* params, shosa_clip* out, shosa_buffer* report);

/// Leads a joint (its name or role) along keys while the clip plays; feet stay where they stand. A key is 4 doubles:
/// time in seconds, x, y, z in metres.
SHOSA_API shosa_status shosa_clip_drag(shosa_context* context, shosa_clip clip, const char* joint, const double* keys,
                                       uint32_t key_count, shosa_clip* out, shosa_buffer* report);

/// All clips of a folder one after the other, as early as they can, on the body of the first (`shosa compose`).
/// `smoothness` 0 is fast, 1 is smooth; the usual is 0.5.
SHOSA_API shosa_status shosa_folder_join(shosa_context* context, shosa_folder folder, double smoothness,
                                         shosa_clip* out, shosa_buffer* report);

typedef struct shosa_decompose_params {
  uint32_t size;
  uint32_t shared_timings;  ///< 1: one set of timings for each limb.
  double max_error_m;       ///< Root mean square of translations; 0: the usual.
  double max_error_rad;     ///< Of rotations; 0: the usual.
  double min_duration_s;    ///< Shortest submovement; 0: the usual.
} shosa_decompose_params;
#define SHOSA_DECOMPOSE_PARAMS_INIT \
  { sizeof(shosa_decompose_params), 0, 0.0, 0.0, 0.0 }
/// The body's submovements as a text that can be edited and evaluated as "submovements" (`shosa decompose --all`).
SHOSA_API shosa_status shosa_clip_decompose(shosa_context* context, shosa_clip clip,
                                            const shosa_decompose_params* params, shosa_buffer* out,
                                            shosa_buffer* report);

#ifdef __cplusplus
}
#endif
