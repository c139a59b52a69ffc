#include "graph/motions.h"
#include "shipped_character.h"
#include "shosa/core/rotations.h"

namespace shosa::character {
namespace {

struct Steps {
  feet::GroundPoint operator()(double, double z) const {
    return {0.15 * std::clamp(std::floor((z - 3.0) / 0.3) + 1.0, 0.0, 4.0)};
  }
};

std::shared_ptr<const CharacterData> captured_kind(const std::vector<std::string>& clips) {
  const auto shared = std::make_shared<const graph::MotionSet>(test::captured(clips, true));
  auto gaits = graph::link_gaits(*shared);
  EXPECT_TRUE(gaits) << gaits.error().message;
  const auto data = CharacterData::create(std::make_shared<const graph::MotionGraph>(std::move(gaits->graph)), shared);
  EXPECT_TRUE(data) << data.error().message;
  return *data;
}

class Captured : public testing::TestWithParam<std::vector<std::string>> {};

// Standing, a walk and a run of one captured body: up stairs to a place.
TEST_P(Captured, ClimbsStairsAndIsNotThrown) {
  SHOSA_NEEDS_REAL_DATA();
  const auto data = captured_kind(GetParam());
  auto character = Character::create(data);
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
    forward_kinematics(data->skeleton(), character->pose(), world);
    hips_m.push_back(world.positions[root_joint(data->set().body_map)].y());
    if (character->outcome(*going).status == Status::active) reached_s = character->time_s();
    if (character->place().z_m < 2.8 || character->place().z_m > 4.2) continue;
    double bent_rad = M_PI;
    for (const body::FootPoints& foot : data->set().feet) {
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

// The best overlay of a walker's posture on a runner's in the other half of his stride is turned by 1.4 rad: who was
// told to run just after he had begun to walk ran aside, his legs crossed.
TEST(CapturedHeading, IsOneForPlaceAndBodyWheneverTheRunIsAskedFor) {
  SHOSA_NEEDS_REAL_DATA();
  const auto data = captured_kind({"77_02", "07_01", "09_01"});
  const body::BodyMap& map = data->set().body_map;
  WorldPose world;
  for (double asked_s = 0.1; asked_s < 1.3; asked_s += 0.2) {
    SCOPED_TRACE(asked_s);
    auto character = Character::create(data);
    ASSERT_TRUE(character);
    ASSERT_TRUE(character->command(GoState{data->find_state("07_01")}));
    double heading_rad = character->place().heading_rad, crooked_rad = 0.0;
    for (int f = 0; f < 5 * 60; ++f) {
      if (f == static_cast<int>(60 * asked_s)) {
        ASSERT_TRUE(character->command(GoState{data->find_state("09_01")}));
      }
      character->update(1.0 / 60.0);
      ASSERT_LT(std::abs(wrap_angle(character->place().heading_rad - heading_rad)), 0.06) << f;
      heading_rad = character->place().heading_rad;
      forward_kinematics(data->skeleton(), character->pose(), world);
      const Vec3d across = world.positions[map.joint(body::Role::left_upper_leg)] -
                           world.positions[map.joint(body::Role::right_upper_leg)];
      crooked_rad = std::max(crooked_rad, std::abs(wrap_angle(std::atan2(-across.z(), across.x()) - heading_rad)));
    }
    EXPECT_LT(crooked_rad, 0.7) << "hips turn by a quarter radian in a run, more in the first step";
  }
}

}  // namespace
}  // namespace shosa::character
