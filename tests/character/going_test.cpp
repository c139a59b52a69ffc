// Going aside while facing elsewhere, and by footstep plans.

#include <fmt/format.h>

#include "shipped_character.h"
#include "shosa/core/rotations.h"

namespace shosa::character {
namespace {

/// Where the shoulders face.
double chest_heading_rad(const Character& character) {
  const auto& map = character.data().set().body_map;
  const WorldPose world = forward_kinematics(character.data().skeleton(), character.pose());
  const Vec3d across =
      world.positions[map.joint(body::Role::left_upper_arm)] - world.positions[map.joint(body::Role::right_upper_arm)];
  return std::atan2(-across.z(), across.x());
}

TEST(GoPlace, IsThereSoonHoweverNearAndHoweverFast) {
  // Near places at a run were run past, to and fro, for ever.
  for (const double speed : {0.8, 1.3, 2.1, 3.2})
    for (const double far : {0.15, 0.5, 0.8, 1.0, 1.4, 2.0, 3.0, 6.0})
      for (const double side : {0.0, 1.3, -2.6}) {
        SCOPED_TRACE(fmt::format("{} m away at {} m/s, {} rad aside", far, speed, side));
        auto character = shipped_character();
        Watcher watcher(character);
        const auto handle = character.command(GoPlace{{far * std::sin(side), far * std::cos(side)}, {}, speed});
        ASSERT_TRUE(handle);
        // Turning, starting and stopping take some seconds, small steps three for a metre.
        double time_s = 0.0;
        const double longest_s = 7.0 + far / std::min(speed, 1.0) + 2.0 * std::min(far, 1.5);
        for (; time_s < longest_s && character.outcome(*handle).status == Status::active; time_s += 0.1)
          watcher.play(0.1);
        EXPECT_EQ(character.outcome(*handle).status, Status::done);
        EXPECT_NEAR(character.place().x_m, far * std::sin(side), 0.055);
        EXPECT_NEAR(character.place().z_m, far * std::cos(side), 0.055);
        EXPECT_LT(watcher.slide_mps(0.95), 0.04);
      }
}

TEST(GoPlace, StopsThereAndNotBeyond) {
  // A body goes on by its momentum when it is told to stand. Places were passed by that, and come back to.
  for (const double far : {1.5, 2.5, 4.0, 6.5}) {
    SCOPED_TRACE(fmt::format("{} m ahead", far));
    auto character = shipped_character();
    Watcher watcher(character);
    const auto handle = character.command(GoPlace{{0.0, far}, {}, 1.3});
    ASSERT_TRUE(handle);
    double farthest_m = 0.0;
    for (int f = 0; f < 900 && character.outcome(*handle).status == Status::active; ++f) {
      watcher.play(1.0 / 60.0);
      farthest_m = std::max(farthest_m, character.place().z_m);
    }
    EXPECT_EQ(character.outcome(*handle).status, Status::done);
    EXPECT_LT(farthest_m, far + 0.2);
  }
}

TEST(GoPath, CornersThatAreTooSharpForARunAreCut) {
  // A corner inside the circle that a run can turn on was gone round for ever.
  for (const double speed : {1.3, 3.0, 4.0}) {
    SCOPED_TRACE(fmt::format("{} m/s", speed));
    auto character = shipped_character();
    Watcher watcher(character);
    const auto handle =
        character.command(GoPath{{{{0.0, 2.0}, {2.0, 4.0}, {2.0, 7.0}, {-2.0, 7.0}, {-2.0, 3.0}}}, 5, speed});
    ASSERT_TRUE(handle);
    watcher.play(30.0);
    EXPECT_EQ(character.outcome(*handle).status, Status::done);
    EXPECT_NEAR(character.place().x_m, -2.0, 0.1);
    EXPECT_NEAR(character.place().z_m, 3.0, 0.1);
  }
}

TEST(GoingAside, WalksOnePathAndFacesElsewhere) {
  for (const double off : {-1.2, -0.4, 0.4, 0.8, 1.2}) {
    SCOPED_TRACE("facing " + std::to_string(off) + " rad away");
    auto character = shipped_character();
    Watcher watcher(character);
    const auto handle = character.command(GoDirection{0.0, 1.1, Facing{std::nullopt, off}});
    ASSERT_TRUE(handle);
    watcher.play(3.0);
    const auto from = character.place();
    double facing = 0.0;
    for (int f = 0; f < 240; ++f) {
      watcher.play(1.0 / 60.0);
      facing += wrap_angle(chest_heading_rad(character)) / 240.0;
    }
    const auto to = character.place();
    EXPECT_NEAR(std::atan2(to.x_m - from.x_m, to.z_m - from.z_m), 0.0, 0.1);
    EXPECT_GT(to.z_m - from.z_m, 3.0);
    EXPECT_NEAR(facing, off, 0.15);
    EXPECT_LT(watcher.slide_mps(0.95), 0.04);
    EXPECT_LT(watcher.largest_step_m, 0.15);
    EXPECT_EQ(character.outcome(*handle).status, Status::active);
  }
}

TEST(GoingAside, ShufflesAnywhereFacingAnywhere) {
  auto character = shipped_character();
  Watcher watcher(character);
  ASSERT_TRUE(character.command(GoDirection{-1.57, 0.3, Facing{std::nullopt, 0.0}}));
  watcher.play(6.0);
  EXPECT_LT(character.place().x_m, -1.2);
  EXPECT_NEAR(character.place().z_m, 0.0, 0.2);
  EXPECT_NEAR(character.place().heading_rad, 0.0, 0.15);
  EXPECT_LT(watcher.slide_mps(0.95), 0.04);
}

TEST(GoingAside, SaysWhatIsTooFarAsideAndWalksOn) {
  auto character = shipped_character();
  const auto handle = character.command(GoDirection{0.0, 1.3, Facing{std::nullopt, 2.0}});
  ASSERT_TRUE(handle);
  character.update(1.0);
  EXPECT_EQ(character.outcome(*handle).status, Status::given_up);
  EXPECT_EQ(character.outcome(*handle).reason, Reason::too_far_aside);
}

GoSteps walk_of(double stride_m, double width_m, double bend_rad, int count) {
  GoSteps steps{.count = count};
  double heading = 0.0;
  Point at{0.0, 0.1};
  for (int i = 0; i < count; ++i) {
    heading += bend_rad;
    at.x_m += stride_m * std::sin(heading), at.z_m += stride_m * std::cos(heading);
    const double side = i % 2 == 0 ? 0.5 * width_m : -0.5 * width_m;  // left first
    steps.steps[i] = {i % 2, {at.x_m + side * std::cos(heading), at.z_m - side * std::sin(heading)}, {}};
  }
  return steps;
}

TEST(GoSteps, LandsWhereThePlanSays) {
  for (const GoSteps& plan :
       {walk_of(0.65, 0.18, 0.0, 8), walk_of(0.5, 0.25, 0.08, 8), walk_of(0.75, 0.12, -0.06, 8)}) {
    auto character = shipped_character();
    Watcher watcher(character);
    const auto handle = character.command(plan);
    ASSERT_TRUE(handle);
    int met = 0;
    double worst = 0.0;
    std::array<int, 2> landed = {-1, -1}, since = {0, 0};
    for (int f = 0; f < 600; ++f) {
      watcher.play(1.0 / 60.0);
      for (const Event& event : character.events()) {
        if (event.kind != EventKind::step_met) continue;
        EXPECT_EQ(event.index, met++);
        const auto foot = static_cast<std::size_t>(plan.steps[event.index].foot);
        landed[foot] = event.index, since[foot] = f;
      }
      // A foot strikes with its heel: a little later it lies on its ball.
      for (std::size_t foot = 0; foot < 2; ++foot) {
        if (landed[foot] < 0 || f != since[foot] + 12) continue;
        const WorldPose world = forward_kinematics(character.data().skeleton(), character.pose());
        const Vec3d& ball = world.positions[character.data().set().feet[foot].toe];
        const Point& place = plan.steps[landed[foot]].place;
        worst = std::max(worst, std::hypot(ball.x() - place.x_m, ball.z() - place.z_m));
      }
    }
    EXPECT_EQ(met, plan.count);
    EXPECT_EQ(character.outcome(*handle).status, Status::done) << reason_name(character.outcome(*handle).reason);
    EXPECT_LT(watcher.slide_mps(0.95), 0.04);
    EXPECT_LT(watcher.largest_step_m, 0.2);
    EXPECT_LT(worst, 0.04) << "the last one is set down again while the body stops";
  }
}

TEST(GoSteps, StepsMayBeShortAndEitherFootMayBegin) {
  // One walk alone, whose steps are 0.7 m long. What its other foot does on the way into it is no step of the plan.
  static const auto data = test::shipped_gaits({"idle", "walk_normal"});
  for (const double stride_m : {0.4, 0.5, 0.6, 0.7, 0.8})
    for (const int first : {0, 1})
      for (const double stood_s : {0.0, 0.7}) {
        SCOPED_TRACE(fmt::format("steps of {} m, foot {} first, after {} s", stride_m, first, stood_s));
        auto character = std::move(*Character::create(data));
        Watcher watcher(character);
        watcher.play(stood_s);
        GoSteps plan{.count = 5};
        for (int i = 0; i < plan.count; ++i) {
          const int foot = (first + i) % 2;
          plan.steps[i] = {foot, {foot == 0 ? 0.1 : -0.1, stride_m * (i + 1)}, {}};
        }
        const auto handle = character.command(plan);
        ASSERT_TRUE(handle);
        for (int f = 0; f < 600 && character.outcome(*handle).status == Status::active; ++f) watcher.play(1.0 / 60.0);
        EXPECT_EQ(character.outcome(*handle).status, Status::done) << reason_name(character.outcome(*handle).reason);
        EXPECT_LT(watcher.slide_mps(0.95), 0.04);
        EXPECT_LT(watcher.largest_step_m, 0.2);
      }
}

TEST(GoSteps, LimbsAreNotSlowedFromOneFrameToTheNext) {
  // Clips pass slower for short steps. At once, a foot told in mid-stride would be 2.6 cm behind in the next frame.
  static const auto data = test::shipped_gaits({"idle", "walk_normal"});
  for (const double told_s : {2.0, 2.1, 2.2, 2.3, 2.4, 2.5}) {
    auto walker = std::move(*Character::create(data)), stepper = std::move(*Character::create(data));
    for (Character* character : {&walker, &stepper}) {
      ASSERT_TRUE(character->command(GoDirection{0.0, 1.3}));
      for (int f = 0; f < std::lround(told_s * 60.0); ++f) character->update(1.0 / 60.0);
    }
    const double ahead_m = stepper.place().z_m;
    ASSERT_TRUE(stepper.command(
        GoSteps{{{{0, {0.1, ahead_m + 0.4}, {}}, {1, {-0.1, ahead_m + 0.8}, {}}, {0, {0.1, ahead_m + 1.2}, {}}}}, 3}));
    walker.update(1.0 / 60.0), stepper.update(1.0 / 60.0);
    const WorldPose a = forward_kinematics(data->skeleton(), walker.pose());
    const WorldPose b = forward_kinematics(data->skeleton(), stepper.pose());
    double farthest_m = 0.0;
    for (std::size_t j = 0; j < a.positions.size(); ++j)
      farthest_m = std::max(farthest_m, (a.positions[j] - b.positions[j]).norm());
    EXPECT_LT(farthest_m, 0.01) << "told at " << told_s << " s";
  }
}

TEST(GoSteps, SaysWhatNoStepReaches) {
  auto character = shipped_character();
  GoSteps plan = walk_of(0.6, 0.18, 0.0, 4);
  plan.steps[2].place.x_m += 1.5;
  const auto handle = character.command(plan);
  ASSERT_TRUE(handle);
  for (int f = 0; f < 600; ++f) character.update(1.0 / 60.0);
  EXPECT_EQ(character.outcome(*handle).status, Status::given_up);
  EXPECT_EQ(character.outcome(*handle).reason, Reason::out_of_reach);
}

}  // namespace
}  // namespace shosa::character
