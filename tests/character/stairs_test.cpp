// Stairs: one tread at a time, up and down.

#include "shipped_character.h"
#include "shosa/graph/toe_bends.h"

namespace shosa::character {
namespace {

TEST(OnStairs, ClimbsWithItsFeetOnTheTreads) {
  const Stairs stairs;
  auto character = shipped_character();
  character.set_ground(stairs);
  Watcher watcher(character, stairs);
  ASSERT_TRUE(character.command(GoDirection{0.0, 1.2}));
  watcher.play(8.0);
  WorldPose world;
  forward_kinematics(character.data().skeleton(), character.pose(), world);
  EXPECT_GT(world.positions[character.data().set().body_map.joint(body::Role::hips)].y(), 0.8 + 6 * 0.17);
  EXPECT_LT(watcher.slide_mps(0.95), 0.04);
  EXPECT_LT(watcher.slide_mps(1.0), 0.15);
  EXPECT_LT(watcher.deepest_m, 0.03);
  EXPECT_LT(watcher.largest_step_m, 0.15);
}

TEST(OnStairs, GoesDown) {
  const Stairs stairs{.rise_m = -0.17};
  auto character = shipped_character();
  character.set_ground(stairs);
  Watcher watcher(character, stairs);
  ASSERT_TRUE(character.command(GoDirection{0.0, 1.0}));
  watcher.play(7.0);
  EXPECT_LT(watcher.slide_mps(0.95), 0.04);
  EXPECT_LT(watcher.deepest_m, 0.03);
  EXPECT_LT(watcher.largest_step_m, 0.15);
}

TEST(OnStairs, TakesOneTreadAtATime) {
  for (const double rise_m : {0.17, -0.17}) {
    SCOPED_TRACE(rise_m);
    const Stairs stairs{.rise_m = rise_m, .run_m = 0.3, .count = 8};
    auto character = shipped_character();
    character.set_ground(stairs);
    ASSERT_TRUE(character.command(GoDirection{0.0, 1.3}));
    const CharacterData& data = *shipped_data();
    const JointIndex hips = data.set().body_map.joint(body::Role::hips);
    std::array<double, 2> stands_m = {0.0, 0.0};
    std::vector<double> heights_m;
    WorldPose world;
    int landings = 0;
    for (int f = 0; f < 600; ++f) {
      character.update(1.0 / 60.0);
      forward_kinematics(data.skeleton(), character.pose(), world);
      heights_m.push_back(world.positions[hips].y());
      for (const Event& event : character.events()) {
        if (event.kind != EventKind::foot_down) continue;
        const Vec3d& ball = world.positions[data.set().feet[event.index].toe];
        stands_m[event.index] = stairs(ball.x(), ball.z()).height_m;
        EXPECT_LT(std::abs(stands_m[0] - stands_m[1]), 0.2) << "landing " << landings;
        ++landings;
      }
    }
    EXPECT_GT(landings, 10);
    EXPECT_NEAR(std::abs(heights_m.back() - heights_m.front()), 8 * 0.17, 0.1);
    // Over 0.1 s, which is what the eye sees, nobody falls faster than everything does.
    for (std::size_t f = 6; f + 6 < heights_m.size(); ++f)
      ASSERT_GT((heights_m[f - 6] - 2.0 * heights_m[f] + heights_m[f + 6]) / 0.01, -9.81) << f;
  }
}

/// How far knees bend on the way ahead over a ground, in degrees; the mean and the straighter one's over a flight.
struct Knees {
  double most_deg = 0.0, mean_deg = 0.0, straighter_deg = 0.0;
};
Knees knees_over(const feet::GroundView& ground, double speed_mps = 1.3) {
  auto character = shipped_character();
  character.set_ground(ground);
  EXPECT_TRUE(character.command(GoDirection{0.0, speed_mps}));
  WorldPose world;
  Knees knees;
  int frames = 0;
  for (int f = 0; f < 8 * 60; ++f) {
    character.update(1.0 / 60.0);
    forward_kinematics(shipped_data()->skeleton(), character.pose(), world);
    std::array<double, 2> bent_deg;
    for (std::size_t i = 0; i < 2; ++i) {
      const body::FootPoints& foot = shipped_data()->set().feet[i];
      const Vec3d thigh = world.positions[foot.knee] - world.positions[foot.limb];
      const Vec3d shank = world.positions[foot.joint] - world.positions[foot.knee];
      bent_deg[i] = std::atan2(thigh.cross(shank).norm(), thigh.dot(shank)) * 180.0 / M_PI;
      knees.most_deg = std::max(knees.most_deg, bent_deg[i]);
    }
    if (character.place().z_m < 1.8 || character.place().z_m > 3.6) continue;
    knees.mean_deg += 0.5 * (bent_deg[0] + bent_deg[1]);
    knees.straighter_deg += std::min(bent_deg[0], bent_deg[1]);
    ++frames;
  }
  knees.mean_deg /= frames, knees.straighter_deg /= frames;
  return knees;
}

TEST(OnStairs, TheLegThatBearsTheBodyIsNearlyStraight) {
  // People's up stairs (three captures): 39 to 49 degrees in the mean, 18 to 36 of the straighter knee.
  const Knees up = knees_over(Stairs{.run_m = 0.3}), down = knees_over(Stairs{.rise_m = -0.17, .run_m = 0.3});
  EXPECT_LT(up.mean_deg, 54.0);
  EXPECT_LT(up.straighter_deg, 34.0);
  EXPECT_LT(down.mean_deg, 69.0);
  EXPECT_LT(down.straighter_deg, 45.0);
}

TEST(OnStairs, ToesBendNoFartherThanPeoples) {
  const Stairs stairs{.run_m = 0.3};
  for (const double push_mps : {0.0, 0.8}) {
    auto character = shipped_character();
    character.set_ground(stairs);
    ASSERT_TRUE(character.command(GoDirection{0.0, 1.3}));
    for (int f = 0; f < 6 * 60; ++f) {
      if (f % 75 == 60 && push_mps > 0.0) {
        ASSERT_TRUE(character.command(Push{{push_mps, 0.0, 0.3}}));
      }
      character.update(1.0 / 60.0);
      for (std::size_t foot = 0; foot < 2; ++foot) {
        const graph::ToeBends toes = graph::find_toe_bends(shipped_data()->set(), foot);
        ASSERT_LT(toes.bend_rad(character.pose().rotation(toes.joint).cast<double>()), toes.most_rad + 0.01) << f;
      }
    }
  }
}

TEST(OnStairs, FeetTakeTheLowestWayOverTheGround) {
  // How far depends on where in its stride the body meets the stairs.
  for (const double from_m : {1.8, 1.9, 2.0, 2.1, 2.2}) {
    EXPECT_LT(knees_over(Stairs{.run_m = 0.3, .from_m = from_m}).most_deg, 115.0) << from_m;
    EXPECT_LT(knees_over(Stairs{.rise_m = -0.17, .run_m = 0.3, .from_m = from_m}).most_deg, 122.5) << from_m;
  }
  const auto slope = [](double rise) {
    return [rise](double, double z) -> feet::GroundPoint { return {rise * std::max(0.0, z - 2.0)}; };
  };
  const auto up = slope(0.36), down = slope(-0.36);
  EXPECT_LT(knees_over(up).most_deg, 95.0);
  EXPECT_LT(knees_over(down).most_deg, 110.0);
}

TEST(OnStairs, ToesDoNotGoThroughTheRiserTheyStandBefore) {
  // A foot that stands close to the next step goes up before it goes ahead.
  for (const double from_m : {1.9, 1.95, 2.0, 2.05, 2.1, 2.15}) {
    const Stairs stairs{.run_m = 0.3, .from_m = from_m};
    auto character = shipped_character();
    character.set_ground(stairs);
    Watcher watcher(character, stairs);
    ASSERT_TRUE(character.command(GoDirection{0.0, 1.3}));
    watcher.play(8.0);
    EXPECT_LT(watcher.deepest_m, 0.01) << from_m;
    EXPECT_LT(watcher.largest_step_m, 0.15) << from_m;
  }
}

TEST(OnStairs, NobodyRunsOverThem) {
  const Command by_speed = GoDirection{0.0, 3.0}, by_name = GoState{shipped_data()->find_state("run_slow")};
  for (const auto& [rise_m, asked] :
       {std::pair{0.17, by_speed}, {-0.17, by_speed}, {0.17, by_name}, {-0.17, by_name}}) {
    SCOPED_TRACE(testing::Message() << rise_m << ", command " << asked.index());
    const Stairs stairs{.rise_m = rise_m, .run_m = 0.3, .from_m = 6.0, .count = 12};
    auto character = shipped_character();
    character.set_ground(stairs);
    Watcher watcher(character, stairs);
    ASSERT_TRUE(character.command(asked));
    double fastest_before = 0.0, fastest_on = 0.0, fastest_after = 0.0;
    for (int f = 0; f < 18 * 60; ++f) {
      watcher.play(1.0 / 60.0);
      const double z = character.place().z_m;
      double& fastest = z < 6.0 ? fastest_before : z < 6.0 + 12 * 0.3 ? fastest_on : fastest_after;
      fastest = std::max(fastest, character.speed_mps());
    }
    EXPECT_GT(fastest_before, 2.2);
    EXPECT_LT(fastest_on, 1.5);
    EXPECT_GT(fastest_after, 2.2) << "runs on";
    EXPECT_LT(watcher.deepest_m, 0.03);
    // A running toe goes 16 cm in a frame.
    EXPECT_LT(watcher.largest_step_m, 0.16);
  }
  EXPECT_LT(knees_over(Stairs{.rise_m = -0.17, .run_m = 0.3, .count = 12}, 3.0).most_deg, 130.0);
}

TEST(OnStairs, ARunIsComeBackToWhereTheyAreTakenAway) {
  const Stairs stairs{.rise_m = 0.17, .run_m = 0.3, .from_m = 6.0, .count = 40};
  auto character = shipped_character();
  character.set_ground(stairs);
  const auto handle = character.command(GoState{shipped_data()->find_state("run_slow")});
  ASSERT_TRUE(handle);
  Watcher watcher(character, stairs);
  const auto speed_mps = [&] {
    const double before_m = character.place().z_m;
    watcher.play(1.0);
    return character.place().z_m - before_m;
  };
  watcher.play(8.0);
  ASSERT_EQ(character.outcome(*handle).status, Status::done);
  ASSERT_LT(speed_mps(), 1.2);
  character.set_ground({});
  watcher.play(4.0);
  EXPECT_GT(speed_mps(), 2.0);
}

TEST(OnStairs, NobodyRunsOverThemWhenTheLastCommandHasEnded) {
  const Stairs stairs{.rise_m = 0.17, .run_m = 0.3, .from_m = 30.0, .count = 60};
  for (const Command& last :
       {Command(PlayOnce{shipped_data()->find_state("run_fast")}), Command(Face{}), Command(GoDirection{0.0, 3.0})}) {
    SCOPED_TRACE(testing::Message() << "command " << last.index());
    auto character = shipped_character();
    character.set_ground(stairs);
    Watcher watcher(character, stairs);
    ASSERT_TRUE(character.command(GoState{shipped_data()->find_state("run_slow")}));
    watcher.play(2.0);
    const auto handle = character.command(last);
    ASSERT_TRUE(handle);
    watcher.play(6.0);
    const bool endless = std::holds_alternative<GoDirection>(last);
    ASSERT_EQ(character.outcome(*handle).status, endless ? Status::active : Status::done);
    if (endless) character.release(*handle);
    EXPECT_GT(character.speed_mps(), 2.2) << "runs on";
    double fastest_mps = 0.0;
    for (int f = 0; f < 12 * 60; ++f) {
      watcher.play(1.0 / 60.0);
      if (character.place().z_m > stairs.from_m) fastest_mps = std::max(fastest_mps, character.speed_mps());
    }
    ASSERT_GT(character.place().z_m, stairs.from_m + 1.0);
    EXPECT_LT(fastest_mps, 1.5);
  }
}

TEST(OnStairs, AnActionOnThemComesBackToTheRunThatWasAskedFor) {
  const Stairs stairs{.rise_m = 0.17, .run_m = 0.3, .from_m = 6.0, .count = 12};
  auto character = shipped_character();
  character.set_ground(stairs);
  ASSERT_TRUE(character.command(GoState{shipped_data()->find_state("run_slow")}));
  double fastest_after = 0.0;
  bool told = false;
  for (int f = 0; f < 22 * 60; ++f) {
    character.update(1.0 / 60.0);
    const double z = character.place().z_m;
    if (!told && z > 7.0) told = character.command(PlayOnce{shipped_data()->find_state("walk_slow")}).has_value();
    if (z > 6.0 + 14 * 0.3) fastest_after = std::max(fastest_after, character.speed_mps());
  }
  EXPECT_TRUE(told);
  EXPECT_GT(fastest_after, 2.2);
}

TEST(OnStairs, StandsWhereItWasToldToGo) {
  const Stairs stairs{.run_m = 0.3};
  auto character = shipped_character();
  character.set_ground(stairs);
  const auto going = character.command(GoPlace{{0.0, 6.5}});
  ASSERT_TRUE(going);
  WorldPose world;
  const JointIndex hips = character.data().set().body_map.joint(body::Role::hips);
  for (int f = 0; f < 12 * 60 && character.outcome(*going).status == Status::active; ++f) {
    character.update(1.0 / 60.0);
    forward_kinematics(character.data().skeleton(), character.pose(), world);
    // The place is that of the hips that are seen.
    ASSERT_NEAR(character.place().x_m, world.positions[hips].x(), 1e-3) << f;
    ASSERT_NEAR(character.place().z_m, world.positions[hips].z(), 1e-3) << f;
  }
  EXPECT_EQ(character.outcome(*going).status, Status::done);
  EXPECT_NEAR(world.positions[hips].x(), 0.0, 0.03);
  EXPECT_NEAR(world.positions[hips].z(), 6.5, 0.03);
}

TEST(OnStairs, NobodyComesBackToHisRunWhereThePlaceIsNear) {
  // Told to run, slowed to a walk by the stairs. A run for the last metre would lead past the place by 1.1 m: round on
  // the spot and back, 13 s where a walk takes 9.
  static const auto data = test::shipped_gaits({"idle", "walk_normal", "run_slow"});
  const Stairs stairs{.rise_m = 0.17, .run_m = 0.3, .count = 6};
  for (const double beyond_m : {0.6, 1.2, 2.0, 3.0}) {
    SCOPED_TRACE(beyond_m);
    auto character = std::move(*Character::create(data));
    character.set_ground(stairs);
    const double place_m = stairs.from_m + 6 * 0.3 + beyond_m;
    const auto handle = character.command(GoPlace{{0.0, place_m}, {}, 3.5});
    ASSERT_TRUE(handle);
    double farthest_m = 0.0;
    for (int f = 0; f < 1200 && character.outcome(*handle).status == Status::active; ++f) {
      character.update(1.0 / 60.0);
      farthest_m = std::max(farthest_m, character.place().z_m);
    }
    EXPECT_EQ(character.outcome(*handle).status, Status::done);
    EXPECT_LT(farthest_m, place_m + 0.25);
    EXPECT_LT(character.time_s(), 10.0);
  }
}

TEST(OnStairs, WhatIsCarriedIsLiftedWithTheBody) {
  const Stairs stairs;
  auto character = shipped_character();
  character.set_ground(stairs);
  const CharacterData& data = *shipped_data();
  const JointIndex left = data.set().body_map.joint(body::Role::left_hand);
  ASSERT_TRUE(character.command(GoPlace{{0.0, 6.5}}));
  const auto box = character.command(Reach{left, {0.0, 1.1, 0.4}, 0.0, Frame::body, right_hand(), 0.3});
  ASSERT_TRUE(box);
  for (int f = 0; f < 11 * 60; ++f) character.update(1.0 / 60.0);
  EXPECT_TRUE(character.outcome(*box).met);
  const WorldPose world = forward_kinematics(data.skeleton(), character.pose());
  EXPECT_NEAR(world.positions[left].y(), 6 * 0.17 + 1.1, 0.02);
  EXPECT_NEAR(world.positions[right_hand()].y(), 6 * 0.17 + 1.1, 0.02);
}

}  // namespace
}  // namespace shosa::character
