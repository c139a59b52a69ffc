#include "shosa/c/character.h"

#include <algorithm>

#include "c/objects.h"
#include "shosa/core/forward_kinematics.h"
#include "shosa/core/parallel.h"

namespace shosa::c {

bool PoseArrays::create(const Allocator& allocator, int joint_count, std::uint32_t poses) {
  joint_count_ = joint_count;
  const auto joints = static_cast<std::size_t>(joint_count);
  if ((poses & SHOSA_POSE_LOCAL) != 0) {
    rotations_ = Memory(allocator, joints * 4 * sizeof(float));
    translations_ = Memory(allocator, joints * 3 * sizeof(float));
    if (!rotations_ || !translations_) return false;
  }
  if ((poses & SHOSA_POSE_WORLD) != 0) {
    matrices_ = Memory(allocator, joints * sizeof(Eigen::Matrix4f));
    if (!matrices_) return false;
  }
  return true;
}

void PoseArrays::set(const Skeleton& skeleton, const Pose& pose) {
  if (rotations_) write_pose(pose, rotations_.floats(), translations_.floats());
  if (!matrices_) return;
  auto* matrices = reinterpret_cast<Eigen::Matrix4f*>(matrices_.bytes());
  world_matrices(skeleton, pose, std::span(matrices, static_cast<std::size_t>(joint_count_)));
}

shosa_pose PoseArrays::view() const {
  return {sizeof(shosa_pose), static_cast<std::uint32_t>(joint_count_), rotations_.floats(), translations_.floats(),
          matrices_.floats()};
}

}  // namespace shosa::c

using namespace shosa;
using namespace shosa::c;

namespace {

/// The place of a name in a list of a kind, such as its states.
template <class ListOf>
shosa_status find_named(shosa_context* context, const char* function, shosa_character_kind kind, const char* name,
                        int32_t* out, const char* what, const ListOf& list_of) {
  return call(context, function, [&](Call& c) {
    if (c.clear(out)) *out = -1;
    const auto* object = c.find<KindObject>(kind);
    const std::string wanted = c.text(name, "name");
    if (c.failed()) return;
    std::string names;
    int32_t place = 0;
    for (const auto& one : list_of(*object->data)) {
      if (one.name == wanted) return void(*out = place);
      names += (names.empty() ? "" : ", ") + one.name;
      ++place;
    }
    c.fail(SHOSA_NOT_POSSIBLE, "no {} is called '{}', expected one of {}", what, wanted, names);
  });
}

}  // namespace

shosa_status shosa_kind_create(shosa_context* context, shosa_graph graph, const shosa_kind_params* params,
                               shosa_character_kind* out) {
  return call(context, "shosa_kind_create", [&](Call& c) {
    c.clear(out);
    const auto* object = c.find<GraphObject>(graph);
    const auto own = c.read(params, shosa_kind_params SHOSA_KIND_PARAMS_INIT, "shosa_kind_params");
    c.number(own.frame_time_s, "frame_time_s", 1e-3, 0.2);
    if (c.failed()) return;
    auto data = c.take(character::CharacterData::create(
        object->graph, object->set, {.frame_time_s = own.frame_time_s, .ranges = own.no_ranges == 0}));
    if (!data) return;
    auto kind = std::make_unique<KindObject>();
    kind->data = std::move(*data);
    c.give(out, std::move(kind));
  });
}

shosa_status shosa_kind_share(shosa_context* context, shosa_character_kind kind, shosa_context* with,
                              shosa_character_kind* out) {
  return call(context, "shosa_kind_share", [&](Call& c) {
    c.clear(out);
    c.present(with, "with");
    const auto* object = c.find<KindObject>(kind);
    if (c.failed()) return;
    auto shared = std::make_unique<KindObject>();
    shared->data = object->data;
    *out = with->handles.add(Kind::character_kind, shared.get());
    if (*out == 0) return c.fail(SHOSA_OUT_OF_MEMORY, "no memory for another kind in the other context");
    (void)shared.release();
  });
}

shosa_status shosa_kind_state_count(shosa_context* context, shosa_character_kind kind, uint32_t* out) {
  return call(context, "shosa_kind_state_count", [&](Call& c) {
    c.clear(out);
    const auto* object = c.find<KindObject>(kind);
    if (!c.failed()) *out = static_cast<std::uint32_t>(object->data->states().size());
  });
}

shosa_status shosa_kind_get_state(shosa_context* context, shosa_character_kind kind, uint32_t state,
                                  shosa_state_info* out) {
  return call(context, "shosa_kind_get_state", [&](Call& c) {
    const auto* object = c.find<KindObject>(kind);
    if (c.failed()) return;
    const auto& states = object->data->states();
    c.index(state, "state", states.size());
    if (c.failed()) return;
    shosa_state_info info = SHOSA_STATE_INFO_INIT;
    info.lasting = states[state].lasting ? 1 : 0;
    info.speed_mps = states[state].speed_mps;
    info.core_length_s = states[state].core_length_s;
    info.name = states[state].name.c_str();
    c.write(out, info, "shosa_state_info");
  });
}

shosa_status shosa_kind_find_state(shosa_context* context, shosa_character_kind kind, const char* name, int32_t* out) {
  return find_named(context, "shosa_kind_find_state", kind, name, out, "state",
                    [](const character::CharacterData& data) { return std::span(data.states()); });
}

shosa_status shosa_kind_find_clip(shosa_context* context, shosa_character_kind kind, const char* name, int32_t* out) {
  return find_named(context, "shosa_kind_find_clip", kind, name, out, "clip",
                    [](const character::CharacterData& data) { return std::span(data.set().clips); });
}

shosa_status shosa_character_create(shosa_context* context, shosa_character_kind kind,
                                    const shosa_character_params* params, shosa_character* out) {
  return call(context, "shosa_character_create", [&](Call& c) {
    c.clear(out);
    const auto* object = c.find<KindObject>(kind);
    const auto own = c.read(params, shosa_character_params SHOSA_CHARACTER_PARAMS_INIT, "shosa_character_params");
    c.number(own.start_state, "start_state", -1, 1e6);
    c.number(own.x_m, "x_m", -kFarthest_m, kFarthest_m);
    c.number(own.z_m, "z_m", -kFarthest_m, kFarthest_m);
    c.number(own.heading_rad, "heading_rad", -1e6, 1e6);
    c.index(own.poses, "poses", 4);
    if (c.failed()) return;
    auto made = c.take(character::Character::create(
        object->data, {.start_state = own.start_state, .place = {own.x_m, own.z_m, own.heading_rad}}));
    if (!made) return;
    auto character = std::make_unique<CharacterObject>(std::move(*made));
    const Skeleton& skeleton = object->data->skeleton();
    if (!character->arrays.create(context->allocator, skeleton.joint_count(), own.poses))
      return c.fail_plainly(SHOSA_OUT_OF_MEMORY, "no memory for a posture");
    character->arrays.set(skeleton, character->character.pose());
    c.give(out, std::move(character));
  });
}

shosa_status shosa_character_set_ground(shosa_context* context, shosa_character character, shosa_ground ground) {
  return call(context, "shosa_character_set_ground", [&](Call& c) {
    auto* object = c.find<CharacterObject>(character);
    const auto* under = ground == 0 ? nullptr : c.find<GroundObject>(ground);
    if (c.failed()) return;
    object->character.set_ground(under == nullptr ? feet::GroundView() : feet::GroundView(*under->ground));
    object->ground = under == nullptr ? nullptr : under->ground;
  });
}

shosa_status shosa_character_set_detail(shosa_context* context, shosa_character character, uint32_t detail) {
  return call(context, "shosa_character_set_detail", [&](Call& c) {
    auto* object = c.find<CharacterObject>(character);
    c.index(detail, "detail", 3);
    if (!c.failed()) object->character.set_detail(static_cast<character::Detail>(detail));
  });
}

shosa_status shosa_character_update(shosa_context* context, shosa_character character, double dt_s) {
  return call(context, "shosa_character_update", [&](Call& c) {
    auto* object = c.find<CharacterObject>(character);
    c.number(dt_s, "dt_s", 0.0, 1.0);
    if (!c.failed()) object->update(dt_s);
  });
}

shosa_status shosa_characters_update(shosa_context* context, const shosa_character* characters, uint32_t count,
                                     double dt_s) {
  return call(context, "shosa_characters_update", [&](Call& c) {
    if (count > 0) c.present(characters, "characters");
    c.number(dt_s, "dt_s", 0.0, 1.0);
    const std::uint32_t batch = ++context->batch;
    for (std::uint32_t i = 0; i < count && !c.failed(); ++i) {
      auto* object = c.find<CharacterObject>(characters[i]);
      if (object == nullptr) return;
      if (object->batch == batch) c.fail(SHOSA_BAD_ARGUMENT, "character {} stands in the list twice", characters[i]);
      object->batch = batch;
    }
    if (c.failed()) return;
    // Looked up once more instead of remembered: nothing is allocated.
    struct {
      const HandleTable& handles;
      const shosa_character* characters;
      double dt_s;
    } crowd{context->handles, characters, dt_s};
    constexpr std::size_t kGrain = 8;  // some tens of microseconds of work
    parallel_for(count, kGrain, [&crowd](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        static_cast<CharacterObject*>(crowd.handles.object(crowd.characters[i], Kind::character))->update(crowd.dt_s);
    });
  });
}

shosa_status shosa_character_get_pose(shosa_context* context, shosa_character character, shosa_pose* out) {
  return call(context, "shosa_character_get_pose", [&](Call& c) {
    const auto* object = c.find<CharacterObject>(character);
    if (!c.failed()) c.write(out, object->arrays.view(), "shosa_pose");
  });
}

shosa_status shosa_character_get_facts(shosa_context* context, shosa_character character, shosa_character_facts* out) {
  return call(context, "shosa_character_get_facts", [&](Call& c) {
    const auto* object = c.find<CharacterObject>(character);
    if (c.failed()) return;
    const character::Character& own = object->character;
    const auto place = own.place();
    const auto& step = own.root_step();
    shosa_character_facts facts = SHOSA_CHARACTER_FACTS_INIT;
    facts.state = own.state();
    facts.time_s = own.time_s();
    facts.x_m = place.x_m;
    facts.z_m = place.z_m;
    facts.heading_rad = place.heading_rad;
    facts.step_ahead_m = step.z_m;
    facts.step_aside_m = step.x_m;
    facts.step_turn_rad = step.heading_rad;
    facts.speed_mps = own.speed_mps();
    facts.contacts = own.contacts();
    facts.event_count = static_cast<std::uint32_t>(own.events().size());
    c.write(out, facts, "shosa_character_facts");
  });
}

shosa_status shosa_character_get_events(shosa_context* context, shosa_character character, shosa_event* out,
                                        uint32_t capacity, uint32_t* count) {
  return call(context, "shosa_character_get_events", [&](Call& c) {
    c.clear_if_given(count);
    const auto* object = c.find<CharacterObject>(character);
    if (capacity > 0) c.present(out, "out");
    if (c.failed()) return;
    const auto events = object->character.events();
    if (count != nullptr) *count = static_cast<std::uint32_t>(events.size());
    for (std::size_t i = 0; i < std::min<std::size_t>(capacity, events.size()); ++i)
      out[i] = {static_cast<std::int32_t>(events[i].kind), events[i].handle, events[i].index, 0, events[i].time_s};
  });
}

shosa_status shosa_character_snapshot(shosa_context* context, shosa_character character, void* bytes, size_t capacity,
                                      size_t* size) {
  return call(context, "shosa_character_snapshot", [&](Call& c) {
    c.clear_if_given(size);
    const auto* object = c.find<CharacterObject>(character);
    if (c.failed()) return;
    const std::size_t needed = object->character.snapshot_size();
    if (bytes == nullptr) c.present(size, "bytes and size");
    if (bytes != nullptr && capacity < needed)
      c.fail(SHOSA_BAD_ARGUMENT, "capacity is {}, expected at least {}", capacity, needed);
    if (c.failed()) return;
    if (size != nullptr) *size = needed;
    if (bytes != nullptr) c.take(object->character.snapshot(std::span(static_cast<std::byte*>(bytes), needed)));
  });
}

shosa_status shosa_character_restore(shosa_context* context, shosa_character character, const void* bytes,
                                     size_t size) {
  return call(context, "shosa_character_restore", [&](Call& c) {
    auto* object = c.find<CharacterObject>(character);
    c.present(bytes, "bytes");
    if (c.failed()) return;
    if (c.take(object->character.restore(std::span(static_cast<const std::byte*>(bytes), size))))
      object->arrays.set(object->character.data().skeleton(), object->character.pose());
  });
}
