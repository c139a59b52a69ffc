#include "graph/motions.h"
#include "shipped_character.h"

namespace shosa::character {
namespace {

struct Steps {
  feet::GroundPoint operator()(double, double z) const {
    return {0.15 * std::clamp(std::floor((z - 3.0) / 0.3) + 1.0, 0.0, 4.0)};
  }
};

class Captured : public testing::TestWithParam<std::vector<std::string>> {};

// Standing, a walk and a run of one captured body: up stairs to a place.
TEST_P(Captured, ClimbsStairsAndIsNotThrown) {
  SHOSA_NEEDS_REAL_DATA();
  const auto shared = std::make_shared<const graph::MotionSet>(test::captured(GetParam(), true));
  auto gaits = graph::link_gaits(*shared);
  ASSERT_TRUE(gaits) << gaits.error().message;
  const auto data = CharacterData::create(std::make_shared<const graph::MotionGraph>(std::move(gaits->graph)), shared);
  ASSERT_TRUE(data) << data.error().message;
  auto character = Character::create(*data);
  ASSERT_TRUE(character);
  const Steps steps;
  character->set_ground(steps);
  const auto going = character->command(GoPlace{{0.0, 7.0}});
  ASSERT_TRUE(going);
  Watcher watcher(*character, steps);
  WorldPose world;
  std::vector<double> hips_m;
  double reached_s = 14.0, straighter_deg = 0.0;
  int frames = 0;
  for (int f = 0; f < 14 * 60; ++f) {
    watcher.play(1.0 / 60.0);
    forward_kinematics((*data)->skeleton(), character->pose(), world);
    hips_m.push_back(world.positions[root_joint(shared->body_map)].y());
    if (character->outcome(*going).status == Status::active) reached_s = character->time_s();
    if (character->place().z_m < 2.8 || character->place().z_m > 4.2) continue;
    double bent_rad = M_PI;
    for (const body::FootPoints& foot : shared->feet) {
      const Vec3d thigh = world.positions[foot.knee] - world.positions[foot.limb];
      const Vec3d shank = world.positions[foot.joint] - world.positions[foot.knee];
      bent_rad = std::min(bent_rad, std::atan2(thigh.cross(shank).norm(), thigh.dot(shank)));
    }
    straighter_deg += bent_rad * 180.0 / M_PI, ++frames;
  }
  // People's: 18 to 36.
  EXPECT_LT(straighter_deg / frames, 45.0);
  EXPECT_LT(reached_s, 11.0) << "whoever sways, stands";
  EXPECT_EQ(character->outcome(*going).status, Status::done);
  EXPECT_TRUE(watcher.finite);
  EXPECT_LT(watcher.slide_mps(0.95), 0.04);
  EXPECT_LT(watcher.largest_step_m, 0.24);
  // Over a tenth of a second hips are not pulled down faster than they would fall.
  double worst = 0.0;
  for (std::size_t f = 6; f + 6 < hips_m.size(); ++f)
    worst = std::min(worst, (hips_m[f + 6] - 2.0 * hips_m[f] + hips_m[f - 6]) * 100.0);
  EXPECT_GT(worst, -9.8);
}

INSTANTIATE_TEST_SUITE_P(Sets, Captured,
                         testing::Values(std::vector<std::string>{"140_07", "07_01", "16_35"},
                                         std::vector<std::string>{"140_07", "82_12", "09_01"},
                                         std::vector<std::string>{"77_02", "35_01", "35_17"}),
                         [](const auto& tested) { return "walk_" + tested.param[1]; });

}  // namespace
}  // namespace shosa::character
