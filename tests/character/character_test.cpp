#include <gmock/gmock.h>

#include <random>

#include "scenes/allocations.h"
#include "shipped_character.h"
#include "shosa/character/height_field.h"
#include "shosa/core/rotations.h"
#include "tests/support/still_joint.h"

namespace shosa::character {
namespace {

TEST(Character, PlaysTheGraphToTheBitWhenNothingElseIsAsked) {
  auto character = shipped_character();
  const CharacterData& data = *shipped_data();
  auto player = graph::Player::create(data.graph(), data.set(), data.states()[data.still_state()].nodes.front());
  ASSERT_TRUE(player);
  Pose pose;
  player->step(pose);
  const int run = data.find_state("walk_normal");
  ASSERT_TRUE(character.command(GoState{run, 60}));
  ASSERT_TRUE(player->command({.targets = data.states()[run].nodes, .hurry = 60}));
  for (int f = 0; f < 300; ++f) {
    character.update(1.0 / 60.0);
    player->step(pose);
    ASSERT_TRUE(std::ranges::equal(pose.rotation_lanes(), character.pose().rotation_lanes())) << "frame " << f;
    ASSERT_TRUE(std::ranges::equal(pose.translation_lanes(), character.pose().translation_lanes())) << "frame " << f;
  }
}

TEST(Character, StandsInTheStateThatStirsLeast) {
  // All of these stay in their place; hips sway least where a hand is held up.
  const auto data = test::shipped_gaits({"wave", "guard", "idle", "walk_normal"});
  EXPECT_EQ(data->states()[data->still_state()].name, "idle");
}

TEST(Character, NobodyJumpsOrDancesOnTheWayToStopping) {
  const auto data = test::shipped_gaits({"idle", "walk_normal", "jump", "hiphop_two_step", "pick_up"});
  const JointIndex head = data->set().body_map.joint(body::Role::head);
  for (const char* name : {"idle", "jump", "hiphop_two_step", "pick_up"})
    EXPECT_FALSE(data->states()[data->find_state(name)].gait) << name;
  EXPECT_TRUE(data->states()[data->find_state("walk_normal")].gait);
  for (int phase = 0; phase < 12; ++phase) {
    SCOPED_TRACE(phase);
    auto character = std::move(*Character::create(data));
    const auto height = [&] { return forward_kinematics(data->skeleton(), character.pose()).positions[head].y(); };
    const double upright = height();
    double lowest = upright, highest = upright;
    ASSERT_TRUE(character.command(GoDirection{0.0, 1.3}));
    for (int f = 0; f < 360; ++f) {
      if (f == 150 + 5 * phase) {
        ASSERT_TRUE(character.command(Stop{}));
      }
      character.update(1.0 / 60.0);
      lowest = std::min(lowest, height()), highest = std::max(highest, height());
    }
    EXPECT_GT(lowest, upright - 0.12);
    EXPECT_LT(highest, upright + 0.12);
    EXPECT_EQ(data->states()[character.state()].name, "idle");
  }
}

TEST(Character, NobodyPicksUpOnTheWayToStopping) {
  // The quickest way from walking to standing is through the bottom of a pick-up.
  const auto gaits = test::shipped_gaits({"idle", "walk_normal", "pick_up"});
  const graph::MotionGraph& own = gaits->graph();
  std::vector<graph::Link> links(own.links().begin(), own.links().end());
  const auto nodes = [&](const char* name) { return own.nodes_named(name); };
  const auto bends = nodes("pick_up");
  const graph::NodeIndex bottom = bends[bends.size() / 2];
  for (const graph::NodeIndex walks : nodes("walk_normal")) links.push_back({1000000 + walks, walks, bottom, 0.05});
  links.push_back({2000000, bottom, nodes("idle").front(), 0.05});
  auto net = graph::MotionGraph::create(own.clips(), {own.nodes().begin(), own.nodes().end()}, std::move(links));
  ASSERT_TRUE(net) << net.error().message;
  const auto set = std::shared_ptr<const graph::MotionSet>(gaits, &gaits->set());
  const auto data = CharacterData::create(std::make_shared<const graph::MotionGraph>(std::move(*net)), set);
  ASSERT_TRUE(data) << data.error().message;
  auto character = std::move(*Character::create(*data));
  const JointIndex head = set->body_map.joint(body::Role::head);
  const auto height = [&] { return forward_kinematics(*set->skeleton, character.pose()).positions[head].y(); };
  const double upright = height();
  ASSERT_TRUE(character.command(GoDirection{0.0, 1.3}));
  for (int f = 0; f < 360; ++f) {
    if (f == 150) {
      ASSERT_TRUE(character.command(Stop{}));
    }
    character.update(1.0 / 60.0);
    ASSERT_GT(height(), upright - 0.12) << f / 60.0 << " s";
  }
  EXPECT_EQ((*data)->states()[character.state()].name, "idle");
}

TEST(Character, GoesToAPlaceStandsThereAndFacesAsAsked) {
  for (const Point place : {Point{1.5, 3.0}, Point{-1.0, -3.0}, Point{0.3, 0.1}, Point{4.0, 0.0}}) {
    auto character = shipped_character();
    const auto handle = character.command(GoPlace{place, 1.0});
    ASSERT_TRUE(handle);
    Watcher watcher(character);
    watcher.play(20.0);
    EXPECT_EQ(character.outcome(*handle).status, Status::done) << place.x_m << ", " << place.z_m;
    EXPECT_NEAR(character.place().x_m, place.x_m, 0.1);
    EXPECT_NEAR(character.place().z_m, place.z_m, 0.1);
    EXPECT_NEAR(wrap_angle(character.place().heading_rad - 1.0), 0.0, 0.15);
    EXPECT_LT(watcher.slide_mps(1.0), 0.02);
    EXPECT_LT(watcher.largest_step_m, 0.1);
  }
}

TEST(Character, KeepsItsFeetOnRoughGround) {
  std::mt19937 random(5);
  std::vector<float> heights(40 * 40);
  for (float& height : heights) height = std::uniform_real_distribution<float>(-0.04f, 0.04f)(random);
  const HeightField field{heights.data(), 40, 40, 0.5, -10.0, -10.0};
  auto character = shipped_character();
  character.set_ground(field);
  Watcher watcher(character, field);
  ASSERT_TRUE(character.command(GoPath{{{{0.0, 3.0}, {3.0, 4.0}, {3.0, 0.0}}}, 3}));
  watcher.play(20.0);
  EXPECT_LT(watcher.slide_mps(0.95), 0.04);
  EXPECT_LT(watcher.slide_mps(1.0), 0.15);
  EXPECT_LT(watcher.deepest_m, 0.02);
  EXPECT_NEAR(character.place().x_m, 3.0, 0.1);
  EXPECT_NEAR(character.place().z_m, 0.0, 0.1);
}

TEST(Character, ReachesForAMovingBallWhileWalkingAndComesBack) {
  auto reaching = shipped_character(), free = shipped_character();
  ASSERT_TRUE(reaching.command(GoDirection{0.0, 1.3}));
  ASSERT_TRUE(free.command(GoDirection{0.0, 1.3}));
  const auto ball = [&](double t) { return Vec3d(-0.3 + 0.1 * std::sin(3.0 * t), 1.3, free.place().z_m + 0.45); };
  Handle handle = kNoHandle;
  double worst = 0.0;
  WorldPose world;
  for (int f = 0; f < 480; ++f) {
    const double t = f / 60.0;
    free.update(1.0 / 60.0);
    if (f == 120) handle = *reaching.command(Reach{right_hand(), ball(t)});
    if (f > 120 && f < 360) reaching.move_target(handle, ball(t));
    if (f == 360) reaching.release(handle);
    reaching.update(1.0 / 60.0);
    forward_kinematics(free.data().skeleton(), reaching.pose(), world);
    if (f > 220 && f < 360) worst = std::max(worst, (world.positions[right_hand()] - ball(t)).norm());
  }
  EXPECT_LT(worst, 0.08) << "a ball that moves at 0.3 m/s";
  EXPECT_EQ(reaching.outcome(handle).status, Status::done);
  // Back to the walk: to the bit.
  EXPECT_TRUE(std::ranges::equal(reaching.pose().rotation_lanes(), free.pose().rotation_lanes()));
}

TEST(Character, FacesOnTheSameWhileAnotherClipTakesOver) {
  const CharacterData& data = *shipped_data();
  for (int i = 0; i <= 20; ++i) {
    SCOPED_TRACE(i);
    auto character = shipped_character();
    ASSERT_TRUE(character.command(GoState{data.find_state("walk_normal")}));
    double heading_rad = 0.0;
    for (int f = 0; f < 300; ++f) {
      if (f == 6 * i) {
        ASSERT_TRUE(character.command(GoState{data.find_state("run_slow")}));
      }
      character.update(1.0 / 60.0);
      ASSERT_LT(std::abs(wrap_angle(character.place().heading_rad - heading_rad)), 0.05) << f;
      heading_rad = character.place().heading_rad;
    }
  }
}

TEST(Character, StepsOfTimeDoNotMatter) {
  auto coarse = shipped_character(), fine = shipped_character();
  for (Character* character : {&coarse, &fine}) ASSERT_TRUE(character->command(GoPlace{{1.0, 3.0}}));
  for (int f = 0; f < 90; ++f) coarse.update(1.0 / 30.0);
  for (int f = 0; f < 360; ++f) fine.update(1.0 / 120.0);
  EXPECT_NEAR(coarse.place().x_m, fine.place().x_m, 1e-9);
  EXPECT_TRUE(std::ranges::equal(coarse.pose().rotation_lanes(), fine.pose().rotation_lanes()));
}

TEST(Character, RefusesWhatCanNeverBeRight) {
  auto character = shipped_character();
  const double nan = std::nan("");
  EXPECT_FALSE(character.command(GoState{99}));
  EXPECT_FALSE(character.command(GoState{0, 101}));
  EXPECT_FALSE(character.command(GoPlace{{nan, 0.0}}));
  EXPECT_FALSE(character.command(GoPlace{{0.0, 0.0}, nan}));
  EXPECT_FALSE(character.command(GoDirection{0.0, -1.0}));
  EXPECT_FALSE(character.command(GoPath{}));
  EXPECT_FALSE(character.command(Stop{-1.0}));
  EXPECT_FALSE(character.command(Reach{1000, Vec3d::Zero()}));
  EXPECT_FALSE(character.command(Drag{right_hand(), Vec3d(nan, 0.0, 0.0)}));
  EXPECT_FALSE(character.command(Push{{100.0, 0.0, 0.0}}));
  EXPECT_EQ(character.outcome(12345).status, Status::unknown);
  character.move_target(777, Vec3d::Zero());
  character.release(777);
  EXPECT_THAT(character.command(GoState{99}).error().message, testing::HasSubstr("state number 99, expected 0 to 5"));
}

TEST(Character, AllocatesNothingWhateverItIsTold) {
  auto character = shipped_character();
  const Stairs stairs;
  character.set_ground(stairs);
  std::mt19937 random(11);
  std::vector<Handle> handles;
  handles.reserve(1000);
  const auto before = scenes::allocations();
  for (int f = 0; f < 3600; ++f) {
    if (f % 20 == 0) handles.push_back(character.command(random_command(random)).value_or(kNoHandle));
    if (f % 50 == 0) character.release(handles[static_cast<std::size_t>(random() % handles.size())]);
    character.update(1.0 / 60.0);
  }
  EXPECT_EQ(scenes::allocations(), before);
  for (const float value : character.pose().rotation_lanes()) ASSERT_TRUE(std::isfinite(value));
}

bool leads_a_leg(const Command& command) {
  const auto lower = body::lower_body(shipped_data()->skeleton(), shipped_data()->set().body_map);
  const auto* reach = std::get_if<Reach>(&command);
  const auto* pin = std::get_if<Pin>(&command);
  return (reach != nullptr && lower[reach->joint]) || (pin != nullptr && lower[pin->joint]);
}

TEST(Character, KeepsItsFeetWhateverItIsTold) {
  std::mt19937 random(7);
  std::vector<float> heights(60 * 60);
  for (float& height : heights) height = std::uniform_real_distribution<float>(-0.02f, 0.02f)(random);
  const HeightField field{heights.data(), 60, 60, 0.5, -15.0, -15.0};
  for (int run = 0; run < 4; ++run) {
    auto character = shipped_character();
    character.set_ground(field);
    Watcher watcher(character, field);
    for (int i = 0; i < 20; ++i) {
      Command command = random_command(random);
      // A leg that is led takes its foot along.
      while (leads_a_leg(command)) command = random_command(random);
      const auto handle = character.command(command);
      ASSERT_TRUE(handle);
      watcher.play(1.0);
      if (i % 3 == 0) character.release(*handle);
    }
    EXPECT_TRUE(watcher.finite);
    EXPECT_LT(watcher.slide_mps(0.95), 0.04);
    EXPECT_LT(watcher.largest_step_m, 1.6 * 0.16);
  }
}

TEST(Character, SameCallsSameBits) {
  std::vector<float> first;
  for (int run = 0; run < 2; ++run) {
    auto character = shipped_character();
    std::mt19937 random(3);
    for (int f = 0; f < 1200; ++f) {
      if (f % 40 == 0) {
        ASSERT_TRUE(character.command(random_command(random)));
      }
      character.update(1.0 / 60.0);
    }
    const auto lanes = character.pose().rotation_lanes();
    if (run == 0)
      first.assign(lanes.begin(), lanes.end());
    else
      EXPECT_TRUE(std::ranges::equal(first, lanes));
  }
}

void hang_under_a_still_joint(motions::Motion& motion) {
  motion.clip = test::under_still_joint(motion.clip);
  motion.body_map = body::guess_body_map(motion.clip.skeleton());
}

TEST(Character, ABodyThatHangsUnderAStillJointIsNotThrown) {
  const auto data = test::shipped_gaits({"idle", "walk_normal", "run_slow"}, hang_under_a_still_joint);
  auto character = std::move(*Character::create(data, {}));
  Watcher watcher(character);
  for (const Command& command : std::initializer_list<Command>{GoState{1, 100}, GoDirection{1.5, 1.3}, GoState{2, 100},
                                                               Stop{}, Face{{}, 3.0}, GoPlace{{-3.0, 1.0}, {}, 1.3}}) {
    ASSERT_TRUE(character.command(command));
    watcher.play(std::holds_alternative<GoPlace>(command) ? 20.0 : 4.0);
  }
  EXPECT_LT(watcher.largest_step_m, 1.6 * 0.16);
  EXPECT_LT(watcher.slide_mps(0.95), 0.04);
  EXPECT_NEAR(character.place().x_m, -3.0, 0.1);
  EXPECT_NEAR(character.place().z_m, 1.0, 0.1);
}

}  // namespace
}  // namespace shosa::character
