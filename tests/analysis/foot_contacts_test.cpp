#include "shosa/analysis/foot_contacts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/scene_bodies.h"
#include "scenes/random.h"
#include "scenes/scenes.h"
#include "shosa/analysis/intervals.h"
#include "shosa/core/clip_edit.h"
#include "shosa/core/forward_kinematics.h"

namespace shosa {
namespace {

using analysis::FootContactParams;
using analysis::FootContacts;
using scenes::Scene;

FootContacts contacts_of(const Clip& clip, const FootContactParams& params = {}) {
  auto result = analysis::find_foot_contacts(clip, clip_positions(clip), test::scene_body_map(clip.skeleton()), params);
  EXPECT_TRUE(result.has_value());
  return result.has_value() ? *result : FootContacts{};
}

/// The planned intervals are found, no more and no fewer, and no edge is further off than `frames`. Pieces that the
/// clip's ends cut down to less than 0.2 s may be missed.
void expect_intervals(const std::vector<TimeInterval>& found, const std::vector<TimeInterval>& planned, double frames,
                      const Clip& clip, const std::string& what) {
  std::vector<TimeInterval> sure;
  for (const auto& p : planned) {
    const bool cut = p.begin_s == 0.0 || p.end_s == clip.last_time_s();
    if (!cut || p.length_s() > 0.2) sure.push_back(p);
  }
  const auto inside_planned = [&](const TimeInterval& f) {
    for (const auto& p : planned) {
      if (f.begin_s < p.end_s && p.begin_s < f.end_s) return true;
    }
    return false;
  };
  for (const auto& f : found) EXPECT_TRUE(inside_planned(f)) << what << ": false contact at " << f.begin_s;
  const double tolerance = frames * clip.frame_time_s() + 1e-9;
  for (const auto& p : sure) {
    const int k = analysis::find_interval(found, 0.5 * (p.begin_s + p.end_s));
    ASSERT_GE(k, 0) << what << ": missed contact " << p.begin_s << ".." << p.end_s << " at " << clip.fps() << " Hz";
    EXPECT_NEAR(found[k].begin_s, p.begin_s, tolerance) << what << " at " << clip.fps() << " Hz";
    EXPECT_NEAR(found[k].end_s, p.end_s, tolerance) << what << " at " << clip.fps() << " Hz";
  }
}

void expect_plan_found(const Scene& scene, double frames, const std::string& what) {
  const FootContacts contacts = contacts_of(scene.clip);
  ASSERT_EQ(contacts.feet.size(), scene.feet.size());
  for (const auto& plan : scene.feet) {
    for (const auto& foot : contacts.feet) {
      if (foot.points.joint != scene.clip.skeleton().find(plan.foot)) continue;
      expect_intervals(foot.joined, plan.standing, frames, scene.clip, what + " " + plan.foot + " standing");
      if (!plan.heel.empty())
        expect_intervals(foot.heel, plan.heel, frames + 1, scene.clip, what + " " + plan.foot + " heel");
      expect_intervals(foot.toe, plan.toes, frames + 1, scene.clip, what + " " + plan.foot + " toes");
    }
  }
}

TEST(FootContacts, EdgesOfALevelWalkAreWithinTwoFramesOfThePlan) {
  for (const double fps : {30.0, 60.0, 120.0}) expect_plan_found(scenes::walk({.fps = fps}), 2, "walk");
}

TEST(FootContacts, WalksOfOtherSpeedsAndOnACurveAreFound) {
  for (const double fps : {30.0, 60.0, 120.0}) {
    expect_plan_found(scenes::walk({.fps = fps, .speed_mps = 0.7, .step_s = 0.7, .duty = 0.68}), 2, "slow walk");
    expect_plan_found(scenes::walk({.fps = fps, .speed_mps = 1.8, .step_s = 0.45, .duty = 0.58}), 2, "fast walk");
    expect_plan_found(scenes::walk({.fps = fps, .turn_rad_per_m = 0.6}), 2, "curve");
  }
}

TEST(FootContacts, StairsUpAndDownAreStoodOnAtEveryHeight) {
  for (const double fps : {30.0, 60.0, 120.0}) {
    expect_plan_found(scenes::walk({.fps = fps, .speed_mps = 0.6, .step_s = 0.6, .rise_per_step_m = 0.17}), 2, "up");
    expect_plan_found(scenes::walk({.fps = fps, .speed_mps = 0.6, .step_s = 0.6, .rise_per_step_m = -0.17}), 2, "down");
  }
}

TEST(FootContacts, LocalGroundFollowsTheStairs) {
  const Scene scene = scenes::walk({.speed_mps = 0.6, .step_s = 0.6, .rise_per_step_m = 0.17});
  const FootContacts contacts = contacts_of(scene.clip);
  const auto& stances = contacts.feet[0].stances;
  ASSERT_GE(stances.size(), 3u);
  for (std::size_t i = 1; i < stances.size(); ++i) {
    EXPECT_NEAR(stances[i].ground_m - stances[i - 1].ground_m, 2 * 0.17, 0.015);
  }
}

TEST(FootContacts, RunsHaveTheirFlights) {
  for (const double fps : {30.0, 60.0, 120.0}) {
    const Scene scene =
        scenes::run({.fps = fps, .speed_mps = 3.0, .step_s = 0.37, .duty = 0.33, .foot_clearance_m = 0.16});
    expect_plan_found(scene, 2, "run");
    const auto flights = analysis::flight_intervals(contacts_of(scene.clip), {0.0, scene.clip.last_time_s()});
    EXPECT_EQ(flights.size(), scene.flights.size()) << fps;
  }
}

TEST(FootContacts, AJumpHasOneFlight) {
  for (const double fps : {15.0, 30.0, 60.0, 120.0, 240.0}) {
    const Scene scene = scenes::jump({.fps = fps});
    expect_plan_found(scene, 2, "jump");
    const auto flights = analysis::flight_intervals(contacts_of(scene.clip), {0.0, scene.clip.last_time_s()});
    ASSERT_EQ(flights.size(), 1u) << fps;
    EXPECT_NEAR(flights[0].length_s(), 0.45, 4.0 / fps);
  }
}

TEST(FootContacts, AStandingBodyStandsAllTheTime) {
  const Scene scene = scenes::stand();
  for (const auto& foot : contacts_of(scene.clip).feet) {
    ASSERT_EQ(foot.heel.size(), 1u);
    ASSERT_EQ(foot.toe.size(), 1u);
    EXPECT_EQ(foot.joined, (std::vector<TimeInterval>{{0.0, scene.clip.last_time_s()}}));
  }
}

TEST(FootContacts, ADogWalksOnFourPaws) {
  for (const double fps : {30.0, 60.0, 120.0}) expect_plan_found(scenes::dog_walk({.fps = fps}), 2, "dog");
}

TEST(FootContacts, VeryLowAndHighRatesFindEveryStep) {
  for (const double fps : {15.0, 240.0}) {
    const Scene scene = scenes::walk({.fps = fps});
    const FootContacts contacts = contacts_of(scene.clip);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(contacts.feet[i].joined.size(), scene.feet[i].standing.size()) << fps;
  }
}

/// The whole motion lifted, tilted and shaken, as capture does.
Clip spoiled(const Clip& clip, double offset_m, double tilt_rad, double noise_m, std::uint64_t seed) {
  Clip out = clip;
  scenes::Random random(seed);
  const Quatd tilt(Eigen::AngleAxisd(tilt_rad, Vec3d::UnitX()));
  for (int f = 0; f < clip.frame_count(); ++f) {
    const Vec3d noise = random.direction() * noise_m * random.uniform();
    const Vec3d moved = tilt * clip.translation(f, 0).cast<double>() + Vec3d(0, offset_m, 0) + noise;
    out.set_translation(f, 0, moved.cast<float>());
    out.set_rotation(f, 0, (tilt * clip.rotation(f, 0).cast<double>()).normalized().cast<float>());
  }
  return out;
}

TEST(FootContacts, OffsetTiltAndNoiseOfACaptureFloorDoNotMatter) {
  const Scene scene = scenes::walk({.duration_s = 4.0, .fps = 120.0});
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Clip clip = spoiled(scene.clip, 0.35, 0.015, 0.001, seed);
    const FootContacts contacts = contacts_of(clip);
    for (std::size_t i = 0; i < 2; ++i) {
      expect_intervals(contacts.feet[i].joined, scene.feet[i].standing, 4, clip,
                       "spoiled, seed " + std::to_string(seed));
    }
  }
}

TEST(FootContacts, ALegHeldInTheAirDoesNotStand) {
  Scene scene = scenes::stand(3.0);
  const Skeleton& skeleton = scene.clip.skeleton();
  const Quatf thigh(Eigen::AngleAxisf(-1.0f, Vec3f::UnitX())), knee(Eigen::AngleAxisf(1.2f, Vec3f::UnitX()));
  for (int f = 60; f < scene.clip.frame_count(); ++f) {
    scene.clip.set_rotation(f, skeleton.find("right_upper_leg"), thigh);
    scene.clip.set_rotation(f, skeleton.find("right_lower_leg"), knee);
  }
  const FootContacts contacts = contacts_of(scene.clip);
  const auto* right = contacts.find("right");
  ASSERT_NE(right, nullptr);
  ASSERT_EQ(right->joined.size(), 1u);
  EXPECT_NEAR(right->joined[0].end_s, 59 / 60.0, 2 / 60.0);
  EXPECT_EQ(contacts.find("left")->joined.size(), 1u);
}

TEST(FootContacts, SizeOfTheBodyDoesNotMatter) {
  // A giant twice as tall moves sqrt(2) times slower (equal Froude number).
  const Scene scene = scenes::walk({.fps = 60.0});
  std::vector<Joint> joints(scene.clip.skeleton().joints().begin(), scene.clip.skeleton().joints().end());
  std::vector<EndSite> sites(scene.clip.skeleton().end_sites().begin(), scene.clip.skeleton().end_sites().end());
  for (auto& joint : joints) joint.rest_translation_m *= 2.0f;
  for (auto& site : sites) site.offset_m *= 2.0f;
  const auto giant = std::make_shared<const Skeleton>(*Skeleton::create(joints, sites));
  Clip clip(giant, scene.clip.frame_count(), scene.clip.frame_time_s());
  for (int f = 0; f < clip.frame_count(); ++f) {
    for (JointIndex j = 0; j < clip.joint_count(); ++j) clip.set_rotation(f, j, scene.clip.rotation(f, j));
    clip.set_translation(f, 0, 2.0f * scene.clip.translation(f, 0));
  }
  clip.set_frame_time_s(scene.clip.frame_time_s() * std::sqrt(2.0));
  const FootContacts contacts = contacts_of(clip);
  EXPECT_NEAR(contacts.scale, 2 * 0.84 / 0.85, 1e-6);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(contacts.feet[i].joined.size(), scene.feet[i].standing.size());
}

TEST(FootContacts, AFootWithoutToesStandsOnItsAnkle) {
  const Scene scene = scenes::walk();
  body::BodyMap map = test::scene_body_map(scene.clip.skeleton());
  map.set(body::Role::left_toes, kNoJoint);
  map.set(body::Role::right_toes, kNoJoint);
  const auto contacts = analysis::find_foot_contacts(scene.clip, clip_positions(scene.clip), map);
  ASSERT_TRUE(contacts.has_value());
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(contacts->feet[i].toe.empty());
    EXPECT_EQ(contacts->feet[i].joined.size(), scene.feet[i].heel.size());
  }
}

TEST(FootContacts, OneFrameIsOneContact) {
  const Scene scene = scenes::stand();
  const Clip clip = *cut_frames(scene.clip, 0, 1);
  for (const auto& foot : contacts_of(clip).feet) EXPECT_EQ(foot.joined, (std::vector<TimeInterval>{{0.0, 0.0}}));
}

TEST(FootContacts, BrokenRulesAreNamed) {
  const Scene scene = scenes::stand(0.5);
  const body::BodyMap map = test::scene_body_map(scene.clip.skeleton());
  const auto message = [&](const FootContactParams& params) {
    const auto result = analysis::find_foot_contacts(scene.clip, clip_positions(scene.clip), map, params);
    return result.has_value() ? std::string() : result.error().message;
  };
  EXPECT_NE(message({.enter_height_m = -1.0}).find("enter_height_m"), std::string::npos);
  EXPECT_NE(message({.leave_height_m = 0.001}).find("leave_height_m"), std::string::npos);
  EXPECT_NE(message({.leave_speed_mps = 0.1}).find("leave_speed_mps"), std::string::npos);
  EXPECT_NE(message({.difference_s = 0.0}).find("difference_s"), std::string::npos);
  EXPECT_NE(message({.min_duration_s = -1.0}).find("min_duration_s"), std::string::npos);
  const auto nobody = analysis::find_foot_contacts(scene.clip, clip_positions(scene.clip), body::BodyMap{});
  ASSERT_FALSE(nobody.has_value());
  EXPECT_EQ(nobody.error().code, ErrorCode::not_possible);
}

TEST(FlightIntervals, FeetThatTakeTurnsDoNotFly) {
  analysis::FootContacts contacts;
  contacts.feet.resize(2);
  contacts.feet[0].joined = {{0.0, 0.5}, {1.2, 2.0}};
  contacts.feet[1].joined = {{0.51, 1.0}};
  const TimeInterval whole{0.0, 2.0};
  EXPECT_EQ(analysis::flight_intervals(contacts, whole).size(), 2u);
  const auto flights = analysis::flight_intervals(contacts, whole, 0.015);
  ASSERT_EQ(flights.size(), 1u);
  EXPECT_EQ(flights[0], (TimeInterval{1.0, 1.2}));
}

// Thighs forward, shins down, the soles `over_m` above y = 0: on a stool, or on a chair.
Clip sitting(double over_m) {
  const auto skeleton = scenes::humanoid();
  Clip clip(skeleton, 120, 1.0 / 60.0);
  Pose pose = Pose::rest(*skeleton);
  for (const char* side : {"left", "right"}) {
    const Quatf bent(Eigen::AngleAxisf(-1.5F, Vec3f::UnitX())), back(Eigen::AngleAxisf(1.5F, Vec3f::UnitX()));
    pose.set_rotation(skeleton->find(std::string(side) + "_upper_leg"), bent);
    pose.set_rotation(skeleton->find(std::string(side) + "_lower_leg"), back);
  }
  const WorldPose world = forward_kinematics(*skeleton, pose);
  const auto sole_m = [&](const WorldPose& of) {
    return of.positions[static_cast<std::size_t>(skeleton->find("left_foot"))].y();
  };
  const double stood_m = sole_m(forward_kinematics(*skeleton, Pose::rest(*skeleton)));
  pose.set_translation(0, pose.translation(0) + Vec3f(0, static_cast<float>(stood_m + over_m - sole_m(world)), 0));
  for (int f = 0; f < clip.frame_count(); ++f) clip.set_frame(f, pose);
  return clip;
}

TEST(FootContacts, FeetThatDangleAreNoGround) {
  const FootContacts dangling = contacts_of(sitting(0.15));
  EXPECT_NEAR(dangling.ground_m, 0.0, 0.02);
  for (const auto& foot : dangling.feet) EXPECT_TRUE(foot.stances.empty());
  // On the floor they stand, though they carry little; and a floor that lies lower than 0 is one.
  for (const double floor_m : {0.0, -0.3}) {
    const FootContacts seated = contacts_of(sitting(floor_m));
    EXPECT_NEAR(seated.ground_m, floor_m, 0.02);
    for (const auto& foot : seated.feet) EXPECT_EQ(foot.stances.size(), 1u);
  }
}

}  // namespace
}  // namespace shosa
