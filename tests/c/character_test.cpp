#include "shosa/character/character.h"

#include <cmath>

#include "c_api.h"
#include "scenes/allocations.h"
#include "support/shipped_gaits.h"

namespace shosa {
namespace {

using test::CCharacter;
using test::kFrame_s;
using testing::HasSubstr;

TEST_F(CCharacter, GivesTheBitsOfTheLibrary) {
  const auto data = test::shipped_gaits({"idle", "walk_normal", "run_slow"});
  auto expected = character::Character::create(data);
  ASSERT_TRUE(expected);
  const shosa_character hero = create(kind());
  const shosa_pose view = pose(hero);
  ASSERT_EQ(view.joint_count, static_cast<uint32_t>(data->skeleton().joint_count()));

  const JointIndex hand = data->set().body_map.joint(body::Role::left_hand);
  ASSERT_TRUE(expected->command(character::GoPlace{.place = {1.0, 4.0}, .heading_rad = 1.0}));
  ASSERT_TRUE(expected->command(character::Reach{.joint = hand, .target_m = {0.4, 1.4, 0.6}}));
  shosa_go_place go = SHOSA_GO_PLACE_INIT;
  go.x_m = 1.0;
  go.z_m = 4.0;
  go.has_heading = 1;
  go.heading_rad = 1.0;
  shosa_reach reach = SHOSA_REACH_INIT;
  reach.joint = hand;
  reach.target_m[0] = 0.4;
  reach.target_m[1] = 1.4;
  reach.target_m[2] = 0.6;
  ASSERT_TRUE(ok(shosa_character_go_place(context, hero, &go, nullptr)));
  ASSERT_TRUE(ok(shosa_character_reach(context, hero, &reach, nullptr)));
  for (int frame = 0; frame < 240; ++frame) {
    expected->update(kFrame_s);
    ASSERT_TRUE(ok(shosa_character_update(context, hero, kFrame_s)));
    for (uint32_t j = 0; j < view.joint_count; ++j) {
      const auto joint = static_cast<JointIndex>(j);
      ASSERT_EQ(Eigen::Vector4f(view.rotations + 4 * j), expected->pose().rotation(joint).coeffs()) << frame;
      ASSERT_EQ(Vec3f(view.translations_m + 3 * j), expected->pose().translation(joint)) << frame;
    }
    const shosa_character_facts now = facts(hero);
    ASSERT_EQ(now.x_m, expected->place().x_m);
    ASSERT_EQ(now.step_ahead_m, expected->root_step().z_m);
    ASSERT_EQ(now.contacts, expected->contacts());
    ASSERT_EQ(now.event_count, expected->events().size());
  }
  EXPECT_EQ(pose(hero).matrices, view.matrices);  // where it was
}

TEST_F(CCharacter, EveryCommandIsUnderstood) {
  const shosa_character_kind of = kind();
  const shosa_character hero = create(of);
  int32_t hand = -1, head = -1, run = -1, idle = -1;
  ASSERT_TRUE(ok(shosa_joint_find(context, hero, "right_hand", &hand)));
  ASSERT_TRUE(ok(shosa_joint_find(context, hero, "head", &head)));
  ASSERT_TRUE(ok(shosa_kind_find_state(context, of, "run_slow", &run)));
  ASSERT_TRUE(ok(shosa_kind_find_state(context, of, "idle", &idle)));
  const auto play = [&](int frames) {
    for (int i = 0; i < frames; ++i) ASSERT_TRUE(ok(shosa_character_update(context, hero, kFrame_s)));
  };
  shosa_command told = 0, replaced = 0;

  shosa_go_state state = SHOSA_GO_STATE_INIT;
  state.state = run;
  ASSERT_TRUE(ok(shosa_character_go_state(context, hero, &state, &replaced)));
  play(180);
  EXPECT_EQ(facts(hero).state, run);
  EXPECT_GT(facts(hero).speed_mps, 1.8);

  shosa_go_direction direction = SHOSA_GO_DIRECTION_INIT;
  direction.heading_rad = 1.5;
  ASSERT_TRUE(ok(shosa_character_go_direction(context, hero, &direction, &told)));
  EXPECT_NE(told, replaced);
  play(240);
  EXPECT_NEAR(facts(hero).heading_rad, 1.5, 0.3);

  shosa_stop stop = SHOSA_STOP_INIT;
  stop.has_ahead = 1;
  stop.ahead_m = 3.0;
  ASSERT_TRUE(ok(shosa_character_stop(context, hero, &stop, &told)));
  play(400);
  EXPECT_EQ(status(hero, told), SHOSA_COMMAND_DONE);
  EXPECT_LT(facts(hero).speed_mps, 0.1);
  EXPECT_EQ(facts(hero).contacts, 3U);

  const double x = facts(hero).x_m, z = facts(hero).z_m;
  const double points[] = {x + 2.0, z, x + 3.0, z + 1.5};
  shosa_go_path path = SHOSA_GO_PATH_INIT;
  path.points_m = points;
  path.point_count = 2;
  ASSERT_TRUE(ok(shosa_character_go_path(context, hero, &path, &told)));
  play(700);
  EXPECT_EQ(status(hero, told), SHOSA_COMMAND_DONE);
  EXPECT_NEAR(facts(hero).x_m, x + 3.0, 0.3);

  shosa_face face = SHOSA_FACE_INIT;
  face.heading_rad = -1.0;
  ASSERT_TRUE(ok(shosa_character_face(context, hero, &face, &told)));
  play(600);
  EXPECT_EQ(status(hero, told), SHOSA_COMMAND_DONE);
  EXPECT_NEAR(std::remainder(facts(hero).heading_rad + 1.0, 2.0 * M_PI), 0.0, 0.5);

  shosa_drag drag = SHOSA_DRAG_INIT;
  drag.joint = hand;
  const shosa_pose view = pose(hero);
  for (int axis = 0; axis < 3; ++axis) drag.target_m[axis] = view.matrices[16 * hand + 12 + axis];
  drag.target_m[1] += 0.2;
  ASSERT_TRUE(ok(shosa_character_drag(context, hero, &drag, &told)));
  play(60);
  EXPECT_NEAR(view.matrices[16 * hand + 13], drag.target_m[1], 0.02);
  ASSERT_TRUE(
      ok(shosa_command_move_target(context, hero, told, drag.target_m[0], drag.target_m[1] - 0.1, drag.target_m[2])));
  play(60);
  EXPECT_NEAR(view.matrices[16 * hand + 13], drag.target_m[1] - 0.1, 0.02);
  ASSERT_TRUE(ok(shosa_command_release(context, hero, told)));
  EXPECT_EQ(status(hero, told), SHOSA_COMMAND_DONE);

  shosa_pin pin = SHOSA_PIN_INIT;
  pin.joint = hand;
  ASSERT_TRUE(ok(shosa_character_pin(context, hero, &pin, &told)));
  shosa_look_at look = SHOSA_LOOK_AT_INIT;
  look.target_m[0] = 5.0;
  look.target_m[1] = 1.5;
  ASSERT_TRUE(ok(shosa_character_look_at(context, hero, &look, nullptr)));
  shosa_push push = SHOSA_PUSH_INIT;
  push.velocity_mps[0] = 0.4;
  ASSERT_TRUE(ok(shosa_character_push(context, hero, &push, &told)));
  shosa_play_once once = SHOSA_PLAY_ONCE_INIT;
  once.state = idle;
  ASSERT_TRUE(ok(shosa_character_play_once(context, hero, &once, nullptr)));
  play(120);
  for (const float value : matrices(hero)) ASSERT_TRUE(std::isfinite(value));
}

TEST_F(CCharacter, WhatCanNeverBeRightIsRefusedAtOnce) {
  const shosa_character hero = create(kind());
  shosa_command told = 9;
  shosa_go_state state = SHOSA_GO_STATE_INIT;
  state.state = 99;
  EXPECT_EQ(shosa_character_go_state(context, hero, &state, &told), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(told, 0U);
  EXPECT_THAT(error(), HasSubstr("state number 99"));
  shosa_go_place place = SHOSA_GO_PLACE_INIT;
  place.x_m = std::nan("");
  EXPECT_EQ(shosa_character_go_place(context, hero, &place, nullptr), SHOSA_BAD_ARGUMENT);
  shosa_go_path path = SHOSA_GO_PATH_INIT;
  EXPECT_EQ(shosa_character_go_path(context, hero, &path, nullptr), SHOSA_BAD_ARGUMENT);
  const double points[] = {0.0, 1.0};
  path.points_m = points;
  path.point_count = 65;
  EXPECT_EQ(shosa_character_go_path(context, hero, &path, nullptr), SHOSA_BAD_ARGUMENT);
  shosa_reach reach = SHOSA_REACH_INIT;
  EXPECT_EQ(shosa_character_reach(context, hero, &reach, nullptr), SHOSA_BAD_ARGUMENT);
  shosa_pin pin = SHOSA_PIN_INIT;
  pin.joint = 0;
  pin.reserved = 1;
  EXPECT_EQ(shosa_character_pin(context, hero, &pin, nullptr), SHOSA_BAD_ARGUMENT);
  EXPECT_THAT(error(), HasSubstr("reserved"));
  for (const double dt : {-0.1, 1.5, std::nan("")})
    EXPECT_EQ(shosa_character_update(context, hero, dt), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_command_move_target(context, hero, 1, 0.0, INFINITY, 0.0), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(status(hero, 12345), SHOSA_COMMAND_UNKNOWN);
}

TEST_F(CCharacter, AFrameAllocatesNothing) {
  const shosa_character hero = create(kind());
  shosa_ground stairs = 0;
  ASSERT_TRUE(ok(shosa_ground_from_json(
      context, R"({"stairs": {"at": [0, 2], "rise_m": 0.15, "tread_m": 0.3, "count": 4}})", &stairs)));
  ASSERT_TRUE(ok(shosa_character_set_ground(context, hero, stairs)));
  shosa_go_place go = SHOSA_GO_PLACE_INIT;
  go.z_m = 5.0;
  shosa_reach reach = SHOSA_REACH_INIT;
  ASSERT_TRUE(ok(shosa_joint_find(context, hero, "right_hand", &reach.joint)));
  reach.target_m[1] = 1.5;
  reach.target_m[2] = 1.5;
  const long before = scenes::allocations();
  shosa_command hand = 0;
  ASSERT_EQ(shosa_character_go_place(context, hero, &go, nullptr), SHOSA_OK);
  ASSERT_EQ(shosa_character_reach(context, hero, &reach, &hand), SHOSA_OK);
  shosa_event events[64];
  shosa_character_facts now = SHOSA_CHARACTER_FACTS_INIT;
  for (int frame = 0; frame < 600; ++frame) {
    ASSERT_EQ(shosa_character_update(context, hero, kFrame_s), SHOSA_OK);
    ASSERT_EQ(shosa_command_move_target(context, hero, hand, -0.3, 1.4, now.z_m + 0.5), SHOSA_OK);
    ASSERT_EQ(shosa_character_get_facts(context, hero, &now), SHOSA_OK);
    ASSERT_EQ(shosa_character_get_events(context, hero, events, 64, nullptr), SHOSA_OK);
  }
  EXPECT_EQ(scenes::allocations() - before, 0);
}

TEST_F(CCharacter, APushIsToldOfByTheLoopThatAsksAfterEveryUpdate) {
  for (const double speed_mps : {0.8, 8.0}) {
    const shosa_character hero = create(kind());
    shosa_push push = SHOSA_PUSH_INIT;
    push.velocity_mps[2] = speed_mps;
    shosa_command told = 0;
    ASSERT_TRUE(ok(shosa_character_push(context, hero, &push, &told)));
    std::vector<int32_t> kinds;
    for (int frame = 0; frame < 240; ++frame) {
      ASSERT_TRUE(ok(shosa_character_update(context, hero, kFrame_s)));
      shosa_event events[8];
      uint32_t count = 0;
      ASSERT_TRUE(ok(shosa_character_get_events(context, hero, events, 8, &count)));
      for (uint32_t i = 0; i < std::min(count, 8u); ++i)
        if (events[i].command == told) kinds.push_back(events[i].kind);
    }
    const std::vector<int32_t> caught{SHOSA_EVENT_GOAL_MET}, lost{SHOSA_EVENT_OUT_OF_BALANCE, SHOSA_EVENT_GIVEN_UP};
    EXPECT_EQ(kinds, speed_mps < 1.0 ? caught : lost);
  }
}

TEST_F(CCharacter, ACrowdIsTheSameAsOneAfterTheOther) {
  const shosa_character_kind of = kind();
  std::vector<shosa_character> crowd, alone;
  for (int i = 0; i < 24; ++i) {
    for (auto* list : {&crowd, &alone}) {
      list->push_back(create(of));
      shosa_go_direction go = SHOSA_GO_DIRECTION_INIT;
      go.heading_rad = 0.25 * i;
      go.speed_mps = 0.1 * i;
      ASSERT_TRUE(ok(shosa_character_go_direction(context, list->back(), &go, nullptr)));
    }
  }
  for (int frame = 0; frame < 90; ++frame) {
    ASSERT_TRUE(ok(shosa_characters_update(context, crowd.data(), 24, kFrame_s)));
    for (const shosa_character one : alone) ASSERT_TRUE(ok(shosa_character_update(context, one, kFrame_s)));
  }
  for (std::size_t i = 0; i < crowd.size(); ++i) EXPECT_EQ(matrices(crowd[i]), matrices(alone[i]));
}

TEST_F(CCharacter, ACrowdWithAWrongMemberDoesNotMove) {
  const shosa_character_kind of = kind();
  const shosa_character a = create(of), b = create(of);
  const shosa_character twice[] = {a, b, a}, strange[] = {a, of};
  EXPECT_EQ(shosa_characters_update(context, twice, 3, kFrame_s), SHOSA_BAD_ARGUMENT);
  EXPECT_THAT(error(), HasSubstr("twice"));
  EXPECT_EQ(shosa_characters_update(context, strange, 2, kFrame_s), SHOSA_BAD_HANDLE);
  EXPECT_EQ(facts(a).time_s, 0.0);
  EXPECT_TRUE(ok(shosa_characters_update(context, nullptr, 0, kFrame_s)));
}

TEST_F(CCharacter, CharactersOutliveWhatTheyWereMadeFrom) {
  shosa_context* other = nullptr;
  ASSERT_EQ(shosa_context_create(nullptr, &other), SHOSA_OK);
  const shosa_character_kind of = kind();
  shosa_character_kind shared = 0;
  ASSERT_TRUE(ok(shosa_kind_share(context, of, other, &shared)));
  ASSERT_TRUE(ok(shosa_free(context, of)));
  shosa_character hero = 0;
  ASSERT_EQ(shosa_character_create(other, shared, nullptr, &hero), SHOSA_OK);
  ASSERT_EQ(shosa_free(other, shared), SHOSA_OK);
  EXPECT_EQ(shosa_character_update(other, hero, kFrame_s), SHOSA_OK);
  shosa_context_destroy(other);
}

TEST_F(CCharacter, OnlyTheArraysThatWereAskedForAreThere) {
  shosa_character_params params = SHOSA_CHARACTER_PARAMS_INIT;
  params.poses = SHOSA_POSE_WORLD;
  shosa_character hero = 0;
  const shosa_character_kind of = kind();
  ASSERT_TRUE(ok(shosa_character_create(context, of, &params, &hero)));
  EXPECT_EQ(pose(hero).rotations, nullptr);
  EXPECT_NE(pose(hero).matrices, nullptr);
  params.poses = 4;
  EXPECT_EQ(shosa_character_create(context, of, &params, &hero), SHOSA_BAD_ARGUMENT);
  params = SHOSA_CHARACTER_PARAMS_INIT;
  params.start_state = 50;
  EXPECT_NE(shosa_character_create(context, of, &params, &hero), SHOSA_OK);
}

TEST_F(CCharacter, StatesAreListed) {
  const shosa_character_kind of = kind();
  uint32_t count = 0;
  ASSERT_TRUE(ok(shosa_kind_state_count(context, of, &count)));
  ASSERT_EQ(count, 3U);
  for (uint32_t i = 0; i < count; ++i) {
    shosa_state_info state = SHOSA_STATE_INFO_INIT;
    int32_t found = -1;
    ASSERT_TRUE(ok(shosa_kind_get_state(context, of, i, &state)));
    ASSERT_TRUE(ok(shosa_kind_find_state(context, of, state.name, &found)));
    EXPECT_EQ(found, static_cast<int32_t>(i));
    EXPECT_EQ(state.lasting, 1U);
  }
  int32_t none = 0;
  EXPECT_EQ(shosa_kind_find_state(context, of, "fly", &none), SHOSA_NOT_POSSIBLE);
  EXPECT_THAT(error(), HasSubstr("idle, "));
}

TEST(CNames, OfNumbersThatMeanNothingAreUnknown) {
  EXPECT_STREQ(shosa_event_name(SHOSA_EVENT_FOOT_DOWN), "foot_down");
  EXPECT_STREQ(shosa_reason_name(SHOSA_REASON_TOO_LONG), "too_long");
  EXPECT_STREQ(shosa_command_status_name(SHOSA_COMMAND_GIVEN_UP), "given_up");
  for (const int32_t number : {-1, 99}) {
    EXPECT_STREQ(shosa_event_name(number), "unknown");
    EXPECT_STREQ(shosa_reason_name(number), "unknown");
    EXPECT_STREQ(shosa_command_status_name(number), "unknown");
    EXPECT_STREQ(shosa_status_name(number), "unknown");
  }
}

}  // namespace
}  // namespace shosa
