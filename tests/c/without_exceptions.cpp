// The room compiled without exceptions, as an engine or a browser may build it: wrong calls and right ones.

#include <cstdio>

#include "shosa/c/shosa.h"

#ifdef __cpp_exceptions
#error "compile this with -fno-exceptions"
#endif

int main() {
  shosa_context* context = nullptr;
  shosa_clip clip = 0;
  shosa_pin_drag solver = 0;
  shosa_buffer text = 0;
  int wrong = shosa_context_create(nullptr, &context) != SHOSA_OK;
  wrong += shosa_clip_parse(context, "HIERARCHY", 9, "a.bvh", nullptr, &clip) != SHOSA_BAD_FILE;
  wrong += shosa_clip_make(context, "idle", &clip) != SHOSA_OK;
  wrong += shosa_clip_analyze(context, clip, &text) != SHOSA_OK;
  wrong += shosa_pin_drag_create(context, text, nullptr, &solver) != SHOSA_BAD_HANDLE;
  wrong += shosa_pin_drag_create(context, clip, nullptr, &solver) != SHOSA_OK;
  wrong += shosa_pin_drag_set_ranges(context, solver, "{") != SHOSA_BAD_FILE;
  shosa_context_destroy(context);
  std::printf("%d answered wrongly\n", wrong);
  return wrong == 0 ? 0 : 1;
}
