#pragma once

/// Clips: read, written, looked at, made, studied. Begin with shosa/c/shosa.h.

#include "shosa/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Reading and writing ----

enum {
  SHOSA_UP_AUTO = 0,
  SHOSA_UP_Y = 1,
  SHOSA_UP_Z = 2
};

typedef struct shosa_read_options {
  uint32_t size;
  uint32_t up;           ///< Of the file.
  double unit_m;         ///< Of the file; 0: found.
  double fps_is;         ///< True frame rate where the header is wrong; 0: as the file says.
  double sample_fps;     ///< glTF, FBX: rate at which keys are sampled; 0: found.
  uint32_t as_captured;  ///< 1: nothing is left out, and nothing is cleaned when it is used.
  uint32_t keep_tpose;   ///< 1: an added T-pose in front is kept.
  const char* take;      ///< Of a file that holds several: name, or number from 0. NULL: the first.
  const char* body_map;  ///< JSON: which joint plays which role. NULL: guessed.
  const char* asf;       ///< Skeleton of an .amc: its text when bytes are read, its path when a file is.
} shosa_read_options;
#define SHOSA_READ_OPTIONS_INIT \
  { sizeof(shosa_read_options), SHOSA_UP_AUTO, 0.0, 0.0, 0.0, 0, 0, NULL, NULL, NULL }

/// Bytes of a .bvh, .asf, .amc, .glb, .gltf, .vrma or .vrm; the extension of `name` says which. A file without motion
/// becomes a clip of one frame at rest.
SHOSA_API shosa_status shosa_clip_parse(shosa_context* context, const void* bytes, size_t size, const char* name,
                                        const shosa_read_options* options, shosa_clip* out);
/// A file; .fbx too where the library has the feature.
SHOSA_API shosa_status shosa_clip_read(shosa_context* context, const char* path, const shosa_read_options* options,
                                       shosa_clip* out);
/// One of the motions that ship ("idle", "walk_normal", "run_slow", …), made from its description: no file is needed.
/// The error names them all.
SHOSA_API shosa_status shosa_clip_make(shosa_context* context, const char* name, shosa_clip* out);
/// Their names, as a JSON list.
SHOSA_API shosa_status shosa_motion_names(shosa_context* context, shosa_buffer* out);
/// The bytes of a file; the extension of `name` says of which kind: .bvh, .glb, .gltf, .vrma or .csv.
SHOSA_API shosa_status shosa_clip_format(shosa_context* context, shosa_clip clip, const char* name, shosa_buffer* out);
/// The file appears whole or not at all.
SHOSA_API shosa_status shosa_clip_write(shosa_context* context, shosa_clip clip, const char* path);

// ---- What it is ----

enum {
  SHOSA_BODY_UNKNOWN = 0,
  SHOSA_BODY_HUMANOID = 1,
  SHOSA_BODY_QUADRUPED = 2
};

typedef struct shosa_clip_info {
  uint32_t size;
  uint32_t joint_count;
  uint32_t end_site_count;  ///< Tips of fingers and toes, the crown: places without a rotation.
  uint32_t frame_count;
  uint32_t has_motion;  ///< 0: the file held a skeleton alone.
  uint32_t body_kind;
  uint32_t take_count;  ///< Clips in the file.
  uint32_t take;        ///< Number of this one.
  double frame_time_s;  ///< Exactly as the file has it.
  double duration_s;    ///< frame_count * frame_time_s.
  double unit_m;        ///< Of the file.
  const char* name;     ///< Of the clip.
  const char* format;   ///< "bvh", "glb", …; "" for a clip that was made here.
} shosa_clip_info;
#define SHOSA_CLIP_INFO_INIT \
  { sizeof(shosa_clip_info), 0, 0, 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, NULL, NULL }
SHOSA_API shosa_status shosa_clip_get_info(shosa_context* context, shosa_clip clip, shosa_clip_info* out);
/// All that is known, as `shosa info --json` says it: joints, roles, takes, warnings, …
SHOSA_API shosa_status shosa_clip_describe(shosa_context* context, shosa_clip clip, shosa_buffer* out);

/// A clip is itself a copy, independent of the first.
SHOSA_API shosa_status shosa_clip_copy(shosa_context* context, shosa_clip clip, shosa_clip* out);
/// Another clip of the same file.
SHOSA_API shosa_status shosa_clip_take(shosa_context* context, shosa_clip clip, uint32_t take, shosa_clip* out);
SHOSA_API shosa_status shosa_clip_set_name(shosa_context* context, shosa_clip clip, const char* name);
/// Roles that a JSON text gives replace those that are known: {"left_foot": "LFoot", "jaw": null}.
SHOSA_API shosa_status shosa_clip_set_body_map(shosa_context* context, shosa_clip clip, const char* json);
/// When feet stand and what the core is, by your word, for every method that takes the clip: {"left": [[0, 0.6]],
/// "core": [0.4, 1.2]}. What is not named is found; "{}" has all found again.
SHOSA_API shosa_status shosa_clip_set_contacts(shosa_context* context, shosa_clip clip, const char* json);

// ---- Skeletons: of a clip, a graph, a kind, a character or a pin_drag ----

typedef struct shosa_joint_info {
  uint32_t size;
  int32_t parent;               ///< Smaller than the joint's own number; -1 for joint 0, the root.
  float rest_translation_m[3];  ///< In the parent's frame.
  float rest_rotation[4];       ///< parent_from_joint.
  uint32_t reserved;            ///< 0.
  const char* name;
  const char* role;  ///< "left_foot"; NULL where it plays none.
} shosa_joint_info;
#define SHOSA_JOINT_INFO_INIT \
  { sizeof(shosa_joint_info), 0, {0, 0, 0}, {0, 0, 0, 0}, 0, NULL, NULL }
SHOSA_API shosa_status shosa_joint_count(shosa_context* context, shosa_handle of, uint32_t* out);
SHOSA_API shosa_status shosa_joint_get_info(shosa_context* context, shosa_handle of, uint32_t joint,
                                            shosa_joint_info* out);
/// By the file's own name, or by role ("right_hand"). The error names what is near.
SHOSA_API shosa_status shosa_joint_find(shosa_context* context, shosa_handle of, const char* name, int32_t* out);
/// Parents of all joints, -1 for the root; `joint_count` of them.
SHOSA_API shosa_status shosa_joint_parents(shosa_context* context, shosa_handle of, int32_t* out, uint32_t joint_count);
/// The rest posture. Here and below: 4 floats a joint and 3 floats a joint, in the parent's frame; `joint_count` must
/// be the skeleton's; a pointer that is NULL is left out.
SHOSA_API shosa_status shosa_rest_pose(shosa_context* context, shosa_handle of, float* rotations, float* translations_m,
                                       uint32_t joint_count);

// ---- Postures ----

/// At any time, interpolated and clamped to the first and last frame.
SHOSA_API shosa_status shosa_clip_sample(shosa_context* context, shosa_clip clip, double time_s, float* rotations,
                                         float* translations_m, uint32_t joint_count);
/// `count` stored frames from `first` on, one after the other.
SHOSA_API shosa_status shosa_clip_frames(shosa_context* context, shosa_clip clip, uint32_t first, uint32_t count,
                                         float* rotations, float* translations_m, uint32_t joint_count);
/// world_from_joint at any time, 16 floats a joint.
SHOSA_API shosa_status shosa_clip_matrices(shosa_context* context, shosa_clip clip, double time_s, float* matrices,
                                           uint32_t joint_count);
/// World positions of joints, then of end sites, in `count` frames from `first` on: 3 floats a point, and
/// `point_count` = joint_count + end_site_count.
SHOSA_API shosa_status shosa_clip_positions(shosa_context* context, shosa_clip clip, uint32_t first, uint32_t count,
                                            float* positions_m, uint32_t point_count);

// ---- Made from arrays ----

/// A clip at rest on a skeleton of your own. Parents come before their children, joint 0 is the only root. Rest
/// rotations may be NULL: none. Roles are guessed.
SHOSA_API shosa_status shosa_clip_create(shosa_context* context, uint32_t joint_count, const char* const* names,
                                         const int32_t* parents, const float* rest_translations_m,
                                         const float* rest_rotations, uint32_t frame_count, double frame_time_s,
                                         shosa_clip* out);
/// Writes frames. Rotations need not be of length 1, but not 0. Translations, where given, count for the joints that
/// the clip moves: the root, and those of the file.
SHOSA_API shosa_status shosa_clip_set_frames(shosa_context* context, shosa_clip clip, uint32_t first, uint32_t count,
                                             const float* rotations, const float* translations_m, uint32_t joint_count);

SHOSA_API shosa_status shosa_clip_cut(shosa_context* context, shosa_clip clip, double begin_s, double end_s,
                                      shosa_clip* out);
SHOSA_API shosa_status shosa_clip_resample(shosa_context* context, shosa_clip clip, double fps, shosa_clip* out);
/// Left becomes right.
SHOSA_API shosa_status shosa_clip_mirror(shosa_context* context, shosa_clip clip, shosa_clip* out);

// ---- Studied: as `shosa analyze --json` and `shosa metrics --json` say it ----

/// Contacts, core, cycle, speed, flights.
SHOSA_API shosa_status shosa_clip_analyze(shosa_context* context, shosa_clip clip, shosa_buffer* out);
/// Quality figures; with a `reference` (0: none) also the distance from it.
SHOSA_API shosa_status shosa_clip_measure(shosa_context* context, shosa_clip clip, shosa_clip reference,
                                          shosa_buffer* out);
/// Which feet stand: a byte a frame, bit f for foot f.
SHOSA_API shosa_status shosa_clip_contacts(shosa_context* context, shosa_clip clip, uint8_t* out, uint32_t frame_count);
/// Path of the hips over the ground: x, z (metres) and heading (radians, unwound) a frame.
SHOSA_API shosa_status shosa_clip_root_motion(shosa_context* context, shosa_clip clip, double* out,
                                              uint32_t frame_count);
/// Feet of a clip, a graph, a kind or a character, in the order of the contacts' bits: "left", "right".
SHOSA_API shosa_status shosa_foot_count(shosa_context* context, shosa_handle of, uint32_t* out);
SHOSA_API shosa_status shosa_foot_name(shosa_context* context, shosa_handle of, uint32_t foot, const char** out);

#ifdef __cplusplus
}
#endif
