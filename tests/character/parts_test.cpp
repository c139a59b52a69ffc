// What is laid over the motion: reaches of one hand and two, layers, and how much is worked out at all.

#include <gmock/gmock.h>

#include "shipped_character.h"
#include "shosa/core/rotations.h"

namespace shosa::character {
namespace {

const body::BodyMap& map() {
  return shipped_data()->set().body_map;
}
JointIndex left_hand() {
  return map().joint(body::Role::left_hand);
}
Vec3d joint_at(const Character& character, JointIndex joint) {
  return forward_kinematics(character.data().skeleton(), character.pose()).positions[joint];
}

TEST(Reach, AHandMeetsABallThatMoves) {
  for (const double speed_mps : {0.3, 0.6}) {
    auto character = shipped_character();
    character.update(0.5);
    const auto ball = [&](double t) { return Vec3d(-0.35 + 0.15 * std::sin(speed_mps / 0.15 * t), 1.25, 0.4); };
    const Handle handle = character.command(Reach{right_hand(), ball(0.0)}).value();
    double worst = 0.0;
    for (int f = 0; f < 300; ++f) {
      const double t = f / 60.0;
      character.move_target(handle, ball(t));
      character.update(1.0 / 60.0);
      if (f > 80) worst = std::max(worst, (joint_at(character, right_hand()) - ball(t)).norm());
    }
    EXPECT_LT(worst, 0.02) << "at up to " << speed_mps << " m/s";
    EXPECT_TRUE(character.outcome(handle).met);
  }
}

TEST(Reach, IsNotLostAndMetAgainForMillimetres) {
  for (const double speed_mps : {0.6, 0.9}) {
    SCOPED_TRACE(speed_mps);
    auto character = shipped_character();
    character.update(0.5);
    const auto ball = [&](double t) { return Vec3d(-0.35 + 0.15 * std::sin(speed_mps / 0.15 * t), 1.25, 0.4); };
    const Handle handle = character.command(Reach{right_hand(), ball(0.0)}).value();
    int lost = 0;
    double worst_m = 0.0;
    for (int f = 0; f < 600; ++f) {
      character.move_target(handle, ball(f / 60.0));
      character.update(1.0 / 60.0);
      for (const Event& event : character.events()) lost += event.kind == EventKind::goal_lost;
      if (f > 80) worst_m = std::max(worst_m, (joint_at(character, right_hand()) - ball(f / 60.0)).norm());
    }
    EXPECT_LT(worst_m, 0.03);
    EXPECT_EQ(lost, 0);
  }
}

TEST(Reach, CommandsThatCrossEachOtherWithinAFrameMoveNothingAtOnce) {
  // Far from the origin: what was not begun must not be led from there.
  auto character = shipped_character({.place = {8.0, 6.0, 0.0}});
  Watcher watcher(character);
  watcher.play(0.5);
  const auto in_front = [&](double aside_m, double up_m) { return Vec3d(8.0 + aside_m, up_m, 6.4); };
  const auto dropped = character.command(Reach{right_hand(), in_front(-0.3, 1.5)});
  ASSERT_TRUE(dropped);
  character.release(*dropped);
  watcher.play(1.0 / 60.0);
  ASSERT_TRUE(character.command(Reach{right_hand(), in_front(-0.3, 1.5)}));
  watcher.play(2.0);
  EXPECT_LT(watcher.largest_step_m, 0.04);
  ASSERT_TRUE(character.command(Reach{right_hand(), in_front(-0.1, 1.2)}));
  ASSERT_TRUE(character.command(Reach{right_hand(), in_front(-0.4, 1.4)}));
  watcher.play(1.0);
  EXPECT_LT(watcher.largest_step_m, 0.04);
}

TEST(Reach, OneThatIsLetGoHalfWayDoesNotHurryOn) {
  auto character = shipped_character();
  Watcher watcher(character);
  const auto handle = character.command(Reach{right_hand(), {-0.3, 1.6, 0.4}, 2.0});
  ASSERT_TRUE(handle);
  watcher.play(0.8);
  character.release(*handle);
  watcher.play(2.0);
  EXPECT_LT(watcher.largest_step_m, 0.025);
}

TEST(Reach, NobodyBendsForWhatIsMetresAway) {
  const JointIndex head = map().joint(body::Role::head);
  for (const Vec3d& target : {Vec3d(0.0, 0.3, 2.5), Vec3d(-2.0, 1.0, 1.0), Vec3d(0.5, 0.0, 4.0)}) {
    auto character = shipped_character();
    character.update(0.5);
    const double upright = joint_at(character, head).y();
    const Vec3d hand = joint_at(character, right_hand());
    const Handle handle = character.command(Reach{right_hand(), target}).value();
    double lowest = upright, nearest = 100.0;
    for (int f = 0; f < 240; ++f) {
      character.update(1.0 / 60.0);
      lowest = std::min(lowest, joint_at(character, head).y());
      nearest = std::min(nearest, (joint_at(character, right_hand()) - target).norm());
    }
    EXPECT_LT(nearest, (hand - target).norm() - 0.2) << "the arm points at it";
    EXPECT_GT(lowest, upright - 0.08);
    EXPECT_EQ(character.outcome(handle).reason, Reason::out_of_reach);
  }
}

TEST(Reach, TheBodyBendsForWhatItCanGet) {
  // From the floor beside the feet to over the head.
  for (const Vec3d& target : {Vec3d(-0.3, 0.15, 0.35), Vec3d(-0.2, 0.6, 0.6), Vec3d(-0.5, 1.9, 0.3)}) {
    auto character = shipped_character();
    character.update(0.5);
    const Handle handle = character.command(Reach{right_hand(), target}).value();
    for (int f = 0; f < 180; ++f) character.update(1.0 / 60.0);
    EXPECT_TRUE(character.outcome(handle).met) << target.transpose();
  }
}

TEST(Reach, BothHandsTakeOneThingAndCarryItAlong) {
  auto character = shipped_character();
  character.update(0.5);
  const Handle handle =
      character.command(Reach{left_hand(), {0.0, 1.1, 0.4}, 0.0, Frame::body, right_hand(), 0.3}).value();
  character.update(1.0), character.update(0.5);
  EXPECT_TRUE(character.outcome(handle).met);
  ASSERT_TRUE(character.command(GoDirection{0.8, 1.3}));
  Watcher watcher(character);
  double worst = 0.0, worst_apart = 0.0;
  for (int f = 0; f < 300; ++f) {
    watcher.play(1.0 / 60.0);
    const Vec3d left = joint_at(character, left_hand()), right = joint_at(character, right_hand());
    const Vec3d middle = 0.5 * (left + right);
    const auto place = character.place();
    worst = std::max(worst, std::abs(std::hypot(middle.x() - place.x_m, middle.z() - place.z_m) - 0.4));
    worst_apart = std::max(worst_apart, std::abs((left - right).norm() - 0.3));
  }
  EXPECT_LT(worst, 0.03) << "from 0.4 m before the hips";
  EXPECT_LT(worst_apart, 0.02);
  EXPECT_LT(watcher.slide_mps(0.95), 0.04);
  character.release(handle);
  character.update(1.0), character.update(1.0);
  EXPECT_EQ(character.outcome(handle).status, Status::done);
}

TEST(Layer, LaysAClipOverTheArmsAndLeavesTheRestAsItIs) {
  auto layered = shipped_character(), plain = shipped_character();
  for (Character* c : {&layered, &plain}) ASSERT_TRUE(c->command(GoDirection{0.0, 1.3}));
  const int run = shipped_data()->set().find("run_fast");
  const Handle handle = layered.command(Layer{.clip = run, .part = Layer::Part::arms}).value();
  Watcher watcher(layered);
  watcher.play(2.0);
  for (int f = 0; f < 120; ++f) plain.update(1.0 / 60.0);
  const auto lower = body::lower_body(shipped_data()->skeleton(), map());
  for (JointIndex j = 0; j < layered.pose().joint_count(); ++j) {
    if (!lower[j]) continue;
    EXPECT_EQ(layered.pose().rotation(j).coeffs(), plain.pose().rotation(j).coeffs());
  }
  // A runner's elbow is bent.
  const JointIndex elbow = map().joint(body::Role::left_lower_arm);
  EXPECT_GT(layered.pose().rotation(elbow).angularDistance(plain.pose().rotation(elbow)), 0.5);
  EXPECT_LT(watcher.largest_step_m, 0.16);
  layered.release(handle);
  watcher.play(1.0);
  for (int f = 0; f < 60; ++f) plain.update(1.0 / 60.0);
  EXPECT_TRUE(same_pose(layered, plain));
}

TEST(Layer, OnceOverItIsDoneAndTheMotionIsAsItWas) {
  auto layered = shipped_character(), plain = shipped_character();
  const int walk = shipped_data()->set().find("walk_normal");
  const Handle handle = layered.command(Layer{.clip = walk, .part = Layer::Part::upper_body, .once = true}).value();
  const double length_s = shipped_data()->set().clips[walk].clip().last_time_s();
  for (int f = 0; f < static_cast<int>(60 * length_s) + 30; ++f) layered.update(1.0 / 60.0), plain.update(1.0 / 60.0);
  EXPECT_EQ(layered.outcome(handle).status, Status::done);
  EXPECT_TRUE(same_pose(layered, plain));
}

TEST(Layer, KeepsTheChestsHeadingInTheWorldWhileTheBodyTurns) {
  auto character = shipped_character();
  const int idle = shipped_data()->set().find("idle");
  ASSERT_TRUE(character.command(Layer{.clip = idle, .part = Layer::Part::upper_body, .heading_rad = 0.0}));
  for (int f = 0; f < 60; ++f) character.update(1.0 / 60.0);
  ASSERT_TRUE(character.command(Face{std::nullopt, 0.6}));
  const auto& roles = map();
  const JointIndex left = roles.joint(body::Role::left_upper_arm), right = roles.joint(body::Role::right_upper_arm);
  for (int f = 0; f < 240; ++f) {
    character.update(1.0 / 60.0);
    const Vec3d across = joint_at(character, left) - joint_at(character, right);
    ASSERT_NEAR(std::atan2(across.z(), across.x()), 0.0, 0.12) << "frame " << f;
  }
  EXPECT_NEAR(character.place().heading_rad, 0.6, 0.1);
}

/// The hips tip forward under a body whose other joints turn as they did.
void tip_hips_of_slow_walk(motions::Motion& motion) {
  if (motion.name != "walk_slow") return;
  Clip& clip = motion.clip;
  const JointIndex hips = motion.body_map.joint(body::Role::hips);
  const Quatf tip(Eigen::AngleAxisf(0.6f, Vec3f::UnitX()));
  for (int f = 0; f < clip.frame_count(); ++f) {
    clip.set_rotation(f, hips, clip.rotation(f, hips) * tip);
    for (const JointIndex j : clip.skeleton().children(hips))
      clip.set_rotation(f, j, tip.conjugate() * clip.rotation(f, j));
  }
}

TEST(Layer, AnUpperBodyLeansAsInItsClipWhateverTheHipsDidThere) {
  std::vector<Quatd> chests;
  for (const bool tipped : {false, true}) {
    const auto data = test::shipped_gaits({"idle", "walk_slow"}, tipped ? tip_hips_of_slow_walk : nullptr);
    auto character = std::move(*Character::create(data, {}));
    ASSERT_TRUE(character.command(Layer{.clip = 1, .part = Layer::Part::upper_body}));
    character.update(1.0);
    const WorldPose world = forward_kinematics(data->skeleton(), character.pose());
    chests.push_back(world.rotations[data->set().body_map.joint(body::Role::chest)]);
  }
  EXPECT_LT(chests[0].angularDistance(chests[1]), 0.03);
}

TEST(Layer, RefusesPartsThatCarryFeetAndClipsThatAreNotThere) {
  auto character = shipped_character();
  EXPECT_FALSE(character.command(Layer{.clip = 99}));
  EXPECT_FALSE(character.command(Layer{.clip = 0, .fade_s = 0.0}));
  const auto knee = map().joint(body::Role::left_lower_leg);
  const auto refused = character.command(Layer{.clip = 0, .part = Layer::Part::joint, .top = knee});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, testing::HasSubstr("expected a part without hips and legs"));
}

TEST(Detail, PlayedIsTheGraphAloneSteeredAndGoalsWaitUntilItIsFullAgain) {
  auto character = shipped_character();
  Watcher watcher(character);
  ASSERT_TRUE(character.command(GoPlace{{2.0, 3.0}}));
  const Handle handle = character.command(Reach{right_hand(), {-0.3, 1.3, 0.4}, 0.0, Frame::body}).value();
  watcher.play(1.5);
  for (const Detail detail : {Detail::steered, Detail::played, Detail::steered}) {
    character.set_detail(detail);
    EXPECT_EQ(character.detail(), detail);
    watcher.play(2.0);
    EXPECT_EQ(character.outcome(handle).status, Status::active);
  }
  character.set_detail(Detail::full);
  watcher.play(6.0);
  EXPECT_NEAR(character.place().x_m, 2.0, 0.1);
  EXPECT_NEAR(character.place().z_m, 3.0, 0.1);
  EXPECT_TRUE(character.outcome(handle).met);
  EXPECT_TRUE(watcher.finite);
}

TEST(UpdateAll, GivesEachWhatItsOwnUpdateGives) {
  std::vector<Character> all, alone;
  for (int c = 0; c < 40; ++c) {
    for (auto* list : {&all, &alone}) {
      list->push_back(shipped_character({.place = {0.5 * c, 0.0, 0.1 * c}}));
      ASSERT_TRUE(list->back().command(GoDirection{0.2 * c, 0.5 + 0.05 * c}));
    }
  }
  for (int f = 0; f < 60; ++f) {
    update_all(all, 1.0 / 60.0);
    for (Character& character : alone) character.update(1.0 / 60.0);
  }
  for (std::size_t c = 0; c < all.size(); ++c) EXPECT_TRUE(same_pose(all[c], alone[c]));
}

}  // namespace
}  // namespace shosa::character
