// Any bytes as a sequence of calls of the C API, right and wrong: handles of every kind, freed ones and invented ones,
// numbers that are none, sizes that do not fit. Nothing crashes, a call that fails says why, and no posture is ever
// broken.

#include "c_api_caller.h"

namespace c_api_fuzz_detail {

void Caller::one() {
  switch (byte() % 13) {
    case 0:
      return check(shosa_free(context_, handle()));
    case 1: {
      shosa_character_params params = SHOSA_CHARACTER_PARAMS_INIT;
      params.x_m = number();
      params.start_state = byte() - 2;
      params.poses = byte() % 5;
      const shosa_handle kind = byte() < 200 ? handles_[1] : handle();
      return check(shosa_character_create(context_, kind, sized(params), slot()));
    }
    case 2:
      return check(shosa_character_update(context_, handle(), number() / 16.0));
    case 3: {
      const shosa_handle list[] = {handle(), handle(), handle()};
      return check(shosa_characters_update(context_, list, byte() % 4, 1.0 / 60.0));
    }
    case 4:
      return command(handle());
    case 5:
      return clip(handle());
    case 6: {
      shosa_pin_drag_params params = SHOSA_PIN_DRAG_PARAMS_INIT;
      if (byte() == 1) params.drag_gain = number();
      if (byte() == 1) params.pin_strength = number();
      return check(shosa_pin_drag_create(context_, handle(), sized(params), slot()));
    }
    case 7:
      return solver(handle());
    case 8: {
      shosa_height_field field = SHOSA_HEIGHT_FIELD_INIT;
      field.columns = byte() % 4;
      field.rows = byte() % 4;
      field.cell_m = number();
      field.heights_m = byte() == 1 ? nullptr : floats_;
      return check(shosa_ground_from_heights(context_, sized(field), slot()));
    }
    case 9:
      return check(shosa_character_set_ground(context_, handle(), handle()));
    case 10: {
      shosa_character_facts facts = SHOSA_CHARACTER_FACTS_INIT;
      shosa_event events[4];
      check(shosa_character_get_facts(context_, handle(), sized(facts)));
      return check(shosa_character_get_events(context_, handle(), byte() == 0 ? nullptr : events, 4, nullptr));
    }
    case 11: {
      const double place[3] = {number(), number(), number()};
      constexpr const char* kScript =
          R"({"clip": "idle", "at_s": 0.1, "drags": [{"joint": "right_hand", "keys": [[0, [0, 1, 0.4]]]}]})";
      check(shosa_pose_moment_create(context_, handle(), "pose.json", kScript, number(), handle(), byte() % 5, slot()));
      return check(shosa_pose_moment_pull(context_, handle(), byte(), byte() < 200 ? place : nullptr, nullptr, byte(),
                                          nullptr, nullptr));
    }
    default: {
      double height = 0.0;
      check(shosa_ground_height(context_, handle(), number(), number(), &height));
      return check(shosa_buffer_create(context_, data_, size_, slot()));
    }
  }
}

void Caller::command(shosa_character hero) {
  switch (byte() % 18) {
    case 0: {
      shosa_go_state go = SHOSA_GO_STATE_INIT;
      go.state = byte() - 2;
      go.hurry = byte() - 2;
      return check(shosa_character_go_state(context_, hero, sized(go), nullptr));
    }
    case 1: {
      shosa_go_direction go = SHOSA_GO_DIRECTION_INIT;
      go.heading_rad = number();
      go.speed_mps = number();
      go.facing = byte() % 4;
      go.facing_rad = number();
      return check(shosa_character_go_direction(context_, hero, sized(go), nullptr));
    }
    case 2: {
      shosa_go_place go = SHOSA_GO_PLACE_INIT;
      go.x_m = number();
      go.z_m = number();
      go.has_heading = flag();
      go.heading_rad = number();
      return check(shosa_character_go_place(context_, hero, sized(go), nullptr));
    }
    case 3: {
      const double points[] = {number(), number(), number(), number()};
      shosa_go_path go = SHOSA_GO_PATH_INIT;
      go.point_count = byte() % 3;
      go.points_m = byte() == 1 ? nullptr : points;
      return check(shosa_character_go_path(context_, hero, sized(go), nullptr));
    }
    case 4: {
      shosa_stop stop = SHOSA_STOP_INIT;
      stop.has_ahead = flag();
      stop.ahead_m = number();
      return check(shosa_character_stop(context_, hero, sized(stop), nullptr));
    }
    case 5: {
      shosa_play_once play = SHOSA_PLAY_ONCE_INIT;
      play.state = byte() - 2;
      play.has_core_at = flag();
      play.core_at_s = number();
      return check(shosa_character_play_once(context_, hero, sized(play), nullptr));
    }
    case 6: {
      shosa_face face = SHOSA_FACE_INIT;
      face.has_point = flag();
      face.x_m = number();
      face.heading_rad = number();
      return check(shosa_character_face(context_, hero, sized(face), nullptr));
    }
    case 7: {
      shosa_reach reach = SHOSA_REACH_INIT;
      reach.joint = byte() - 1;
      point(reach.target_m);
      reach.duration_s = number();
      reach.frame = byte() % 3;
      reach.other = byte() - 1;
      reach.apart_m = number();
      return check(shosa_character_reach(context_, hero, sized(reach), nullptr));
    }
    case 8: {
      shosa_drag drag = SHOSA_DRAG_INIT;
      drag.joint = byte() - 1;
      point(drag.target_m);
      return check(shosa_character_drag(context_, hero, sized(drag), nullptr));
    }
    case 9: {
      shosa_pin pin = SHOSA_PIN_INIT;
      pin.joint = byte() - 1;
      pin.orientation = flag();
      return check(shosa_character_pin(context_, hero, sized(pin), nullptr));
    }
    case 10: {
      shosa_look_at look = SHOSA_LOOK_AT_INIT;
      point(look.target_m);
      return check(shosa_character_look_at(context_, hero, sized(look), nullptr));
    }
    case 11: {
      shosa_push push = SHOSA_PUSH_INIT;
      point(push.velocity_mps);
      return check(shosa_character_push(context_, hero, sized(push), nullptr));
    }
    case 12: {
      shosa_layer layer = SHOSA_LAYER_INIT;
      layer.clip = byte() - 1;
      layer.part = byte() % 6;
      layer.top = byte() - 1;
      layer.weight = number();
      layer.from_s = number();
      layer.has_heading = flag();
      layer.heading_rad = number();
      layer.once = flag();
      return check(shosa_character_layer(context_, hero, sized(layer), nullptr));
    }
    case 13: {
      const shosa_footstep steps[] = {{byte() % 3U, flag(), number(), number(), number()},
                                      {byte() % 3U, flag(), number(), number(), number()}};
      shosa_go_steps go = SHOSA_GO_STEPS_INIT;
      go.step_count = byte() % 3;
      go.steps = byte() == 1 ? nullptr : steps;
      return check(shosa_character_go_steps(context_, hero, sized(go), nullptr));
    }
    case 14:
      return check(shosa_character_set_detail(context_, hero, byte() % 4));
    case 15: {
      // Stored, perhaps damaged, and brought back, perhaps into another.
      static char bytes[1 << 18];
      size_t size = 0;
      check(shosa_character_snapshot(context_, hero, bytes, sizeof bytes, &size));
      if (byte() < 64 && size > 0) bytes[(byte() * 256U + byte()) % size] = static_cast<char>(byte());
      return check(shosa_character_restore(context_, handle(), bytes, byte() < 8 ? size / 2 : size));
    }
    case 16:
      return check(shosa_command_move_target(context_, hero, byte(), number(), number(), number()));
    default:
      return check(shosa_command_release(context_, hero, byte()));
  }
}

void Caller::clip(shosa_clip of) {
  switch (byte() % 8) {
    case 0: {
      const char* names[] = {"hips", "left_hand", "head"};
      const std::int32_t parents[] = {-1, static_cast<std::int32_t>(byte()) - 1, static_cast<std::int32_t>(byte()) - 1};
      return check(
          shosa_clip_create(context_, byte() % 4, names, parents, floats_, nullptr, byte(), number() / 16.0, slot()));
    }
    case 1:
      return check(shosa_clip_sample(context_, of, number(), floats_, nullptr, joints(of)));
    case 2:
      return check(shosa_clip_matrices(context_, of, number(), floats_, joints(of)));
    case 3: {
      floats_[byte()] = static_cast<float>(number());
      const std::uint32_t first = count(), all = joints(of);
      check(shosa_clip_set_frames(context_, of, first, 1, floats_, byte() < 128 ? nullptr : floats_, all));
      for (float& value : floats_)
        if (!(std::abs(value) < 100.0F)) value = 0.25F;
      return;
    }
    case 4:
      return check(shosa_clip_cut(context_, of, number(), number(), slot()));
    case 5:
      return check(shosa_clip_mirror(context_, of, slot()));
    case 6:
      return check(shosa_clip_analyze(context_, of, slot()));
    default:
      return check(shosa_clip_format(context_, of, byte() < 128 ? "a.bvh" : "a.glb", slot()));
  }
}

void Caller::solver(shosa_pin_drag of) {
  switch (byte() % 8) {
    case 0:
    case 1: {
      shosa_goal goal = SHOSA_GOAL_INIT;
      goal.joint = byte() - 1;
      goal.priority = byte() % 3;
      goal.position_axes = byte() % 9;
      goal.orientation_axes = byte() % 9;
      goal.weight = byte() < 128 ? 1.0 : number();
      point(goal.position_m);
      if (byte() == 1) point(goal.velocity_mps);
      if (byte() < 64) return check(shosa_pin_drag_set_goal(context_, of, byte(), sized(goal)));
      return check(shosa_pin_drag_add_goal(context_, of, sized(goal), nullptr));
    }
    case 2: {
      const double rotation[4] = {number(), number(), number(), number()};
      return check(shosa_pin_drag_set_desired(context_, of, byte(), byte() == 1 ? nullptr : rotation, number()));
    }
    case 3:
      return check(byte() < 128 ? shosa_pin_drag_set_ranges(context_, of, nullptr)
                                : shosa_pin_drag_set_balance(context_, of, nullptr));
    case 4:
      return check(shosa_pin_drag_set_stiffness(context_, of, byte(), number()));
    case 5: {
      const double axis[3] = {number(), number(), number()};
      return check(shosa_pin_drag_set_freedom(context_, of, byte(), byte() % 4, axis));
    }
    case 6:
      return check(shosa_pin_drag_set_pose(context_, of, floats_, nullptr, joints(of)));
    default: {
      shosa_step_report report = SHOSA_STEP_REPORT_INIT;
      return check(shosa_pin_drag_step(context_, of, std::abs(number()) / 32.0, sized(report)));
    }
  }
}

}  // namespace c_api_fuzz_detail

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  c_api_fuzz_detail::Caller(data, size).run();
  return 0;
}
