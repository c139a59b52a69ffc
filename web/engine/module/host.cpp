// What the page does for the module, and the page's own functions as C pointers.

#include "shosa/c/shosa.h"

#define SHOSA_IMPORT(name) extern "C" __attribute__((import_module("shosa"), import_name(#name)))

SHOSA_IMPORT(ground_height) double shosa_page_ground_height(uint32_t ground, double x_m, double z_m);
SHOSA_IMPORT(log) void shosa_page_log(int32_t level, const char* text);

/// A context whose messages go to the page.
extern "C" shosa_status shosa_web_context(shosa_context** out) {
  shosa_context_params params = SHOSA_CONTEXT_PARAMS_INIT;
  params.log = [](void*, int32_t level, const char* text) { shosa_page_log(level, text); };
  return shosa_context_create(&params, out);
}

/// For `shosa_ground_from_function`; `user` is the number by which the page knows the ground. Level ground under the
/// foot is assumed, as the C API does where a function gives no normal.
extern "C" shosa_ground_function shosa_web_ground_function() {
  return [](void* user, double x_m, double z_m, double*) {
    return shosa_page_ground_height(static_cast<uint32_t>(reinterpret_cast<uintptr_t>(user)), x_m, z_m);
  };
}
