#include <cmath>

#include "c_api.h"

namespace shosa {
namespace {

using test::CCharacter;
using test::kFrame_s;
using testing::HasSubstr;

TEST_F(CCharacter, GroundsOfEveryKindAreWalkedOn) {
  const float heights[] = {0.3F, 0.3F, 0.3F, 0.3F};
  shosa_height_field field = SHOSA_HEIGHT_FIELD_INIT;
  field.columns = field.rows = 2;
  field.heights_m = heights;
  shosa_ground from_heights = 0, from_function = 0, from_json = 0;
  ASSERT_TRUE(ok(shosa_ground_from_heights(context, &field, &from_heights)));
  double asked_height = 0.3;
  const auto ask = [](void* user, double, double, double*) { return *static_cast<double*>(user); };
  ASSERT_TRUE(ok(shosa_ground_from_function(context, ask, &asked_height, &from_function)));
  ASSERT_TRUE(ok(shosa_ground_from_json(context, R"({"level_m": 0.3})", &from_json)));
  const shosa_character_kind of = kind();
  for (const shosa_ground ground : {from_heights, from_function, from_json}) {
    double height = 0.0;
    ASSERT_TRUE(ok(shosa_ground_height(context, ground, 0.4, 7.0, &height)));
    EXPECT_NEAR(height, 0.3, 1e-6);
    const shosa_character low = create(of), high = create(of);
    ASSERT_TRUE(ok(shosa_character_set_ground(context, high, ground)));
    ASSERT_TRUE(ok(shosa_free(context, ground)));  // the character keeps it
    for (int frame = 0; frame < 120; ++frame) {
      ASSERT_TRUE(ok(shosa_character_update(context, low, kFrame_s)));
      ASSERT_TRUE(ok(shosa_character_update(context, high, kFrame_s)));
    }
    EXPECT_NEAR(pose(high).matrices[13] - pose(low).matrices[13], 0.3, 0.01);
  }
  field.cell_m = 0.0;
  EXPECT_EQ(shosa_ground_from_heights(context, &field, &from_heights), SHOSA_BAD_ARGUMENT);
  EXPECT_EQ(shosa_ground_from_json(context, R"({"stares": 1})", &from_json), SHOSA_BAD_FILE);
  EXPECT_THAT(error(), HasSubstr("stares"));
}

TEST_F(CCharacter, AGroundThatSaysNonsenseCountsAsLevel) {
  const auto nonsense = [](void*, double, double z, double* normal) {
    normal[1] = z > 1.0 ? 0.0 : 1.0;
    return z > 0.5 ? std::nan("") : INFINITY;
  };
  shosa_ground ground = 0;
  ASSERT_TRUE(ok(shosa_ground_from_function(context, nonsense, nullptr, &ground)));
  const shosa_character hero = create(kind());
  ASSERT_TRUE(ok(shosa_character_set_ground(context, hero, ground)));
  ASSERT_TRUE(ok(shosa_character_go_direction(context, hero, nullptr, nullptr)));
  for (int frame = 0; frame < 120; ++frame) ASSERT_TRUE(ok(shosa_character_update(context, hero, kFrame_s)));
  for (const float value : matrices(hero)) ASSERT_TRUE(std::isfinite(value));
  ASSERT_TRUE(ok(shosa_character_set_ground(context, hero, 0)));
  EXPECT_TRUE(ok(shosa_character_update(context, hero, kFrame_s)));
}

}  // namespace
}  // namespace shosa
