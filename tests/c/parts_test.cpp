// Commands with the body, footsteps, facing aside, level of detail, and characters stored and brought back.

#include <cmath>

#include "c_api.h"
#include "scenes/allocations.h"

namespace shosa {
namespace {

using test::CCharacter;
using test::kFrame_s;
using testing::HasSubstr;

class CParts : public CCharacter {
 protected:
  CParts() : of(kind()), hero(create(of)) {}
  void play(int frames) const {
    for (int i = 0; i < frames; ++i) ASSERT_TRUE(ok(shosa_character_update(context, hero, kFrame_s)));
  }
  int32_t joint(const char* name) const {
    int32_t found = -1;
    EXPECT_TRUE(ok(shosa_joint_find(context, hero, name, &found)));
    return found;
  }
  Eigen::Vector3f place(int32_t of_joint) const { return Eigen::Vector3f(pose(hero).matrices + 16 * of_joint + 12); }
  std::vector<char> stored() const {
    size_t size = 0;
    EXPECT_TRUE(ok(shosa_character_snapshot(context, hero, nullptr, 0, &size)));
    std::vector<char> bytes(size);
    EXPECT_TRUE(ok(shosa_character_snapshot(context, hero, bytes.data(), bytes.size(), nullptr)));
    return bytes;
  }

  shosa_character_kind of;
  shosa_character hero;
};

TEST_F(CParts, ACharacterGoesOnFromASnapshotToTheBit) {
  shosa_reach reach = SHOSA_REACH_INIT;
  reach.joint = joint("left_hand");
  reach.target_m[1] = 1.3;
  reach.target_m[2] = 0.5;
  shosa_command hand = 0;
  ASSERT_TRUE(ok(shosa_character_go_direction(context, hero, nullptr, nullptr)));
  ASSERT_TRUE(ok(shosa_character_reach(context, hero, &reach, &hand)));
  play(40);
  const std::vector<char> bytes = stored();
  const shosa_character other = create(of);
  ASSERT_TRUE(ok(shosa_character_restore(context, other, bytes.data(), bytes.size())));
  EXPECT_EQ(matrices(hero), matrices(other));
  for (int frame = 0; frame < 120; ++frame) {
    for (const shosa_character one : {hero, other}) {
      ASSERT_TRUE(ok(shosa_command_move_target(context, one, hand, 0.3, 1.3, 0.5 + 0.02 * frame)));
      ASSERT_TRUE(ok(shosa_character_update(context, one, kFrame_s)));
    }
    ASSERT_EQ(matrices(hero), matrices(other)) << frame;
  }
}

TEST_F(CParts, SnapshotsThatAreNoneAreRefused) {
  play(10);
  std::vector<char> bytes = stored();
  const std::vector<float> before = matrices(hero);
  char little[4] = {};
  EXPECT_EQ(shosa_character_snapshot(context, hero, little, sizeof little, nullptr), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_character_snapshot(context, hero, nullptr, 0, nullptr), SHOSA_BAD_ARGUMENT);
  EXPECT_NE(shosa_character_restore(context, hero, bytes.data(), bytes.size() / 2), SHOSA_OK);
  for (std::size_t i = 0; i < bytes.size(); i += 97) {
    std::vector<char> damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    ASSERT_NE(shosa_character_restore(context, hero, damaged.data(), damaged.size()), SHOSA_OK) << i;
  }
  EXPECT_EQ(matrices(hero), before);
  const long allocated = scenes::allocations();
  ASSERT_EQ(shosa_character_snapshot(context, hero, bytes.data(), bytes.size(), nullptr), SHOSA_OK);
  EXPECT_EQ(scenes::allocations(), allocated);
}

TEST_F(CParts, StepsLandWhereThePlanSays) {
  const shosa_footstep steps[] = {{0, 0, 0.1, 0.5, 0.0}, {1, 0, -0.1, 0.9, 0.0}, {0, 0, 0.1, 1.3, 0.0}};
  shosa_go_steps plan = SHOSA_GO_STEPS_INIT;
  plan.steps = steps;
  plan.step_count = 3;
  shosa_command told = 0;
  ASSERT_TRUE(ok(shosa_character_go_steps(context, hero, &plan, &told)));
  play(600);
  const int32_t ended = status(hero, told);
  EXPECT_TRUE(ended == SHOSA_COMMAND_DONE || ended == SHOSA_COMMAND_GIVEN_UP) << ended;
  plan.step_count = 33;
  EXPECT_EQ(shosa_character_go_steps(context, hero, &plan, &told), SHOSA_BAD_ARGUMENT);
  plan.step_count = 1;
  plan.steps = nullptr;
  EXPECT_EQ(shosa_character_go_steps(context, hero, &plan, &told), SHOSA_BAD_ARGUMENT);
}

TEST_F(CParts, ALayerMovesTheArmsAndNotTheLegs) {
  int32_t run = -1;
  ASSERT_TRUE(ok(shosa_kind_find_clip(context, of, "run_slow", &run)));
  const shosa_character plain = create(of);
  shosa_layer layer = SHOSA_LAYER_INIT;
  layer.clip = run;
  layer.part = SHOSA_PART_ARMS;
  shosa_command told = 0;
  ASSERT_TRUE(ok(shosa_character_layer(context, hero, &layer, &told)));
  for (int i = 0; i < 60; ++i) {
    play(1);
    ASSERT_TRUE(ok(shosa_character_update(context, plain, kFrame_s)));
  }
  const int32_t foot = joint("left_foot"), elbow = joint("right_lower_arm");
  const auto far = [&](int32_t at) {
    return (place(at) - Eigen::Vector3f(pose(plain).matrices + 16 * at + 12)).norm();
  };
  EXPECT_LT(far(foot), 1e-4F);
  const Eigen::Vector4f a(pose(hero).rotations + 4 * elbow), b(pose(plain).rotations + 4 * elbow);
  EXPECT_LT(std::abs(a.dot(b)), 0.98F);
  layer.part = 9;
  EXPECT_EQ(shosa_character_layer(context, hero, &layer, nullptr), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_kind_find_clip(context, of, "fly", &run), SHOSA_NOT_POSSIBLE);
  EXPECT_THAT(error(), HasSubstr("walk_normal"));
}

TEST_F(CParts, TwoHandsCarryOneThing) {
  shosa_reach carry = SHOSA_REACH_INIT;
  carry.joint = joint("left_hand");
  carry.other = joint("right_hand");
  carry.frame = SHOSA_FRAME_BODY;
  carry.apart_m = 0.3;
  carry.target_m[1] = 1.1;
  carry.target_m[2] = 0.4;
  ASSERT_TRUE(ok(shosa_character_reach(context, hero, &carry, nullptr)));
  ASSERT_TRUE(ok(shosa_character_go_direction(context, hero, nullptr, nullptr)));
  play(240);
  EXPECT_NEAR((place(carry.joint) - place(carry.other)).norm(), 0.3, 0.05);
  carry.frame = 7;
  EXPECT_EQ(shosa_character_reach(context, hero, &carry, nullptr), SHOSA_BAD_ARGUMENT);
}

TEST_F(CParts, DetailAndFacingAreTaken) {
  shosa_go_direction go = SHOSA_GO_DIRECTION_INIT;
  go.facing = SHOSA_FACING_HEADING;
  go.facing_rad = 0.4;
  ASSERT_TRUE(ok(shosa_character_go_direction(context, hero, &go, nullptr)));
  for (const uint32_t detail : {SHOSA_DETAIL_PLAYED, SHOSA_DETAIL_STEERED, SHOSA_DETAIL_FULL}) {
    ASSERT_TRUE(ok(shosa_character_set_detail(context, hero, detail)));
    play(60);
  }
  for (const float value : matrices(hero)) ASSERT_TRUE(std::isfinite(value));
  EXPECT_EQ(shosa_character_set_detail(context, hero, 3), SHOSA_BAD_ARGUMENT);
  go.facing = 3;
  EXPECT_EQ(shosa_character_go_direction(context, hero, &go, nullptr), SHOSA_BAD_ARGUMENT);
}

}  // namespace
}  // namespace shosa
