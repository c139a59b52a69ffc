// The structs of the header with their defaults, for languages without its macros.

#include <algorithm>
#include <cstring>

#include "c/call.h"
#include "shosa/c/shosa.h"

namespace shosa::c {
namespace {

template <class T>
void copy_to(const T& from, void* out) {
  std::memcpy(out, &from, sizeof(T));
}

struct StructDefaults {
  std::string_view name;
  std::size_t size;
  void (*write)(void* out);
};

#define SHOSA_STRUCT(name, INIT)                                    \
  {                                                                 \
#name, sizeof(name), [](void* out) { copy_to(name INIT, out); } \
  }
constexpr StructDefaults kStructs[] = {SHOSA_STRUCT(shosa_context_params, SHOSA_CONTEXT_PARAMS_INIT),
                                       SHOSA_STRUCT(shosa_read_options, SHOSA_READ_OPTIONS_INIT),
                                       SHOSA_STRUCT(shosa_clip_info, SHOSA_CLIP_INFO_INIT),
                                       SHOSA_STRUCT(shosa_joint_info, SHOSA_JOINT_INFO_INIT),
                                       SHOSA_STRUCT(shosa_fix_params, SHOSA_FIX_PARAMS_INIT),
                                       SHOSA_STRUCT(shosa_loop_params, SHOSA_LOOP_PARAMS_INIT),
                                       SHOSA_STRUCT(shosa_retarget_params, SHOSA_RETARGET_PARAMS_INIT),
                                       SHOSA_STRUCT(shosa_decompose_params, SHOSA_DECOMPOSE_PARAMS_INIT),
                                       SHOSA_STRUCT(shosa_build_params, SHOSA_BUILD_PARAMS_INIT),
                                       SHOSA_STRUCT(shosa_graph_info, SHOSA_GRAPH_INFO_INIT),
                                       SHOSA_STRUCT(shosa_kind_params, SHOSA_KIND_PARAMS_INIT),
                                       SHOSA_STRUCT(shosa_state_info, SHOSA_STATE_INFO_INIT),
                                       SHOSA_STRUCT(shosa_height_field, SHOSA_HEIGHT_FIELD_INIT),
                                       SHOSA_STRUCT(shosa_character_params, SHOSA_CHARACTER_PARAMS_INIT),
                                       SHOSA_STRUCT(shosa_pose, SHOSA_POSE_INIT),
                                       SHOSA_STRUCT(shosa_character_facts, SHOSA_CHARACTER_FACTS_INIT),
                                       SHOSA_STRUCT(shosa_outcome, SHOSA_OUTCOME_INIT),
                                       SHOSA_STRUCT(shosa_go_state, SHOSA_GO_STATE_INIT),
                                       SHOSA_STRUCT(shosa_go_direction, SHOSA_GO_DIRECTION_INIT),
                                       SHOSA_STRUCT(shosa_go_place, SHOSA_GO_PLACE_INIT),
                                       SHOSA_STRUCT(shosa_go_path, SHOSA_GO_PATH_INIT),
                                       SHOSA_STRUCT(shosa_go_steps, SHOSA_GO_STEPS_INIT),
                                       SHOSA_STRUCT(shosa_stop, SHOSA_STOP_INIT),
                                       SHOSA_STRUCT(shosa_play_once, SHOSA_PLAY_ONCE_INIT),
                                       SHOSA_STRUCT(shosa_face, SHOSA_FACE_INIT),
                                       SHOSA_STRUCT(shosa_reach, SHOSA_REACH_INIT),
                                       SHOSA_STRUCT(shosa_drag, SHOSA_DRAG_INIT),
                                       SHOSA_STRUCT(shosa_pin, SHOSA_PIN_INIT),
                                       SHOSA_STRUCT(shosa_look_at, SHOSA_LOOK_AT_INIT),
                                       SHOSA_STRUCT(shosa_layer, SHOSA_LAYER_INIT),
                                       SHOSA_STRUCT(shosa_push, SHOSA_PUSH_INIT),
                                       SHOSA_STRUCT(shosa_pin_drag_params, SHOSA_PIN_DRAG_PARAMS_INIT),
                                       SHOSA_STRUCT(shosa_goal, SHOSA_GOAL_INIT),
                                       SHOSA_STRUCT(shosa_balance, SHOSA_BALANCE_INIT),
                                       SHOSA_STRUCT(shosa_step_report, SHOSA_STEP_REPORT_INIT)};
#undef SHOSA_STRUCT

}  // namespace
}  // namespace shosa::c

using namespace shosa::c;

shosa_status shosa_defaults(shosa_context* context, const char* name, void* out, uint32_t size) {
  return call(context, "shosa_defaults", [&](Call& c) {
    const std::string wanted = c.text(name, "name");
    c.present(out, "out");
    if (c.failed()) return;
    const auto* known = std::ranges::find(kStructs, wanted, &StructDefaults::name);
    if (known == std::end(kStructs)) return c.fail(SHOSA_BAD_ARGUMENT, "no struct is called '{}'", wanted);
    c.same_count(size, "size", known->size);
    if (!c.failed()) known->write(out);
  });
}
