#pragma once

/// Motion graphs. Begin with shosa/c/shosa.h.

#include "shosa/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Loops of all clips of a folder, gaits of different speed and standing, linked where they are alike: what a character
/// needs to go about. States bear the names of the clips without extension. At least two; the first gives the body.
/// `report` may be NULL.
SHOSA_API shosa_status shosa_graph_link(shosa_context* context, shosa_folder folder, shosa_graph* out,
                                        shosa_buffer* report);

typedef struct shosa_build_params {
  uint32_t size;
  uint32_t any_feet;   ///< 1: clips may meet while different feet stand.
  uint32_t extremal;   ///< 1: keyframes where the posture changes fastest or slowest, not at a constant step.
  uint32_t connect;    ///< 1: the threshold is raised until every clip is in the graph, where that can be.
  double threshold_m;  ///< How alike postures must be to meet; 0: the usual.
} shosa_build_params;
#define SHOSA_BUILD_PARAMS_INIT \
  { sizeof(shosa_build_params), 0, 0, 0, 0.0 }
/// All clips of a folder, whole, linked wherever they are alike (`shosa graph build`).
SHOSA_API shosa_status shosa_graph_build(shosa_context* context, shosa_folder folder, const shosa_build_params* params,
                                         shosa_graph* out, shosa_buffer* report);

/// A graph that was written by `shosa graph build`, by `shosa_graph_format` or by hand, with its clips from the folder.
/// `text` may be NULL: then the folder's text `name` is taken.
SHOSA_API shosa_status shosa_graph_parse(shosa_context* context, shosa_folder folder, const char* name,
                                         const char* text, shosa_graph* out);
/// The graph as JSON, and the samples of its clips for a file `kept_name` beside it, which `shosa_graph_parse` then
/// finds in its folder. `kept_name` and `kept` may be NULL: then the clips are named, and not kept.
SHOSA_API shosa_status shosa_graph_format(shosa_context* context, shosa_graph graph, const char* kept_name,
                                          shosa_buffer* out, shosa_buffer* kept);

typedef struct shosa_graph_info {
  uint32_t size;
  uint32_t node_count;
  uint32_t link_count;
  uint32_t clip_count;
} shosa_graph_info;
#define SHOSA_GRAPH_INFO_INIT \
  { sizeof(shosa_graph_info), 0, 0, 0 }
SHOSA_API shosa_status shosa_graph_get_info(shosa_context* context, shosa_graph graph, shosa_graph_info* out);

/// The way from a node to others (ids or names, several with commas), as JSON (`shosa graph plan`). `hurry` 0 to 100;
/// -1: the shortest time.
SHOSA_API shosa_status shosa_graph_plan(shosa_context* context, shosa_graph graph, const char* from, const char* to,
                                        int32_t hurry, shosa_buffer* out);

#ifdef __cplusplus
}
#endif
