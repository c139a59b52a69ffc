#pragma once

/// Shosa from C and from everything that can call C (C99). How to begin: docs/embed.md. What stays the same from
/// version to version: docs/decisions/0015-c-api.md.
///
///     shosa_context* context = NULL;
///     shosa_context_create(NULL, &context);
///     shosa_clip walk = 0;
///     if (shosa_clip_read(context, "walk.bvh", NULL, &walk) != SHOSA_OK) puts(shosa_error_text(context));
///     shosa_context_destroy(context);
///
/// - World: metres, seconds, right-handed, Y up; headings in radians about +Y, 0 = +Z. Quaternions x, y, z, w.
///   Matrices 4 x 4, column major. Texts are UTF-8 and end in 0.
/// - A context owns everything that is made with it. What it owns is named by numbers (handles); 0 names nothing. A
///   handle of another kind, of another context's object or of one that was freed is refused, never followed.
/// - Every call gives a status; its text is in the context until the next call that fails. Where a call fails, nothing
///   was changed, and what it should have given is 0.
/// - A context is used by one thread at a time; contexts are independent of each other. There is no global state.
/// - Structs begin with their size and are best begun by their macro: `shosa_go_place go = SHOSA_GO_PLACE_INIT;`.
///   NULL stands for a struct with its defaults.
/// - Pointers that are handed out point into the object that was asked, and last as long as it does, or as is said.

#include "shosa/c/base.h"
#include "shosa/c/character.h"
#include "shosa/c/clip.h"
#include "shosa/c/commands.h"
#include "shosa/c/graph.h"
#include "shosa/c/methods.h"
#include "shosa/c/pin_drag.h"
