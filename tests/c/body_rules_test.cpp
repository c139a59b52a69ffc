#include <cmath>

#include "c_api.h"

namespace shosa {
namespace {

using testing::HasSubstr;

class CBodyRules : public test::CApi {
 protected:
  nlohmann::json ranges(const char* text) {
    shosa_buffer out = 0;
    EXPECT_TRUE(ok(shosa_joint_ranges(context, motion("idle"), text, &out)));
    return json(out)["joint_ranges"];
  }
};

TEST_F(CBodyRules, RangesOfHumansAreRegionsThatCanBeGivenBack) {
  const nlohmann::json human = ranges(nullptr);
  ASSERT_GT(human.size(), 15U);
  for (const auto& range : human) {
    EXPECT_GE(range["corners"].size(), 3U);
    EXPECT_GE(range["triangles"].size(), 1U);
  }
  // Degrees become radians and come back, so the last digit may differ.
  const nlohmann::json again = ranges(nlohmann::json{{"joint_ranges", human}}.dump().c_str());
  ASSERT_EQ(again.size(), human.size());
  for (std::size_t i = 0; i < human.size(); ++i) {
    EXPECT_EQ(again[i]["joint"], human[i]["joint"]);
    EXPECT_EQ(again[i]["triangles"], human[i]["triangles"]);
    for (std::size_t corner = 0; corner < human[i]["corners"].size(); ++corner)
      for (std::size_t part = 0; part < 4; ++part)
        EXPECT_NEAR(again[i]["corners"][corner][part].get<double>(), human[i]["corners"][corner][part].get<double>(),
                    1e-9);
  }
}

TEST_F(CBodyRules, AHingeBecomesARegionAndTheOthersStayHuman) {
  const auto hinge = ranges(
      R"({"joint_ranges": [{"joint": "left_lower_leg", "hinge": {"axis": [1, 0, 0], "min_deg": 0, "max_deg": 90}}]})");
  ASSERT_EQ(hinge.size(), 1U);
  EXPECT_TRUE(hinge[0].contains("corners"));
  EXPECT_EQ(ranges(R"({"joint_ranges": [], "others": "human"})"), ranges(nullptr));
  shosa_buffer out = 0;
  EXPECT_EQ(shosa_joint_ranges(context, motion("idle"), "{", &out), SHOSA_BAD_FILE);
  EXPECT_EQ(out, 0U);
}

TEST_F(CBodyRules, TheCentreOfMassOfAStandingBodyIsOverItsFeet) {
  const shosa_clip idle = motion("idle");
  shosa_buffer out = 0;
  ASSERT_TRUE(ok(shosa_body_weights(context, idle, &out)));
  const nlohmann::json weights = json(out);
  uint32_t joints = 0;
  ASSERT_TRUE(ok(shosa_joint_count(context, idle, &joints)));
  EXPECT_EQ(weights["inertia_m2"].size(), joints);
  std::vector<float> matrices(16 * joints);
  ASSERT_TRUE(ok(shosa_clip_matrices(context, idle, 0.0, matrices.data(), joints)));
  const auto place = [&](const nlohmann::json& point, int axis) {
    const float* m = matrices.data() + 16 * point["joint"].get<std::size_t>();
    double sum = m[12 + axis];
    for (int k = 0; k < 3; ++k) sum += m[4 * k + axis] * point["offset_m"][static_cast<std::size_t>(k)].get<double>();
    return sum;
  };
  double mass = 0.0, height_m = 0.0, ahead_m = 0.0, least_m = 1e9, most_m = -1e9;
  for (const auto& part : weights["masses"]) {
    mass += part["mass"].get<double>();
    height_m += part["mass"].get<double>() * place(part, 1);
    ahead_m += part["mass"].get<double>() * place(part, 2);
  }
  for (const auto& point : weights["support"]) {
    least_m = std::min(least_m, place(point, 2));
    most_m = std::max(most_m, place(point, 2));
  }
  EXPECT_NEAR(mass, 1.0, 0.01);
  // Around the navel, and between heels and toes.
  EXPECT_GT(height_m, 0.8);
  EXPECT_LT(height_m, 1.2);
  EXPECT_GT(ahead_m, least_m);
  EXPECT_LT(ahead_m, most_m);
}

TEST_F(CBodyRules, ADogHasNoHumanMasses) {
  shosa_buffer out = 0;
  EXPECT_NE(shosa_joint_ranges(context, motion("dog_walk"), nullptr, &out), SHOSA_OK);
  EXPECT_EQ(out, 0U);
}

}  // namespace
}  // namespace shosa
