// Feet as frames come: a plan of 1.2 s, and a frame of it.

#include <benchmark/benchmark.h>

#include "scenes/scenes.h"
#include "shosa/feet/feet_follower.h"

namespace {

using namespace shosa;
using namespace shosa::feet;

struct Walk {
  Clip clip = scenes::walk({.duration_s = 4.0, .fps = 60.0}).clip;
  analysis::StudiedClip studied = analysis::study(clip, body::guess_body_map(clip.skeleton()));
  StancePlan plan = *captured_stances(clip, studied.positions(), studied.contacts());
  std::shared_ptr<const FollowedBody> body = *followed_body(std::span(&studied, 1));
  FeetWindow window{body};

  void fill(int from) {
    window.clear();
    WorldPose world;
    Pose pose;
    for (int f = from; f < from + 72; ++f) {
      clip.get_frame(f, pose);
      forward_kinematics(clip.skeleton(), pose, world);
      window.add(world);
    }
    for (std::size_t i = 0; i < plan.feet.size(); ++i) {
      for (Stance stance : plan.feet[i].stances) {
        stance.first -= from, stance.last -= from;
        if (stance.last < 0 || stance.first >= window.sample_count()) continue;
        if (stance.ball_m && stance.first > 0) *stance.ball_m += Vec3d(0.04, 0.0, 0.03);
        window.stand(static_cast<int>(i), stance);
      }
    }
  }
};

void follower_plan(benchmark::State& state) {
  Walk walk;
  const FeetFollower first(walk.body);
  int from = 20;
  double steps = 0.0;
  for (auto _ : state) {
    state.PauseTiming();
    from = 20 + (from + 7) % 100;
    walk.fill(from);
    FeetFollower follower = first;
    state.ResumeTiming();
    steps += follower.plan(0.0, walk.window).iterations;
  }
  state.counters["steps"] = benchmark::Counter(steps, benchmark::Counter::kAvgIterations);
}
BENCHMARK(follower_plan)->Unit(benchmark::kMicrosecond);

void follower_window(benchmark::State& state) {
  Walk walk;
  for (auto _ : state) walk.fill(20);
}
BENCHMARK(follower_window)->Unit(benchmark::kMicrosecond);

void follower_frame(benchmark::State& state) {
  Walk walk;
  FeetFollower follower(walk.body);
  walk.fill(20);
  (void)follower.plan(0.0, walk.window);
  WorldPose world;
  Pose pose, own;
  walk.clip.get_frame(30, own);
  int f = 0;
  for (auto _ : state) {
    pose = own;
    follower.at((f++ % 60) / 60.0, pose, world);
    benchmark::DoNotOptimize(pose);
  }
}
BENCHMARK(follower_frame)->Unit(benchmark::kMicrosecond);

}  // namespace
