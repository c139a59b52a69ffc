// Feet as frames come: a plan of 1.2 s, and a frame of it.

#include <benchmark/benchmark.h>

#include "scenes/scenes.h"
#include "shosa/feet/feet_follower.h"
#include "tests/feet/fill_window.h"

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
    StancePlan moved = plan;
    for (FootPlan& foot : moved.feet) {
      for (Stance& stance : foot.stances)
        if (stance.ball_m && stance.first > from) *stance.ball_m += Vec3d(0.04, 0.0, 0.03);
    }
    fill_window(window, clip, moved, from, 72);
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
