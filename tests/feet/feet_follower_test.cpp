#include "shosa/feet/feet_follower.h"

#include <gtest/gtest.h>

#include <cmath>

#include "feet/feet_plan.h"
#include "scenes/allocations.h"
#include "scenes/scenes.h"
#include "tests/feet/fill_window.h"

namespace shosa::feet {
namespace {

constexpr double kStep_s = 1.0 / 60.0;
constexpr int kAhead = 72;  // samples of a window: up to the stance after next
constexpr int kEvery = 30;  // frames from plan to plan

/// A walk, and its own stances moved about by up to 3 cm.
struct MovedWalk {
  Clip clip = scenes::walk({.duration_s = 5.0, .fps = 60.0}).clip;
  body::BodyMap map = body::guess_body_map(clip.skeleton());
  analysis::StudiedClip studied = analysis::study(clip, map);
  StancePlan plan = *captured_stances(clip, studied.positions(), studied.contacts());
  std::shared_ptr<const FollowedBody> body = *followed_body(std::span(&studied, 1));

  explicit MovedWalk(double size_m = 0.03) {
    for (FootPlan& foot : plan.feet) {
      // Only frames in which the foot is still.
      for (Stance& stance : foot.stances) {
        const auto off = [&](int f) { return (studied.positions().point(f, foot.points.toe) - *stance.ball_m).norm(); };
        while (stance.ball_m && stance.first < stance.last && off(stance.first) > 1e-4) ++stance.first;
        while (stance.ball_m && stance.first < stance.last && off(stance.last) > 1e-4) --stance.last;
      }
      foot.ground_m.assign(foot.ground_m.size(), -1.0);
      for (Stance& stance : foot.stances) {
        // One step's stances move together.
        const double step = std::round(stance.ball_m ? stance.ball_m->z() : stance.heel_m ? stance.heel_m->z() : 0.0);
        const Vec3d by = size_m * Vec3d(std::sin(5.0 * step), 0.0, std::cos(3.0 * step));
        if (stance.ball_m) *stance.ball_m += by;
        stance.heel_m.reset();
        stance.rotation.reset();
      }
      std::erase_if(foot.stances, [](const Stance& stance) { return !stance.ball_m; });
    }
  }
  static constexpr auto pit = [](double, double) { return GroundPoint{.height_m = -1.0}; };

  void fill(FeetWindow& window, int from) const { fill_window(window, clip, plan, from, kAhead); }
  Clip followed() const {
    Clip out = clip;
    FeetWindow window(body);
    FeetFollower follower(body);
    WorldPose world;
    Pose pose;
    for (int f = 0; f < clip.frame_count(); ++f) {
      if (f % kEvery == 0) {
        fill(window, f);
        (void)follower.plan(f * kStep_s, window, pit);
      }
      clip.get_frame(f, pose);
      follower.at(f * kStep_s, pose, world);
      out.set_frame(f, pose);
    }
    return out;
  }
};

TEST(FeetFollower, IsNearTheWholeClipsSolve) {
  const MovedWalk walk;
  const ClipPositions own = clip_positions(walk.clip), online = clip_positions(walk.followed()),
                      whole = clip_positions(place_feet(walk.clip, walk.map, walk.plan)->clip);
  double root_m = 0.0, ball_m = 0.0, changed_m = 0.0;
  for (int f = 60; f + 60 < walk.clip.frame_count(); ++f) {
    const JointIndex hips = body::root_joint(walk.map);
    root_m = std::max(root_m, (online.joint(f, hips) - whole.joint(f, hips)).norm());
    for (const FootPlan& foot : walk.plan.feet) {
      ball_m = std::max(ball_m, (online.point(f, foot.points.toe) - whole.point(f, foot.points.toe)).norm());
      changed_m = std::max(changed_m, (own.point(f, foot.points.toe) - whole.point(f, foot.points.toe)).norm());
    }
  }
  EXPECT_GT(changed_m, 0.028);
  EXPECT_LT(root_m, 0.002);
  EXPECT_LT(ball_m, 0.012);
}

TEST(FeetFollower, AMotionThatDoesWhatIsAskedStays) {
  const MovedWalk walk(0.0);
  const Clip out = walk.followed();
  const ClipPositions own = clip_positions(walk.clip), online = clip_positions(out);
  double most_m = 0.0;
  for (int f = 0; f < walk.clip.frame_count(); ++f) {
    for (JointIndex j = 0; j < walk.clip.joint_count(); ++j) {
      most_m = std::max(most_m, (own.joint(f, j) - online.joint(f, j)).norm());
    }
  }
  EXPECT_LT(most_m, 0.001);
}

TEST(FeetFollower, FeetStandExactlyWhereTheyAreAsked) {
  const MovedWalk walk;
  const ClipPositions online = clip_positions(walk.followed());
  double most_m = 0.0;
  for (const FootPlan& foot : walk.plan.feet) {
    for (const Stance& stance : foot.stances) {
      for (int f = stance.first; f <= stance.last; ++f) {
        Vec3d miss = online.point(f, foot.points.toe) - *stance.ball_m;
        if (stance.rises) miss.y() = 0.0;
        most_m = std::max(most_m, miss.norm());
      }
    }
  }
  EXPECT_LT(most_m, 1e-5);
}

TEST(FeetFollower, NothingJumpsFromPlanToPlan) {
  const MovedWalk walk;
  FeetWindow window(walk.body);
  FeetFollower follower(walk.body);
  WorldPose world;
  Pose pose;
  walk.fill(window, 30);
  (void)follower.plan(0.5, window, walk.pit);
  // Each plan asks for something else; each frame stands between two plans.
  double most_mps2 = 0.0, largest_m = 0.0;
  std::vector<Vec3d> root;
  for (int f = 30; f < 200; ++f) {
    walk.clip.get_frame(f, pose);
    follower.at(f * kStep_s, pose, world);
    root.push_back(follower.root_m());
    walk.fill(window, f);
    if (f % 40 < 20) window.stand(0, {.first = 18, .last = 40, .rotation = follower.shown_rotation(0)});
    (void)follower.plan(f * kStep_s, window, walk.pit);
  }
  for (std::size_t i = 2; i < root.size(); ++i) {
    largest_m = std::max(largest_m, root[i].norm());
    most_mps2 = std::max(most_mps2, (root[i] - 2.0 * root[i - 1] + root[i - 2]).norm() / (kStep_s * kStep_s));
  }
  EXPECT_GT(largest_m, 0.002);
  EXPECT_LT(most_mps2, 5.0);
}

TEST(FeetFollower, ASwingGoesOverWhatTheGroundHasInItsWay) {
  const MovedWalk walk(0.0);
  const FootPlan& left = walk.plan.feet[0];
  const Vec3d from = *left.stances[1].ball_m, to = *left.stances[2].ball_m;
  const ClipPositions own = clip_positions(walk.clip);
  // A block between two stances, 3 cm higher than the foot goes there.
  const auto over = [&](double z_m) { return std::abs(z_m - 0.5 * (from.z() + to.z())) < 0.2; };
  double block_m = 0.0;
  for (int f = left.stances[1].last; f < left.stances[2].first; ++f) {
    const Vec3d ball = own.point(f, left.points.toe);
    if (over(ball.z())) block_m = std::max(block_m, ball.y() + 0.03);
  }
  const auto ground = [&](double x_m, double z_m) {
    return GroundPoint{.height_m = std::abs(x_m - from.x()) < 0.05 && over(z_m) ? block_m : -1.0};
  };
  FeetWindow window(walk.body);
  FeetFollower follower(walk.body);
  WorldPose world;
  Pose pose;
  const int begin = left.stances[1].last - 10;
  walk.fill(window, begin);
  (void)follower.plan(begin * kStep_s, window, ground);
  double deepest_m = 0.0;
  int frames = 0;
  for (int f = begin; f <= left.stances[2].first; ++f) {
    walk.clip.get_frame(f, pose);
    follower.at(f * kStep_s, pose, world);
    const Vec3d& ball = follower.shown_ball_m(0);
    if (ground(ball.x(), ball.z()).height_m < 0.0) continue;
    ++frames;
    deepest_m = std::max(deepest_m, block_m - ball.y());
  }
  EXPECT_GE(frames, 4);
  EXPECT_LT(deepest_m, 0.01);
}

TEST(FeetFollower, NothingIsAllocatedAfterSetUp) {
  const MovedWalk walk;
  FeetWindow window(walk.body);
  FeetFollower follower(walk.body);
  WorldPose world;
  Pose pose;
  walk.clip.get_frame(0, pose);
  forward_kinematics(walk.clip.skeleton(), pose, world);
  const long before = scenes::allocations();
  for (int f = 0; f < 200; ++f) {
    walk.clip.get_frame(f, pose);
    if (f % 10 == 0) {
      window.clear();
      while (!window.is_full()) window.add(world);
      window.stand(0, {.first = 0, .last = 20, .ball_m = window.ball_m(0, 0)});
      window.stand(1, {.first = 15, .last = 50, .ball_m = Vec3d(window.ball_m(1, 0) + Vec3d(0.05, 0.0, 0.0))});
      EXPECT_GT(follower.plan(f * kStep_s, window, walk.pit).iterations, 0);
    }
    follower.at(f * kStep_s, pose, world);
  }
  EXPECT_EQ(scenes::allocations() - before, 0);
}

TEST(FeetFollower, CopiesGoOnAlike) {
  const MovedWalk walk;
  FeetWindow window(walk.body);
  FeetFollower follower(walk.body);
  WorldPose world;
  walk.fill(window, 0);
  (void)follower.plan(0.0, window, walk.pit);
  FeetFollower copy = follower;
  for (FeetFollower* each : {&follower, &copy}) {
    Pose pose;
    walk.clip.get_frame(25, pose);
    each->at(25 * kStep_s, pose, world);
    walk.fill(window, 25);
    (void)each->plan(25 * kStep_s, window, walk.pit);
    walk.clip.get_frame(40, pose);
    each->at(40 * kStep_s, pose, world);
  }
  EXPECT_EQ(follower.root_m(), copy.root_m());
  EXPECT_GT(follower.root_m().norm(), 1e-4);
  EXPECT_EQ(follower.shown_ball_m(0), copy.shown_ball_m(0));
}

TEST(FeetFollower, RefusesWhatItCannotFollow) {
  const MovedWalk walk;
  const std::span<const analysis::StudiedClip> clips(&walk.studied, 1);
  EXPECT_FALSE(followed_body({}).has_value());
  EXPECT_FALSE(followed_body(clips, {.step_s = 0.0}).has_value());
  EXPECT_FALSE(followed_body(clips, {.knot_samples = 0}).has_value());
  EXPECT_FALSE(followed_body(clips, {.most_samples = 11}).has_value());
  EXPECT_FALSE(followed_body(clips, {.max_steps = 0}).has_value());
  EXPECT_FALSE(followed_body(clips, {.converged = 0.0}).has_value());
}

TEST(Quintic, MeetsValueSpeedAndAccelerationAtBothEnds) {
  const Rates from{0.3, -1.0, 4.0}, to{-0.2, 0.5, -7.0};
  const Quintic quintic(from, to, 0.4);
  for (const auto& [time_s, at] : {std::pair(0.0, from), std::pair(0.4, to)}) {
    EXPECT_NEAR(quintic.at(time_s).x, at.x, 1e-12);
    EXPECT_NEAR(quintic.at(time_s).v, at.v, 1e-12);
    EXPECT_NEAR(quintic.at(time_s).a, at.a, 1e-11);
  }
}

}  // namespace
}  // namespace shosa::feet
