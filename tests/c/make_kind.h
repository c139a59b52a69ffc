#pragma once

#include <initializer_list>

#include "shosa/c/shosa.h"

/// A kind of character from motions that ship. Fails as the first call that fails.
inline shosa_status make_kind(shosa_context* context, std::initializer_list<const char*> motions,
                              shosa_character_kind* kind) {
  shosa_folder folder = 0;
  shosa_graph graph = 0;
  shosa_status status = shosa_folder_create(context, &folder);
  for (const char* name : motions) {
    shosa_clip clip = 0;
    if (status == SHOSA_OK) status = shosa_clip_make(context, name, &clip);
    if (status == SHOSA_OK) status = shosa_folder_add_clip(context, folder, name, clip);
    if (status == SHOSA_OK) status = shosa_free(context, clip);
  }
  if (status == SHOSA_OK) status = shosa_graph_link(context, folder, &graph, nullptr);
  if (status == SHOSA_OK) status = shosa_kind_create(context, graph, nullptr, kind);
  return status;
}
