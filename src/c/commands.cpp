#include "shosa/c/commands.h"

#include <iterator>

#include "c/objects.h"
#include "shosa/c/character.h"

using namespace shosa;
using namespace shosa::c;

namespace {

/// Numbers of the header are those of the library, so that they are handed through.
static_assert(SHOSA_COMMAND_REPLACED == static_cast<int>(character::Status::replaced));
static_assert(SHOSA_REASON_TOO_FAR_ASIDE == static_cast<int>(character::Reason::too_far_aside));
static_assert(SHOSA_EVENT_STEP_MET == static_cast<int>(character::EventKind::step_met));
static_assert(SHOSA_FRAME_BODY == static_cast<int>(character::Frame::body));
static_assert(SHOSA_PART_JOINT == static_cast<int>(character::Layer::Part::joint));

/// Names are literals, and so end in 0.
template <class Name>
const char* name_of(int32_t number, int32_t last, Name name) {
  return number >= 0 && number <= last ? name(number).data() : "unknown";
}

void tell(Call& c, CharacterObject* object, const character::Command& command, shosa_command* out) {
  if (c.failed()) return;
  const auto handle = c.take(object->character.command(command));
  if (handle && out != nullptr) *out = *handle;
}

/// A command of the form: struct → `Command`. The library itself checks what the numbers must be.
template <class Struct, class Make>
shosa_status command(shosa_context* context, const char* function, shosa_character character, const Struct* given,
                     const Struct& defaults, const char* name, shosa_command* out, const Make& make) {
  return call(context, function, [&](Call& c) {
    c.clear_if_given(out);
    auto* object = c.find<CharacterObject>(character);
    const Struct own = c.read(given, defaults, name);
    if (!c.failed()) tell(c, object, make(c, own), out);
  });
}

template <class T>
std::optional<T> given_if(std::uint32_t has, const T& value) {
  return has != 0 ? std::optional<T>(value) : std::nullopt;
}

/// Of any command that has one.
template <class Struct>
std::optional<character::Facing> facing_of(Call& c, const Struct& own) {
  c.index(own.facing, "facing", 3);
  if (own.facing == SHOSA_FACING_PATH) return std::nullopt;
  character::Facing facing{.heading_rad = own.facing_rad};
  if (own.facing == SHOSA_FACING_POINT) facing.point = {own.facing_x_m, own.facing_z_m};
  return facing;
}

}  // namespace

const char* shosa_command_status_name(int32_t status) {
  return name_of(status, SHOSA_COMMAND_REPLACED,
                 [](int32_t s) { return character::status_name(static_cast<character::Status>(s)); });
}

const char* shosa_reason_name(int32_t reason) {
  return name_of(reason, SHOSA_REASON_TOO_FAR_ASIDE,
                 [](int32_t r) { return character::reason_name(static_cast<character::Reason>(r)); });
}

const char* shosa_event_name(int32_t kind) {
  return name_of(kind, SHOSA_EVENT_STEP_MET,
                 [](int32_t k) { return character::event_name(static_cast<character::EventKind>(k)); });
}

shosa_status shosa_command_get_outcome(shosa_context* context, shosa_character character, shosa_command command,
                                       shosa_outcome* out) {
  return call(context, "shosa_command_get_outcome", [&](Call& c) {
    const auto* object = c.find<CharacterObject>(character);
    if (c.failed()) return;
    const character::Outcome outcome = object->character.outcome(command);
    c.write(out,
            shosa_outcome{sizeof(shosa_outcome), static_cast<std::int32_t>(outcome.status),
                          static_cast<std::int32_t>(outcome.reason), outcome.met ? 1U : 0U},
            "shosa_outcome");
  });
}

shosa_status shosa_command_move_target(shosa_context* context, shosa_character character, shosa_command command,
                                       double x_m, double y_m, double z_m) {
  return call(context, "shosa_command_move_target", [&](Call& c) {
    auto* object = c.find<CharacterObject>(character);
    const double target[3] = {x_m, y_m, z_m};
    const Vec3d target_m = c.point(target, "the target");
    if (!c.failed()) object->character.move_target(command, target_m);
  });
}

shosa_status shosa_command_release(shosa_context* context, shosa_character character, shosa_command command) {
  return call(context, "shosa_command_release", [&](Call& c) {
    auto* object = c.find<CharacterObject>(character);
    if (!c.failed()) object->character.release(command);
  });
}

shosa_status shosa_character_go_state(shosa_context* context, shosa_character character, const shosa_go_state* go,
                                      shosa_command* out) {
  return command(
      context, "shosa_character_go_state", character, go, shosa_go_state SHOSA_GO_STATE_INIT, "shosa_go_state", out,
      [](Call&, const shosa_go_state& own) { return character::GoState{.state = own.state, .hurry = own.hurry}; });
}

shosa_status shosa_character_go_direction(shosa_context* context, shosa_character character,
                                          const shosa_go_direction* go, shosa_command* out) {
  return command(context, "shosa_character_go_direction", character, go, shosa_go_direction SHOSA_GO_DIRECTION_INIT,
                 "shosa_go_direction", out, [](Call& c, const shosa_go_direction& own) {
                   return character::GoDirection{
                       .heading_rad = own.heading_rad, .speed_mps = own.speed_mps, .facing = facing_of(c, own)};
                 });
}

shosa_status shosa_character_go_place(shosa_context* context, shosa_character character, const shosa_go_place* go,
                                      shosa_command* out) {
  return command(context, "shosa_character_go_place", character, go, shosa_go_place SHOSA_GO_PLACE_INIT,
                 "shosa_go_place", out, [](Call& c, const shosa_go_place& own) {
                   return character::GoPlace{.place = {own.x_m, own.z_m},
                                             .heading_rad = given_if(own.has_heading, own.heading_rad),
                                             .speed_mps = own.speed_mps,
                                             .facing = facing_of(c, own)};
                 });
}

shosa_status shosa_character_go_path(shosa_context* context, shosa_character character, const shosa_go_path* go,
                                     shosa_command* out) {
  return command(context, "shosa_character_go_path", character, go, shosa_go_path SHOSA_GO_PATH_INIT, "shosa_go_path",
                 out, [](Call& c, const shosa_go_path& own) {
                   character::GoPath path;
                   c.present(own.points_m, "points_m");
                   c.number(own.point_count, "point_count", 1, character::GoPath::kMostPoints);
                   if (c.failed()) return path;
                   path.count = static_cast<int>(own.point_count);
                   path.speed_mps = own.speed_mps;
                   for (std::size_t i = 0; i < own.point_count; ++i)
                     path.points[i] = {own.points_m[2 * i], own.points_m[2 * i + 1]};
                   return path;
                 });
}

shosa_status shosa_character_go_steps(shosa_context* context, shosa_character character, const shosa_go_steps* go,
                                      shosa_command* out) {
  return command(context, "shosa_character_go_steps", character, go, shosa_go_steps SHOSA_GO_STEPS_INIT,
                 "shosa_go_steps", out, [](Call& c, const shosa_go_steps& own) {
                   character::GoSteps plan;
                   c.present(own.steps, "steps");
                   c.number(own.step_count, "step_count", 1, character::GoSteps::kMostSteps);
                   if (c.failed()) return plan;
                   plan.count = static_cast<int>(own.step_count);
                   for (std::size_t i = 0; i < own.step_count; ++i) {
                     const shosa_footstep& step = own.steps[i];
                     plan.steps[i] = {.foot = c.index(step.foot, "foot", 8),
                                      .place = {step.x_m, step.z_m},
                                      .heading_rad = given_if(step.has_heading, step.heading_rad)};
                   }
                   return plan;
                 });
}

shosa_status shosa_character_stop(shosa_context* context, shosa_character character, const shosa_stop* stop,
                                  shosa_command* out) {
  return command(
      context, "shosa_character_stop", character, stop, shosa_stop SHOSA_STOP_INIT, "shosa_stop", out,
      [](Call&, const shosa_stop& own) { return character::Stop{.ahead_m = given_if(own.has_ahead, own.ahead_m)}; });
}

shosa_status shosa_character_play_once(shosa_context* context, shosa_character character, const shosa_play_once* play,
                                       shosa_command* out) {
  return command(context, "shosa_character_play_once", character, play, shosa_play_once SHOSA_PLAY_ONCE_INIT,
                 "shosa_play_once", out, [](Call&, const shosa_play_once& own) {
                   return character::PlayOnce{.state = own.state,
                                              .core_at_s = given_if(own.has_core_at, own.core_at_s)};
                 });
}

shosa_status shosa_character_face(shosa_context* context, shosa_character character, const shosa_face* face,
                                  shosa_command* out) {
  return command(context, "shosa_character_face", character, face, shosa_face SHOSA_FACE_INIT, "shosa_face", out,
                 [](Call&, const shosa_face& own) {
                   return character::Face{.point = given_if(own.has_point, character::Point{own.x_m, own.z_m}),
                                          .heading_rad = own.heading_rad};
                 });
}

shosa_status shosa_character_reach(shosa_context* context, shosa_character character, const shosa_reach* reach,
                                   shosa_command* out) {
  return command(context, "shosa_character_reach", character, reach, shosa_reach SHOSA_REACH_INIT, "shosa_reach", out,
                 [](Call& c, const shosa_reach& own) {
                   return character::Reach{.joint = own.joint,
                                           .target_m = Vec3d(own.target_m),
                                           .duration_s = own.duration_s,
                                           .frame = static_cast<character::Frame>(c.index(own.frame, "frame", 2)),
                                           .other = own.other,
                                           .apart_m = own.apart_m};
                 });
}

shosa_status shosa_character_drag(shosa_context* context, shosa_character character, const shosa_drag* drag,
                                  shosa_command* out) {
  return command(context, "shosa_character_drag", character, drag, shosa_drag SHOSA_DRAG_INIT, "shosa_drag", out,
                 [](Call&, const shosa_drag& own) {
                   return character::Drag{.joint = own.joint, .target_m = Vec3d(own.target_m)};
                 });
}

shosa_status shosa_character_pin(shosa_context* context, shosa_character character, const shosa_pin* pin,
                                 shosa_command* out) {
  return command(context, "shosa_character_pin", character, pin, shosa_pin SHOSA_PIN_INIT, "shosa_pin", out,
                 [](Call&, const shosa_pin& own) {
                   return character::Pin{.joint = own.joint, .orientation = own.orientation != 0};
                 });
}

shosa_status shosa_character_look_at(shosa_context* context, shosa_character character, const shosa_look_at* look,
                                     shosa_command* out) {
  return command(context, "shosa_character_look_at", character, look, shosa_look_at SHOSA_LOOK_AT_INIT, "shosa_look_at",
                 out,
                 [](Call&, const shosa_look_at& own) { return character::LookAt{.target_m = Vec3d(own.target_m)}; });
}

shosa_status shosa_character_layer(shosa_context* context, shosa_character character, const shosa_layer* layer,
                                   shosa_command* out) {
  return command(context, "shosa_character_layer", character, layer, shosa_layer SHOSA_LAYER_INIT, "shosa_layer", out,
                 [](Call& c, const shosa_layer& own) {
                   return character::Layer{.clip = own.clip,
                                           .part = static_cast<character::Layer::Part>(c.index(own.part, "part", 5)),
                                           .top = own.top,
                                           .weight = own.weight,
                                           .fade_s = own.fade_s,
                                           .once = own.once != 0,
                                           .from_s = own.from_s,
                                           .heading_rad = given_if(own.has_heading, own.heading_rad)};
                 });
}

shosa_status shosa_character_push(shosa_context* context, shosa_character character, const shosa_push* push,
                                  shosa_command* out) {
  return command(context, "shosa_character_push", character, push, shosa_push SHOSA_PUSH_INIT, "shosa_push", out,
                 [](Call&, const shosa_push& own) { return character::Push{.velocity_mps = Vec3d(own.velocity_mps)}; });
}
